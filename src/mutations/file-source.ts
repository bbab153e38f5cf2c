import type { ArtworkError } from '../errors.ts';
import type { KeptError } from '../ledger/entry.ts';
import type { MutationPorts, UploadFiles } from './ports.ts';
import { openAccountLedger } from './session.ts';

/** Where files come from in one call. */
export interface FileSource {
  readonly files: UploadFiles;
  /** Folders that the host offers, beside those of the settings. */
  readonly roots: readonly string[];
  readonly limit: SizeLimit;
}

/** The most bytes that the service has said it takes (interface document, Errors: `asset.file.maxSize`). */
export interface SizeLimit {
  /** Null where it has not said so. */
  known(): Promise<number | null>;
  /** Learns from a refusal. */
  learn(error: ArtworkError | KeptError | null | undefined): void;
}

/** Remembers the limit while the program runs, and finds it in the ledger when it starts anew. */
export function createSizeLimit(ports: MutationPorts): SizeLimit {
  let limit: number | null = null;
  let asked = false;
  const learn: SizeLimit['learn'] = (error) => {
    const told = error?.code === 'asset.file.maxSize' ? error.details?.maxBytes : undefined;
    if (typeof told === 'number' && Number.isSafeInteger(told) && told > 0) limit = told;
  };
  return {
    learn,
    async known() {
      if (limit === null && !asked) {
        const { ledger, scope } = await openAccountLedger(ports);
        const { views } = await ledger.list(scope, { state: 'refused', limit: 200 });
        for (const { entry } of views.toReversed()) learn(entry.error);
        asked = true;
      }
      return limit;
    },
  };
}
