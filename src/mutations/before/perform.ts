import type { Json } from '../../canonical-json.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { requireScopesOfAll } from '../../catalogue/authorization.ts';
import { ArtworkError, type ErrorCategory, type Next } from '../../errors.ts';
import { type ClaimResult, type EntryView, isUnsent, type NewEntry } from '../../ledger/ledger.ts';
import { requireOwnEntry, requireSameAccount, type Session } from '../account.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { showDryRun } from '../answer/dry-run.ts';
import { mayGoOn } from '../answer/situation.ts';
import { nextIn } from '../answer/table.ts';
import { requireNotCancelled } from '../caller.ts';
import type { Warning } from '../finding.ts';
import type { Mutation, Prepared } from '../mutation.ts';
import { namesOf, readNames, readOwnNames } from '../names.ts';
import { MutationError, type MutationResult } from '../result.ts';
import type { StopSignals } from '../run/background.ts';
import { lookUpMutation } from '../run/look-up.ts';
import { carryOut } from '../run/carry-out.ts';
import type { Run, RunEnd } from '../run/run.ts';
import { idReusedError, isSameIntent, requireNoConflict } from './conflicts.ts';
import { findUploadedBefore, requireNotMadeBefore } from './done-before.ts';
import { findObjections, objectionsError, warningsOfObjections } from './objection.ts';
import { compareRevisions, revisionsByGuard, selectGuards } from './revisions.ts';

/**
 * The one path of every mutation: what is known of the id, the scopes, the revisions, the claim; then its run begins,
 * which goes on after the call has answered if need be. What stops it before the claim leaves no trace. Closes the open
 * file, whatever happens.
 * @param within the work is in the background already, with these signals
 */
export async function performMutation(
  session: Session,
  performed: Prepared,
  dryRun: boolean,
  within?: StopSignals,
): Promise<MutationResult> {
  const { ledger, scope } = session;
  const { mutation } = performed;
  const { clientMutationId } = mutation;
  let isRunning = false;
  try {
    const known = await ledger.read(scope, clientMutationId);
    if (known !== null) requireOwnEntry(known, scope);
    if (known !== null && !isSameIntent(known, mutation)) throw idReusedError(known);
    if (known !== null && !isUnsent(known)) {
      const mayRepeat = mayGoOn({ view: known, mutation, scope }, 'call');
      if (dryRun || !isOpenAndIdle(known) || !mayRepeat) return await replayAnswer(session, known);
      isRunning = true;
      return await resumeRun(session, clientMutationId, () => performed, within);
    }

    let ready: Prepared;
    try {
      const checked = await check(session, performed, { dryRun, idIsTaken: known !== null });
      if (dryRun) return showDryRun(session.service, await withNames(session, checked));
      ready = await makeReady(session, checked);
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      // Another process may have sent this very mutation meanwhile: its effect is what the checks then object to.
      const now = await ledger.read(scope, clientMutationId);
      if (now === null || isUnsent(now) || !isSameIntent(now, mutation))
        throw asNotSentError(error, clientMutationId);
      return await replayAnswer(session, now);
    }
    const claiming = await ledger.claim(scope, newEntryOf(ready));
    if (claiming.claim === 'reused') {
      requireOwnEntry(claiming.view, scope);
      throw idReusedError(claiming.view);
    }
    if (claiming.claim === 'known') return await replayAnswer(session, claiming.view);
    await requireNoConflictAfterClaim(session, mutation, claiming);
    isRunning = true;
    const { lease, view } = claiming;
    return await runInBackground(session, { prepared: ready, lease, view }, within);
  } finally {
    if (!isRunning) await performed.file?.close();
  }
}

/** Scopes, conflicts, revisions and what else the service shows: all that is looked at before anything is claimed. */
async function check(
  session: Session,
  performed: Prepared,
  how: { readonly dryRun: boolean; readonly idIsTaken: boolean },
): Promise<Prepared> {
  const { ports, account, deadline, progress } = session;
  const { mutation } = performed;
  const guards = selectGuards(mutation.guards, account.scopes);
  requireScopesOfAll(
    [mutation, ...guards].map((one) => one.needed),
    account.scopes,
  );
  await requireNotMadeBefore(session, mutation);
  const others = await requireNoConflict(session, mutation);
  const sameSet = others.some(({ code }) => code === 'same_set');
  const warnings = [...others, ...(sameSet ? [] : await findUploadedBefore(session, mutation))];
  for (const { message } of warnings) progress(0, null, message);
  const seen = await compareRevisions(guards, ports.owned, deadline, ports.catalogue);
  const looking = { records: revisionsByGuard(seen), deadline };
  const [objections, own] = await Promise.all([
    findObjections(ports, performed, looking),
    // Of a submission each item has its target's name.
    readOwnNames(
      mutation.by === 'submission' ? seen.filter(({ kind }) => kind !== 'asset') : seen,
      ports.catalogue,
      deadline,
    ),
  ]);
  const certain = objections.filter(({ told }) => told !== true);
  if (certain.length > 0) throw objectionsError(performed, certain, how);
  // Throws for a revision that can't be sent.
  mutation.request();
  const names = { ...namesOf(mutation.intent, ports.catalogue), ...own };
  const earlier = mutation.earlier(looking.records);
  const isKept = JSON.stringify(earlier).length <= longestEarlier;
  return {
    ...performed,
    names,
    ...(isKept && Object.keys(earlier).length > 0 ? { earlier } : {}),
    warnings: [
      ...performed.warnings,
      ...warnings,
      ...warningsOfObjections(objections),
      ...(isKept ? [] : [notKept]),
    ],
  };
}

/** Characters of JSON: the entry of a change holds more than that, and the store takes no longer ones. */
const longestEarlier = 500_000;

const notKept: Warning = {
  code: 'earlier_not_kept',
  message: 'What stands there now is too long to be kept with this change: get_owned shows it.',
};

/** There is an access token, and all is known that is to be known before it is sent. */
async function makeReady(session: Session, performed: Prepared): Promise<Prepared> {
  const { ports, scope, deadline } = session;
  const { connections, owned } = ports;
  requireSameAccount(await connections.bearer({ signal: deadline.signal }), scope);
  const noticed = await (performed.keep?.(session) ?? performed.mutation.prepare(owned, deadline));
  requireNotCancelled(deadline);
  const { progress } = performed;
  return { ...performed, progress: noticed === undefined ? progress : mergeProgress(progress, noticed) };
}

/** A dry run may read for its names what a mutation itself reads nothing of. */
async function withNames({ ports, deadline }: Session, performed: Prepared): Promise<Prepared> {
  const read = await readNames(performed.mutation.intent, ports.catalogue, deadline);
  return { ...performed, names: { ...read, ...performed.names } };
}

function afterFailedCheck(category: ErrorCategory): Next | undefined {
  switch (category) {
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
      return nextIn({ is: 'not checked' });
    default:
      return undefined;
  }
}

/** An error of what comes before the claim says that nothing was sent. */
export function asNotSentError(error: ArtworkError, clientMutationId: string): MutationError {
  if (error instanceof MutationError) return error;
  const { category, message, next = afterFailedCheck(category) } = error;
  const facts = { ...error, next, cause: error };
  return new MutationError(category, message, { ...facts, clientMutationId, outcome: 'not_sent' });
}

/**
 * The answer to a call that repeats an id with the same intent, and is not to be sent: what is settled is told, the
 * rest is looked up.
 */
async function replayAnswer(session: Session, known: EntryView): Promise<MutationResult> {
  if (!isOpenAndIdle(known)) return describeMutation(session, known);
  const { view, observed } = await lookUpMutation(session, known, session.deadline);
  return describeMutation(session, view, observed);
}

/** Its outcome is not settled, and no process works on it: asking the service may tell more. */
export function isOpenAndIdle({ standing, live, entry }: EntryView): boolean {
  return (standing === 'processing' || standing === 'unresolved') && !live && entry.abandonedAt === null;
}

/**
 * Acquires the lease of what was sent before, and goes on with it.
 * @param prepare the mutation as it is to go on, by the entry as it was leased
 */
export async function resumeRun(
  session: Session,
  id: string,
  prepare: (claimed: EntryView) => Prepared,
  within?: StopSignals,
): Promise<MutationResult> {
  const { ports, ledger, scope, deadline } = session;
  requireSameAccount(await ports.connections.bearer({ signal: deadline.signal }), scope);
  requireNotCancelled(deadline);
  const taken = await ledger.acquire(scope, id);
  switch (taken.acquire) {
    case 'unknown':
      throw unknownHereError(id);
    case 'ended':
      return describeMutation(session, taken.view);
    case 'busy': {
      const seen = await lookUpMutation(session, taken.view, deadline);
      return describeMutation(session, seen.view, seen.observed);
    }
    case 'leased': {
      const { lease, view } = taken;
      return runInBackground(session, { prepared: prepare(view), lease, view }, within);
    }
  }
}

/** The error of a resume of an id that this ledger does not know. */
export function unknownHereError(id: string): MutationError {
  const message =
    "This machine's ledger has no mutation of this id for the connected account. As far back as it goes nothing was sent under it from here, so there is nothing to go on with.";
  const next = nextIn({ is: 'not known here', clientMutationId: id });
  return new MutationError('not_found', message, { clientMutationId: id, next });
}

/** Carries out what is claimed, and answers when that has ended or the call's time has. */
async function runInBackground(
  session: Session,
  claimed: Pick<Run, 'prepared' | 'lease' | 'view'>,
  within?: StopSignals,
): Promise<MutationResult> {
  const { deadline, background, ledger, scope } = session;
  const work = (signals: StopSignals, progress: Run['progress']): Promise<RunEnd> =>
    carryOut({ ...claimed, account: session, signals, progress });
  const result =
    within === undefined
      ? await background.run(session, work)
      : { ended: true as const, value: await work(within, session.progress) };
  if (result.ended) return describeMutation(session, result.value.view, result.value.observed);
  const { clientMutationId } = claimed.prepared.mutation;
  if (deadline.signal.aborted) {
    const message =
      'The call was cancelled, but the request may have left before: what becomes of it is recorded.';
    const next = nextIn({ is: 'call cancelled', clientMutationId });
    throw new MutationError('cancelled', message, { clientMutationId, next });
  }
  return describeMutation(session, (await ledger.read(scope, clientMutationId)) ?? claimed.view);
}

/**
 * Of two calls at the same moment neither may have seen the other before its claim; after it at least one does, and
 * one of them ends here as a conflict.
 * @throws ArtworkError `conflict`, or why the ledger can't be asked; the claim is released then
 */
async function requireNoConflictAfterClaim(
  session: Session,
  mutation: Mutation,
  { lease, view }: Extract<ClaimResult, { readonly claim: 'leased' }>,
): Promise<void> {
  const { ports, ledger, begunAt } = session;
  try {
    await requireNoConflict(session, mutation, { view, begunAt, now: ports.clock.now() });
  } catch (error) {
    // The caller hears of the conflict all the same, and nothing is sent.
    const warn = (failure: unknown) => {
      if (!(failure instanceof ArtworkError)) throw failure;
      ports.log.warn(`Why a mutation was not sent could not be recorded: ${failure.message}`);
    };
    if (error instanceof ArtworkError) await ledger.settle(lease, { outcome: 'not_sent', error }).catch(warn);
    await ledger.release(lease).catch(warn);
    throw error;
  }
}

/** The entry of a mutation as a claim makes it: a process that finds it after a crash has no other source. */
function newEntryOf({ mutation, progress, names, earlier }: Prepared): NewEntry {
  const { clientMutationId, operation, target, intent } = mutation;
  return { clientMutationId, operation, target, names, intent, earlier, progress };
}

/** What is known of a mutation from the start, with what was noticed since. */
function mergeProgress(known: Json, noticed: Json): Json {
  return isRecord(known) && isRecord(noticed) ? { ...known, ...noticed } : noticed;
}
