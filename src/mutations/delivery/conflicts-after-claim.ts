import { ArtworkError } from '../../errors.ts';
import type { ClaimResult } from '../../ledger/ledger.ts';
import { requireNoConflict } from '../before-claim/require-no-conflict.ts';
import type { Mutation } from '../mutation.ts';
import type { AccountLedger } from '../session.ts';
import { releaseLease } from './lease.ts';

/** A mutation that this call has just claimed. */
interface Claimed {
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
  account: AccountLedger,
  { mutation, claiming: { lease, view }, begunAt }: Claimed,
): Promise<void> {
  const { ports, ledger } = account;
  try {
    await requireNoConflict(account, mutation, { view, begunAt, now: ports.clock.now() });
  } catch (error) {
    try {
      if (error instanceof ArtworkError) await ledger.settle(lease, { outcome: 'not_sent', error });
    } catch (failure) {
      // The caller hears of the conflict all the same, and nothing is sent.
      if (!(failure instanceof ArtworkError)) throw failure;
      ports.log.warn(`Why a mutation was not sent could not be recorded: ${failure.message}`);
    } finally {
      await releaseLease({ ports, ledger, lease });
    }
    throw error;
  }
}
