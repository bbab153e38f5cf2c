import { ArtworkError } from '../errors.ts';

/** A body that is read while it is sent. */
export interface StreamBody {
  /** Bytes; what is read must be exactly as long. */
  readonly length: number;
  /** Called at most once. Its last chunk leaves only after it has ended without an error. */
  open(): AsyncIterable<Buffer>;
}

/** How much of a body has been handed over to be sent. */
export interface Progress {
  bytes: number;
  complete: boolean;
  /** Why the source ended early. */
  failure: Error | null;
}

/**
 * Yields what the source yields, one chunk behind: a source that fails at any point, or is longer or shorter
 * than it should be, never has its last chunk sent, so the service never sees a whole body.
 */
export async function* delayLastChunk(
  body: StreamBody,
  progress: Progress,
): AsyncGenerator<Buffer, void, void> {
  let held: Buffer | null = null;
  let read = 0;
  try {
    for await (const chunk of body.open()) {
      if (chunk.length === 0) continue;
      read += chunk.length;
      if (read > body.length) throw wrongLength();
      if (held !== null) {
        progress.bytes += held.length;
        yield held;
      }
      held = chunk;
    }
    if (read !== body.length) throw wrongLength();
  } catch (error) {
    progress.failure = error instanceof Error ? error : new Error('the source of a body failed');
    throw progress.failure;
  }
  if (held === null) return;
  progress.bytes += held.length;
  progress.complete = true;
  yield held;
}

function wrongLength(): ArtworkError {
  return new ArtworkError('upload_refused', 'The file is no longer as long as it was: it changed meanwhile.');
}
