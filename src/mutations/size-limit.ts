import type { ArtworkError } from '../errors.ts';
import type { KeptError } from '../ledger/entry.ts';
import { openAccount } from './session.ts';
import type { MutationPorts } from './ports.ts';

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
        const { ledger, scope } = await openAccount(ports);
        const { views } = await ledger.list(scope, { state: 'refused', limit: 200 });
        for (const { entry } of views.toReversed()) learn(entry.error);
        asked = true;
      }
      return limit;
    },
  };
}
