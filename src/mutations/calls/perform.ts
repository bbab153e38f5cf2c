import type { Json } from '../../canonical-json.ts';
import { requireScopesOfAll } from '../../catalogue/authorization.ts';
import type { Bearer } from '../../connections/grant.ts';
import { ArtworkError, type ErrorCategory, type Next } from '../../errors.ts';
import { type EntryView, isUnsent } from '../../ledger/ledger.ts';
import { describeMutation, toBeTouchedBy } from '../answer/describe-mutation.ts';
import { nextStatus } from '../answer/next.ts';
import { nextAfterDryRun } from '../answer/next-after-dry-run.ts';
import {
  compareRevisions,
  findObjections,
  objectionsError,
  revisionsByGuard,
  selectReadableGuards,
  warningsOfObjections,
} from '../before-claim/compare-with-service.ts';
import { idReusedError, isSameIntent, requireNoConflict } from '../before-claim/conflicts.ts';
import { requireNotMadeBefore } from '../before-claim/made-before.ts';
import { findUploadedBefore } from '../before-claim/uploaded-before.ts';
import {
  type Delivery,
  type DeliveryResult,
  newEntryOf,
  requireNoConflictAfterClaim,
} from '../delivery/delivery.ts';
import { lookUpMutation } from '../delivery/look-up.ts';
import type { Outgoing } from '../mutation.ts';
import { namedTarget, nameOfService, namesOf, readNames, withOwnNames } from '../names.ts';
import { MutationError, type MutationResult } from '../result.ts';
import { type BackgroundResult, requireSameAccount, type Session, type StopSignals } from '../session.ts';
import { callStepsOf } from './call-steps.ts';

/**
 * The one path of every mutation: what is known of the id, the scopes, the revisions, the claim; then it is
 * sent and settled, if need be after the call has answered. What stops it before the claim leaves no trace. Closes
 * the outgoing file, whatever happens.
 * @param within the work is in the background already, with these signals
 */
export async function performMutation(
  session: Session,
  outgoing: Outgoing,
  dryRun: boolean,
  within?: StopSignals,
): Promise<MutationResult> {
  const { ports, ledger, scope, time } = session;
  const { mutation } = outgoing;
  const { clientMutationId } = mutation;
  let sending = false;
  try {
    const known = await ledger.read(scope, clientMutationId);
    if (known !== null && !isSameIntent(known, mutation)) throw idReusedError(known);
    if (known !== null && !isUnsent(known)) return await replayAnswer(session, known);

    let ready: Ready;
    try {
      const checked = await check(session, outgoing, { dryRun, idIsTaken: known !== null });
      if (dryRun) return showDryRun(session, await withNames(session, checked));
      ready = await makeReady(session, checked);
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      // Another process may have sent this very mutation meanwhile: its effect is what the checks then object to.
      const now = await ledger.read(scope, clientMutationId);
      if (now === null || isUnsent(now) || !isSameIntent(now, mutation))
        throw asNotSentError(error, clientMutationId);
      return await replayAnswer(session, now);
    }
    const claiming = await ledger.claim(scope, newEntryOf(ready.outgoing));
    if (claiming.claim === 'reused') throw idReusedError(claiming.view);
    if (claiming.claim === 'known') return await replayAnswer(session, claiming.view);
    await requireNoConflictAfterClaim(session, { mutation, claiming, begunAt: time.begunAt });
    sending = true;
    const delivery = { ...ready, ports, scope, ledger, lease: claiming.lease, repeated: false };
    return await sendInBackground(session, delivery, claiming.view, within);
  } finally {
    if (!sending) await outgoing.close();
  }
}

/** Scopes, conflicts, revisions and what else the service shows: all that is looked at before anything is claimed. */
async function check(
  session: Session,
  outgoing: Outgoing,
  how: { readonly dryRun: boolean; readonly idIsTaken: boolean },
): Promise<Outgoing> {
  const { ports, account, time } = session;
  const { mutation } = outgoing;
  const guards = selectReadableGuards(mutation.guards, account.scopes);
  requireScopesOfAll(
    [mutation, ...guards].map((one) => one.needed),
    account.scopes,
  );
  await requireNotMadeBefore(session, mutation);
  const others = await requireNoConflict(session, mutation);
  const sameSet = others.some(({ code }) => code === 'same_set');
  const warnings = [...others, ...(sameSet ? [] : await findUploadedBefore(session, mutation))];
  for (const { message } of warnings) time.progress(0, null, message);
  const seen = await compareRevisions(guards, ports.owned, time.call(), ports.catalogue);
  const looking = { records: revisionsByGuard(seen), scopes: account.scopes, call: time.call() };
  const objections = await findObjections(ports, outgoing, looking);
  const certain = objections.filter(({ doubtful }) => doubtful !== true);
  if (certain.length > 0) throw objectionsError(outgoing, certain, how);
  // Throws for a revision that can't be sent.
  mutation.request();
  // Of a submission each item has its target's name.
  const own = mutation.declared === undefined ? seen : seen.filter(({ kind }) => kind !== 'asset');
  const names = withOwnNames(namesOf(mutation.intent, ports.catalogue), own);
  return {
    ...outgoing,
    names,
    warnings: [...outgoing.warnings, ...warnings, ...warningsOfObjections(objections)],
  };
}

interface Ready {
  readonly bearer: Bearer;
  readonly outgoing: Outgoing;
}

/** The access token, and what is to be known before it is sent. */
async function makeReady({ ports, scope, time }: Session, outgoing: Outgoing): Promise<Ready> {
  const { connections, owned } = ports;
  const bearer = await connections.bearer({ signal: time.signal });
  requireSameAccount(bearer, scope);
  const noticed = await (outgoing.prepare?.(time) ?? outgoing.mutation.prepare(owned, time.call()));
  time.check();
  const progress = noticed === undefined ? outgoing.progress : mergeProgress(outgoing.progress, noticed);
  return { bearer, outgoing: { ...outgoing, progress } };
}

/** A dry run may read for its names what a mutation itself reads nothing of. */
async function withNames({ ports, time }: Session, outgoing: Outgoing): Promise<Outgoing> {
  const read = await readNames(outgoing.mutation.intent, ports.catalogue, time.call());
  return { ...outgoing, names: { ...read, ...outgoing.names } };
}

function afterFailedCheck(category: ErrorCategory): Next | undefined {
  switch (category) {
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
      return {
        why: 'Nothing was sent or claimed. Once the service can be read again, the same call may be made with the same id; a person should see to that.',
      };
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
  if (!isOpenAndIdle(known)) return describeMutation(session.service, known);
  const { view, observed } = await lookUpMutation(session, known, session.time.call());
  return describeMutation(session.service, view, observed);
}

/** Its outcome is not settled, and no process works on it: asking the service may tell more. */
export function isOpenAndIdle({ standing, live, entry }: EntryView): boolean {
  return (standing === 'processing' || standing === 'unresolved') && !live && entry.abandonedAt === null;
}

/**
 * Sends what is claimed, and answers when that has ended or the call's time has.
 * @param within the work is in the background already, with these signals
 */
export async function sendInBackground(
  { service, time, background }: Session,
  delivery: Omit<Delivery, 'signals' | 'progress'>,
  claimed: EntryView,
  within?: StopSignals,
): Promise<MutationResult> {
  const { outgoing, scope, ledger } = delivery;
  const { mutation } = outgoing;
  const work = async (signals: StopSignals, progress: Delivery['progress']): Promise<DeliveryResult> => {
    try {
      return await callStepsOf(mutation).deliver({ ...delivery, signals, progress });
    } finally {
      await outgoing.close();
    }
  };
  const result: BackgroundResult<DeliveryResult> =
    within === undefined
      ? await background.run(time, work)
      : { ended: true, value: await work(within, time.progress) };
  if (result.ended) return describeMutation(service, result.value.view, result.value.observed);
  const { clientMutationId } = mutation;
  if (time.signal.aborted) {
    const message =
      'The call was cancelled, but the request may have left before: what becomes of it is recorded.';
    const next = nextStatus(clientMutationId, 'This tells what became of it.');
    throw new MutationError('cancelled', message, { clientMutationId, next });
  }
  return describeMutation(service, (await ledger.read(scope, clientMutationId)) ?? claimed);
}

/** The answer to a dry run: what would be made or touched, and the requests that would be sent. */
export function showDryRun(
  { service }: Pick<Session, 'service'>,
  { mutation, warnings, names = {} }: Outgoing,
): MutationResult {
  const { clientMutationId, operation, target } = mutation;
  const id = toBeTouchedBy({ clientMutationId, operation, target, names });
  const { counts, requests, ...items } = callStepsOf(mutation).show(mutation, names);
  return {
    outcome: 'dry_run',
    clientMutationId,
    operation,
    service: nameOfService(service),
    ...(id === null ? {} : { id }),
    target: namedTarget(target, names),
    ...(counts === undefined ? {} : { counts }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...items,
    next: nextAfterDryRun(warnings),
    requests,
  };
}

/** What is known of a mutation from the start, with what was noticed since. */
function mergeProgress(known: Json, noticed: Json): Json {
  return isMembers(known) && isMembers(noticed) ? { ...known, ...noticed } : noticed;
}

function isMembers(json: Json): json is { readonly [member: string]: Json | undefined } {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
