import { type JsonRecord, wordAt } from './read-member.ts';

/** Interface document, States: publicationStatus. `unknown`: none was given, or another word. */
export type PublicationState = 'not_required' | 'pending' | 'succeeded' | 'unknown';

export interface Publication {
  readonly publication: PublicationState;
  /** The service's own word. */
  readonly publicationStatus: string | null;
}

export function readPublication(...records: readonly JsonRecord[]): Publication {
  for (const record of records) {
    const publicationStatus = wordAt(record, 'publicationStatus');
    if (publicationStatus !== null) return { publication: stateOf(publicationStatus), publicationStatus };
  }
  return { publication: 'unknown', publicationStatus: null };
}

function stateOf(word: string): PublicationState {
  switch (word) {
    case 'not_required':
    case 'pending':
    case 'succeeded':
      return word;
    default:
      return 'unknown';
  }
}
