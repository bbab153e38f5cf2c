import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/standing.ts';
import type { AccountLedger } from '../session.ts';

/**
 * The mutation that ended one as a conflict may not have been sent in the end either. Each of the two may be made
 * again, and a caller who follows `next` from both would send both. Null: that is not so.
 */
export async function findMutualAbort(
  { ledger, scope }: AccountLedger,
  { entry: { error }, standing }: EntryView,
): Promise<ArtworkError | null> {
  const heldBy = error?.details?.heldBy;
  if (standing !== 'not_sent' || typeof heldBy !== 'string') return null;
  const other = await ledger.read(scope, heldBy);
  if (other?.standing !== 'not_sent') return null;
  return new ArtworkError('conflict', error?.message ?? '', {
    details: error?.details,
    next: {
      why: `Neither this one nor ${heldBy} was sent. Which of them is wanted only a person decides; then the same call may be made again with its id.`,
    },
  });
}
