import type { Bearer } from '../../connections/grant.ts';
import { ArtworkError } from '../../errors.ts';
import { type ClaimResult, type EntryView, isUnsent, type Lease } from '../../ledger/ledger.ts';
import { compareRevisions, compareRevisionsBeforeRepeat } from '../before-claim/compare-with-service.ts';
import { requireNoConflict } from '../before-claim/conflicts.ts';
import { type Mutation, newEntryOf } from '../mutation.ts';
import { type AccountLedger, requireSameAccount } from '../session.ts';
import {
  type Delivery,
  type DeliveryResult,
  recordSettlement,
  recordUnresolved,
  releaseLease,
  startHeartbeat,
} from './delivery.ts';
import { pollOutcomeOnce } from './look-up.ts';
import { sendOnce } from './send.ts';
import { settleByFinding, settleOutcome } from './settle.ts';

/**
 * Sends what was claimed, and settles it. A 401 is answered with one renewal, a look at what the service has,
 * and the same identity once more; nothing else is ever sent a second time here.
 */
export async function deliverRequest(first: Delivery): Promise<DeliveryResult> {
  let delivery = first;
  const heartbeat = startHeartbeat(first.ports, () => delivery);
  let done: DeliveryResult | null = null;
  try {
    done = await work();
    return done;
  } finally {
    heartbeat.stop();
    if (done?.isHolder !== false) await releaseLease(delivery);
  }

  async function work(): Promise<DeliveryResult> {
    const { outgoing, ledger, scope } = first;
    const tried = await attempt(first);
    if (!tried.unauthorized) return tried;
    const bearer = await renew(first);
    if (bearer instanceof ArtworkError) {
      // The renewal may have taken long, and another process may have sent the mutation meanwhile.
      const view = (await ledger.read(scope, outgoing.mutation.clientMutationId)) ?? tried.view;
      return { ...lost(view), observed: isUnsent(view) ? { error: bearer } : {} };
    }
    const again = await leaseAgain(first);
    if ('error' in again) return { ...lost(again.lost ?? tried.view), observed: { error: again.error } };
    if ('lost' in again) return again.lost === null ? tried : lost(again.lost);
    delivery = { ...first, lease: again.lease, bearer };
    return (await reconcile(delivery)) ?? (await attempt(delivery));
  }
}

interface Attempted extends DeliveryResult {
  /** The service turned the access token away. */
  readonly unauthorized: boolean;
}

async function attempt(delivery: Delivery): Promise<Attempted> {
  const kept = delivery.repeated ? await refuseToRepeat(delivery) : null;
  if (kept !== null) return { ...kept, unauthorized: false };
  const outcome = await sendOnce(delivery);
  if ('lost' in outcome) return { ...lost(outcome.lost), unauthorized: false };
  const done = await settleOutcome(delivery, outcome);
  return { ...done, unauthorized: outcome.outcome === 'refused' && outcome.status === 401 };
}

/** Null: what the request acts on still is as it was, so the request may be repeated. */
async function refuseToRepeat(delivery: Delivery): Promise<DeliveryResult | null> {
  const { outgoing, bearer, signals } = delivery;
  const { mutation } = outgoing;
  const error = await compareRevisionsBeforeRepeat(mutation, delivery.ports.owned, bearer.scopes, {
    signal: signals.closing,
  });
  if (error === null) return null;
  // The first request itself may have moved the revision: the service knows it then.
  return (await settleByFinding(delivery)) ?? recordUnresolved(delivery, error);
}

/** Another process holds the lease now. */
function lost(view: EntryView): DeliveryResult {
  return { view, observed: {}, isHolder: false };
}

/** Another access token for the same account, or why there is none. */
async function renew({ ports, bearer, scope, signals }: Delivery): Promise<Bearer | ArtworkError> {
  try {
    const other = await ports.connections.onUnauthorized(bearer, { signal: signals.closing });
    requireSameAccount(other, scope);
    return other;
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}

type LeasedAgain =
  | { readonly lease: Lease }
  | { readonly lost: EntryView | null }
  /** Another call has taken its place since. */
  | { readonly lost: EntryView | null; readonly error: ArtworkError };

/**
 * The entry once more, for the second try. Another process may have sent it in between; only where a repetition
 * is allowed anyway may it then be taken from what is not known. While the token was renewed the place was free for
 * other calls.
 */
async function leaseAgain(delivery: Delivery): Promise<LeasedAgain> {
  const { ledger, scope, repeated, outgoing } = delivery;
  const { mutation } = outgoing;
  if (repeated) {
    const taken = await ledger.acquire(scope, mutation.clientMutationId);
    if (taken.acquire === 'leased') return taken;
    return { lost: taken.acquire === 'unknown' ? null : taken.view };
  }
  const claiming = await ledger.claim(scope, newEntryOf(outgoing));
  if (claiming.claim !== 'leased') return { lost: claiming.view };
  const begunAt = Date.parse(claiming.view.entry.createdAt);
  try {
    await requireNoConflictAfterClaim(delivery, { mutation, claiming, begunAt });
    return claiming;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    return { lost: await ledger.read(scope, mutation.clientMutationId), error };
  }
}

/**
 * Before the same identity is sent again after a 401 (interface document, Errors): what does the service have?
 * Where nothing but the refused request was sent, what the service knows under this id is not shown to be of
 * this intent: the answer to the same identity, which the service compares, then says whose it is.
 */
async function reconcile(delivery: Delivery): Promise<DeliveryResult | null> {
  const { mutation } = delivery.outgoing;
  if (mutation.looksBy === 'lookup') {
    if (delivery.repeated) return settleByFinding(delivery);
    const finding = await pollOutcomeOnce(delivery);
    // What it has done may be what has moved the revision.
    if (finding !== null && finding.found !== 'nothing') return null;
  }
  if (delivery.repeated) return null;
  try {
    await compareRevisions(mutation.guards, delivery.ports.owned, { signal: delivery.signals.closing });
    return null;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    return recordSettlement(delivery, { outcome: 'not_sent', error }, error);
  }
}

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
