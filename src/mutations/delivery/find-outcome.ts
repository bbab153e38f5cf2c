import { ArtworkError } from '../../errors.ts';
import type { Delivery } from './delivery.ts';
import type { Finding } from '../finding.ts';

/** What the service shows of a job's mutation; null where it could not be asked, which tells nothing. */
export async function findOutcome(delivery: Delivery): Promise<Finding | null> {
  const { mutation, progress, names } = delivery.outgoing;
  try {
    const call = { signal: delivery.signals.closing };
    return await mutation.find({ owned: delivery.ports.owned, progress, names, call });
  } catch (error) {
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}
