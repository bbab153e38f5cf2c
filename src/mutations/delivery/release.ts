import { ArtworkError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Delivery } from './delivery.ts';

/** However the work ended; what could not be recorded is found out later. */
export async function releaseLease(
  log: Log,
  { ledger, lease }: Pick<Delivery, 'ledger' | 'lease'>,
): Promise<void> {
  try {
    await ledger.release(lease);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`A mutation could not be let go: ${error.message}`);
  }
}
