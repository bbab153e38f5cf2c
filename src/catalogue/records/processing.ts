/**
 * Interface document, States: Upload processingStatus. `unknown` is every other word, and none: neither an end
 * nor success.
 */
export type ProcessingState = 'processing' | 'succeeded' | 'failed' | 'unknown';

/** A success that comes with an error is none. */
export function processingState(word: string | null, hasError: boolean): ProcessingState {
  switch (word) {
    case 'processing':
    case 'failed':
      return word;
    case 'succeeded':
      return hasError ? 'unknown' : word;
    default:
      return 'unknown';
  }
}
