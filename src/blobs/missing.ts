import type { ArtworkError } from '../errors.ts';
import type { Sha256 } from '../files/digest.ts';
import { refusedFileError } from '../files/refusal.ts';

/** One file that is, or should be, kept. */
export interface ExpectedCopy {
  readonly sha256: Sha256;
  /** Bytes. */
  readonly length: number;
}

/** One that is not, with the name that it was declared under, if that is known. */
export interface MissingFile extends ExpectedCopy {
  readonly filename?: string;
}

const mostNamed = 20;

/**
 * Declared bytes that are not kept here, so that nothing can be sent in their place.
 * @param machine that has them, as its ledger entry names it; null where it is this one
 */
export function missingBlobsError(missing: readonly MissingFile[], machine: string | null): ArtworkError {
  const names = missing.slice(0, mostNamed).map(({ filename, sha256 }) => filename ?? sha256.slice(0, 12));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  const what = `The bytes that were declared are not kept here, or are damaged: ${names.join(', ')}${more}`;
  const where =
    machine === null
      ? 'The copies of this machine are gone; only a person can bring them back into the data directory, or abandon the mutation.'
      : `They were kept on the machine ${machine}: resume there, with its data directory.`;
  return refusedFileError('kept_bytes_missing', `${what}. ${where}`, {
    details: { missing: missing.slice(0, mostNamed), missingCount: missing.length, machine },
    next: { why: where, doNot: 'upload other files under this id, or the same ones under a new id' },
  });
}
