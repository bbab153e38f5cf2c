import { ArtworkError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Scope } from '../ledger/scope.ts';
import type { View } from '../ledger/standing.ts';

/**
 * Two that were claimed for one place at the same moment may both have given way: were each to lead to the other,
 * whoever follows would never come to an end. Null: it did not give way, or not to one that was not sent either.
 */
export async function findStalemate(
  ledger: Ledger,
  scope: Scope,
  { entry: { error }, standing }: View,
): Promise<ArtworkError | null> {
  const heldBy = error?.details?.heldBy;
  if (standing !== 'not_sent' || typeof heldBy !== 'string') return null;
  const other = await ledger.read(scope, heldBy);
  if (other?.standing !== 'not_sent') return null;
  return new ArtworkError('conflict', error?.message ?? '', {
    details: error?.details,
    next: {
      why: `Neither this one nor ${heldBy} was sent: they met, and gave way. Which of them is wanted only a person decides; then the same call may be made again with its id.`,
    },
  });
}
