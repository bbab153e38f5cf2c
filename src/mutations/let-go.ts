import { ArtworkError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Delivery } from './job.ts';

/** However the work ended; what could not be recorded is found out later. */
export async function releaseLease(log: Log, { ledger, held }: Pick<Delivery, 'ledger' | 'held'>): Promise<void> {
  try {
    await ledger.letGo(held);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`A mutation could not be let go: ${error.message}`);
  }
}
