import type { Bearer } from '../connections/grant.ts';
import { ArtworkError } from '../errors.ts';
import type { Held } from '../ledger/ledger.ts';
import type { View } from '../ledger/standing.ts';
import { requireSameAccount } from './account.ts';
import { find } from './find.ts';
import { compareRevisions } from './guard.ts';
import { startHeart } from './heart.ts';
import type { Done, Job } from './job.ts';
import { letGo } from './let-go.ts';
import { meantBy } from './outgoing.ts';
import type { MutationPorts } from './ports.ts';
import { doubt, settle } from './record.ts';
import { reasonNotToRepeat } from './repeat.ts';
import { isUnsent } from './same-intent.ts';
import { sendOnce } from './send-once.ts';
import { settleByFinding, settleFate } from './settle.ts';
import { requireStillFree } from './still-free.ts';

/**
 * Sends what was claimed, and settles it. A 401 is answered with one renewal, a look at what the service has,
 * and the same identity once more; nothing else is ever sent a second time here.
 */
export async function carryOut(ports: MutationPorts, first: Job): Promise<Done> {
  let job = first;
  const heart = startHeart(ports.clock, ports.log, () => job);
  let done: Done | null = null;
  try {
    done = await work();
    return done;
  } finally {
    heart.stop();
    if (done?.held !== false) await letGo(ports.log, job);
  }

  async function work(): Promise<Done> {
    const { outgoing, ledger, scope } = first;
    const tried = await attempt(ports, first);
    if (!tried.unauthorized) return tried;
    const bearer = await renew(ports, first);
    if (bearer instanceof ArtworkError) {
      // It may have taken long, and somebody else may have sent it meanwhile.
      const view = (await ledger.read(scope, outgoing.mutation.clientMutationId)) ?? tried.view;
      return { ...lost(view), learnt: isUnsent(view) ? { error: bearer } : {} };
    }
    const again = await holdAgain(ports, first);
    if ('error' in again) return { ...lost(again.lost ?? tried.view), learnt: { error: again.error } };
    if ('lost' in again) return again.lost === null ? tried : lost(again.lost);
    job = { ...first, held: again.held, bearer };
    return (await reconcile(ports, job)) ?? (await attempt(ports, job));
  }
}

interface Attempted extends Done {
  /** The service turned the access token away. */
  readonly unauthorized: boolean;
}

async function attempt(ports: MutationPorts, job: Job): Promise<Attempted> {
  const kept = job.repeated ? await keepFromRepeating(ports, job) : null;
  if (kept !== null) return { ...kept, unauthorized: false };
  const fate = await sendOnce(ports, job);
  if ('lost' in fate) return { ...lost(fate.lost), unauthorized: false };
  const done = await settleFate(ports, job, fate);
  return { ...done, unauthorized: fate.fate === 'refused' && fate.status === 401 };
}

/** Null: what the request acts on still is as it was, so the request may be repeated. */
async function keepFromRepeating(ports: MutationPorts, job: Job): Promise<Done | null> {
  const { outgoing, bearer, wishes } = job;
  const { mutation } = outgoing;
  const error = await reasonNotToRepeat(mutation, ports.owned, bearer.scopes, { signal: wishes.closing });
  if (error === null) return null;
  // The first request itself may have moved the revision: the service knows it then.
  return (await settleByFinding(ports, job)) ?? doubt(ports, job, error);
}

/** Somebody else has it now. */
function lost(view: View): Done {
  return { view, learnt: {}, held: false };
}

/** Another access token for the same account, or why there is none. */
async function renew(ports: MutationPorts, { bearer, scope, wishes }: Job): Promise<Bearer | ArtworkError> {
  try {
    const other = await ports.connections.onUnauthorized(bearer, { signal: wishes.closing });
    requireSameAccount(other, scope);
    return other;
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}

type HeldAgain =
  | { readonly held: Held }
  | { readonly lost: View | null }
  /** Another call has taken its place since. */
  | { readonly lost: View | null; readonly error: ArtworkError };

/**
 * The entry once more, for the second try. Another process may have sent it in between; only where a repetition
 * is allowed anyway may it then be taken from what is not known. While the token was renewed the place was free for
 * other calls.
 */
async function holdAgain(
  ports: MutationPorts,
  { ledger, scope, repeated, outgoing }: Job,
): Promise<HeldAgain> {
  const { mutation } = outgoing;
  if (repeated) {
    const taken = await ledger.take(scope, mutation.clientMutationId);
    if (taken.take === 'held') return taken;
    return { lost: taken.take === 'unknown' ? null : taken.view };
  }
  const claiming = await ledger.claim(scope, meantBy(outgoing));
  if (claiming.claim !== 'held') return { lost: claiming.view };
  const begunAt = Date.parse(claiming.view.entry.createdAt);
  try {
    await requireStillFree(ports, { ledger, scope, mutation, claiming, begunAt });
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
async function reconcile(ports: MutationPorts, job: Job): Promise<Done | null> {
  const { mutation } = job.outgoing;
  if (mutation.request().identity === 'documented') {
    if (job.repeated) return settleByFinding(ports, job);
    const finding = await find(ports, job);
    // What it has done may be what has moved the revision.
    if (finding !== null && finding.found !== 'nothing') return null;
  }
  if (job.repeated) return null;
  try {
    await compareRevisions(mutation.guards, ports.owned, { signal: job.wishes.closing });
    return null;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    return settle(ports, job, { outcome: 'not_sent', error }, error);
  }
}
