import { ArtworkError } from '../../errors.ts';
import type { ClaimResult, Ledger } from '../../ledger/ledger.ts';
import type { AccountScope } from '../../ledger/scope.ts';
import { releaseLease } from './release.ts';
import type { Mutation } from '../mutation.ts';
import { requireNoConflict } from '../before-claim/conflicts.ts';
import type { MutationPorts } from '../ports.ts';

/** A mutation that this call has just claimed. */
interface Claimed {
  readonly ledger: Ledger;
  readonly scope: AccountScope;
  readonly mutation: Mutation;
  readonly claiming: Extract<ClaimResult, { readonly claim: 'leased' }>;
  /** When the call began, milliseconds since 1970. */
  readonly begunAt: number;
}

/**
 * Of two calls at the same moment neither may have seen the other before its claim; after it at least one does, and
 * one of them ends here as a conflict.
 * @throws ArtworkError `conflict`, or why the ledger can't be asked; the claim is released then
 */
export async function requireNoConflictAfterClaim(
  { clock, log }: Pick<MutationPorts, 'clock' | 'log'>,
  { ledger, scope, mutation, claiming: { lease, view }, begunAt }: Claimed,
): Promise<void> {
  try {
    await requireNoConflict(ledger, scope, mutation, { view, begunAt, now: clock.now() });
  } catch (error) {
    try {
      if (error instanceof ArtworkError) await ledger.settle(lease, { outcome: 'not_sent', error });
    } catch (failure) {
      // The caller hears of the conflict all the same, and nothing is sent.
      if (!(failure instanceof ArtworkError)) throw failure;
      log.warn(`Why a mutation was not sent could not be recorded: ${failure.message}`);
    } finally {
      await releaseLease(log, { ledger, lease });
    }
    throw error;
  }
}
