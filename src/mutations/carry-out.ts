import type { Bearer } from '../connections/grant.ts';
import { ArtworkError } from '../errors.ts';
import type { Lease } from '../ledger/ledger.ts';
import type { EntryView } from '../ledger/standing.ts';
import { requireSameAccount } from './account.ts';
import { findOutcome } from './find.ts';
import { compareRevisions } from './guard.ts';
import { startHeartbeat } from './heart.ts';
import type { DeliveryResult, Delivery } from './job.ts';
import { releaseLease } from './let-go.ts';
import { newEntryOf } from './outgoing.ts';
import type { MutationPorts } from './ports.ts';
import { recordUnresolved, recordSettlement } from './record.ts';
import { reasonNotToRepeat } from './repeat.ts';
import { isUnsent } from './same-intent.ts';
import { sendOnce } from './send-once.ts';
import { settleByFinding, settleOutcome } from './settle.ts';
import { requireNoConflictAfterClaim } from './still-free.ts';

/**
 * Sends what was claimed, and settles it. A 401 is answered with one renewal, a look at what the service has,
 * and the same identity once more; nothing else is ever sent a second time here.
 */
export async function deliver(ports: MutationPorts, first: Delivery): Promise<DeliveryResult> {
  let job = first;
  const heart = startHeartbeat(ports.clock, ports.log, () => job);
  let done: DeliveryResult | null = null;
  try {
    done = await work();
    return done;
  } finally {
    heart.stop();
    if (done?.held !== false) await releaseLease(ports.log, job);
  }

  async function work(): Promise<DeliveryResult> {
    const { outgoing, ledger, scope } = first;
    const tried = await attempt(ports, first);
    if (!tried.unauthorized) return tried;
    const bearer = await renew(ports, first);
    if (bearer instanceof ArtworkError) {
      // It may have taken long, and somebody else may have sent it meanwhile.
      const view = (await ledger.read(scope, outgoing.mutation.clientMutationId)) ?? tried.view;
      return { ...lost(view), learnt: isUnsent(view) ? { error: bearer } : {} };
    }
    const again = await leaseAgain(ports, first);
    if ('error' in again) return { ...lost(again.lost ?? tried.view), learnt: { error: again.error } };
    if ('lost' in again) return again.lost === null ? tried : lost(again.lost);
    job = { ...first, held: again.held, bearer };
    return (await reconcile(ports, job)) ?? (await attempt(ports, job));
  }
}

interface Attempted extends DeliveryResult {
  /** The service turned the access token away. */
  readonly unauthorized: boolean;
}

async function attempt(ports: MutationPorts, job: Delivery): Promise<Attempted> {
  const kept = job.repeated ? await refuseToRepeat(ports, job) : null;
  if (kept !== null) return { ...kept, unauthorized: false };
  const fate = await sendOnce(ports, job);
  if ('lost' in fate) return { ...lost(fate.lost), unauthorized: false };
  const done = await settleOutcome(ports, job, fate);
  return { ...done, unauthorized: fate.fate === 'refused' && fate.status === 401 };
}

/** Null: what the request acts on still is as it was, so the request may be repeated. */
async function refuseToRepeat(ports: MutationPorts, job: Delivery): Promise<DeliveryResult | null> {
  const { outgoing, bearer, wishes } = job;
  const { mutation } = outgoing;
  const error = await reasonNotToRepeat(mutation, ports.owned, bearer.scopes, { signal: wishes.closing });
  if (error === null) return null;
  // The first request itself may have moved the revision: the service knows it then.
  return (await settleByFinding(ports, job)) ?? recordUnresolved(ports, job, error);
}

/** Somebody else has it now. */
function lost(view: EntryView): DeliveryResult {
  return { view, learnt: {}, held: false };
}

/** Another access token for the same account, or why there is none. */
async function renew(ports: MutationPorts, { bearer, scope, wishes }: Delivery): Promise<Bearer | ArtworkError> {
  try {
    const other = await ports.connections.onUnauthorized(bearer, { signal: wishes.closing });
    requireSameAccount(other, scope);
    return other;
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}

type LeasedAgain =
  | { readonly held: Lease }
  | { readonly lost: EntryView | null }
  /** Another call has taken its place since. */
  | { readonly lost: EntryView | null; readonly error: ArtworkError };

/**
 * The entry once more, for the second try. Another process may have sent it in between; only where a repetition
 * is allowed anyway may it then be taken from what is not known. While the token was renewed the place was free for
 * other calls.
 */
async function leaseAgain(
  ports: MutationPorts,
  { ledger, scope, repeated, outgoing }: Delivery,
): Promise<LeasedAgain> {
  const { mutation } = outgoing;
  if (repeated) {
    const taken = await ledger.take(scope, mutation.clientMutationId);
    if (taken.take === 'held') return taken;
    return { lost: taken.take === 'unknown' ? null : taken.view };
  }
  const claiming = await ledger.claim(scope, newEntryOf(outgoing));
  if (claiming.claim !== 'held') return { lost: claiming.view };
  const begunAt = Date.parse(claiming.view.entry.createdAt);
  try {
    await requireNoConflictAfterClaim(ports, { ledger, scope, mutation, claiming, begunAt });
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
async function reconcile(ports: MutationPorts, job: Delivery): Promise<DeliveryResult | null> {
  const { mutation } = job.outgoing;
  if (mutation.request().identity === 'documented') {
    if (job.repeated) return settleByFinding(ports, job);
    const finding = await findOutcome(ports, job);
    // What it has done may be what has moved the revision.
    if (finding !== null && finding.found !== 'nothing') return null;
  }
  if (job.repeated) return null;
  try {
    await compareRevisions(mutation.guards, ports.owned, { signal: job.wishes.closing });
    return null;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    return recordSettlement(ports, job, { outcome: 'not_sent', error }, error);
  }
}
