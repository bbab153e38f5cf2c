import { sendFile } from '../../catalogue/request.ts';
import type { SendOutcome, SendRequest } from '../../catalogue/send.ts';
import type { Bearer } from '../../connections/grant.ts';
import { ArtworkError } from '../../errors.ts';
import { type EntryView, isUnsent, type Lease } from '../../ledger/ledger.ts';
import { compareRevisions, compareRevisionsBeforeRepeat } from '../before-claim/compare-with-service.ts';
import type { StreamBody } from '../../wire/exchange.ts';
import { callCancelledError, requireSameAccount } from '../session.ts';
import {
  type Delivery,
  type DeliveryResult,
  newEntryOf,
  recordSettlement,
  recordUnresolved,
  releaseLease,
  requireNoConflictAfterClaim,
  startHeartbeat,
} from './delivery.ts';
import { pollOutcomeOnce } from './look-up.ts';
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

/** Another process holds the lease now: nothing was sent, and nothing may be. */
interface Lost {
  readonly lost: EntryView;
}

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;
/** The slowest line that an upload is still given up on only by the service, bytes per ms. */
const slowest = 16;

/** Moves the entry to `sending` and sends the request once, if the entry still is this call's. */
async function sendOnce(delivery: Delivery): Promise<SendOutcome | Lost> {
  const stop = delivery.signals.cancelled;
  let prepared: PreparedRequest;
  try {
    prepared = prepare(delivery, stop);
  } catch (error) {
    if (error instanceof ArtworkError) return { outcome: 'not_sent', error };
    throw error;
  }
  if (stop.aborted) return { outcome: 'not_sent', error: callCancelledError() };
  const { isHolder, view } = await delivery.ledger.send(delivery.lease);
  if (!isHolder) return { lost: view };
  const { request, signal, release } = prepared;
  try {
    return await delivery.ports.send(request, {
      signal,
      deadlineMs: answerMs + request.body.length / slowest,
    });
  } finally {
    release();
  }
}

interface PreparedRequest {
  readonly request: SendRequest;
  readonly signal: AbortSignal;
  /** Stops listening to the wishes. */
  release(): void;
}

function prepare(delivery: Delivery, stop: AbortSignal): PreparedRequest {
  const { outgoing, signals } = delivery;
  const request = outgoing.mutation.request();
  const body = outgoing.body(stop);
  const token = delivery.bearer.token.reveal();
  if (request.body.kind === 'json' || Buffer.isBuffer(body)) {
    const { path, query, headers } = request;
    const { 'Content-Length': _, ...rest } = headers;
    const sent = { path, query, headers: rest, body, bearer: token };
    return { request: sent, signal: signals.closing, release: () => {} };
  }
  const { body: watched, signal, release } = stopWhileIncomplete(body, delivery);
  return { request: sendFile({ ...request, body: request.body }, watched, token), signal, release };
}

/**
 * A body that a cancelled call takes back only as long as its last chunk has not been handed over: until then
 * the service can't apply it, after that the answer is worth waiting for.
 */
function stopWhileIncomplete(body: StreamBody, { signals, progress }: Delivery) {
  const stopping = new AbortController();
  let complete = false;
  const stop = () => {
    if (!complete || signals.closing.aborted) stopping.abort('stopped');
  };
  const heard = [signals.cancelled, signals.closing];
  for (const signal of heard) signal.addEventListener('abort', stop);
  async function* open() {
    let sent = 0;
    for await (const chunk of body.open()) {
      sent += chunk.length;
      progress(sent, body.length, 'uploading');
      yield chunk;
    }
    complete = true;
  }
  const release = () => {
    for (const signal of heard) signal.removeEventListener('abort', stop);
  };
  return { body: { ...body, open }, signal: stopping.signal, release };
}
