import { requireScopesOfAll } from '../../catalogue/scopes.ts';
import type { Bearer } from '../../connections/grant.ts';
import { ArtworkError, type ErrorCategory, type Next } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AccountScope } from '../../ledger/scope.ts';
import type { EntryView } from '../../ledger/standing.ts';
import { type Principal, currentPrincipal, requireSameAccount } from '../principal.ts';
import { answer, nameOfService } from '../answer/answer.ts';
import { nextStatus } from '../next-calls.ts';
import type { Background, BackgroundResult, StopSignals } from '../delivery/background.ts';
import type { CallClock } from '../call-clock.ts';
import { deliver } from '../delivery/deliver.ts';
import { objected, objectionsTo } from '../before-claim/objections.ts';
import { warningsOfObjections } from '../checks/objection.ts';
import { compareRevisions, readableGuards, recordsOf } from '../before-claim/revisions.ts';
import type { DeliveryResult, Delivery } from '../delivery/delivery.ts';
import { replayAnswer } from './replay.ts';
import { mergeProgress } from '../checks/foreign-id.ts';
import { MutationError } from '../mutation-error.ts';
import { namedTarget, namesOf, readNames, withSeen } from '../names.ts';
import { newEntryOf, type Outgoing } from '../before-claim/outgoing.ts';
import { requireNoConflict } from '../before-claim/conflicts.ts';
import type { MutationPorts, Service } from '../ports.ts';
import type { MutationResult } from '../result.ts';
import { isSameIntent, isUnsent, reused } from '../before-claim/same-intent.ts';
import { requireNoConflictAfterClaim } from '../delivery/conflicts-after-claim.ts';
import { deliverSubmission } from '../batch/deliver-submission.ts';
import { reportPlanned } from '../answer/items.ts';
import { showFirst, showSubmission } from '../batch/show-submission.ts';
import { toBeTouchedBy } from '../touched.ts';

/** What carries a call out. */
export interface MutationDependencies {
  readonly ports: MutationPorts;
  readonly background: Background;
}

/**
 * The one path of every mutation: what is known of the id, the scopes, the revisions, the claim; then it is
 * sent and settled, if need be after the call has answered. Whatever stops it before the claim leaves no
 * trace. Takes the file over.
 */
export async function perform(
  dependencies: MutationDependencies,
  outgoing: Outgoing,
  time: CallClock,
  dryRun: boolean,
  within?: StopSignals,
): Promise<MutationResult> {
  const { ports } = dependencies;
  const { mutation } = outgoing;
  let sending = false;
  try {
    const service = await ports.service();
    const principal = await currentPrincipal(ports);
    const { scope } = principal;
    const ledger = await ports.ledger();
    const known = await ledger.read(scope, mutation.clientMutationId);
    if (known !== null && !isSameIntent(known, mutation)) throw reused(known);
    if (known !== null && !isUnsent(known))
      return await replayAnswer(ports, service, ledger, scope, known, time);

    let ready: Ready;
    try {
      const guarded = await guard(ports, ledger, principal, outgoing, time, {
        dryRun,
        idIsTaken: known !== null,
      });
      if (dryRun) return dryRunResult(await withNames(ports, guarded, time), service);
      ready = await makeReady(ports, scope, guarded, time);
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      // Somebody else may have sent this very mutation meanwhile, which then is what stands in its way.
      const now = await ledger.read(scope, mutation.clientMutationId);
      if (now === null || isUnsent(now) || !isSameIntent(now, mutation))
        throw notSent(error, mutation.clientMutationId);
      return await replayAnswer(ports, service, ledger, scope, now, time);
    }
    const claiming = await ledger.claim(scope, newEntryOf(ready.outgoing));
    if (claiming.claim === 'reused') throw reused(claiming.view);
    if (claiming.claim === 'known') {
      return await replayAnswer(ports, service, ledger, scope, claiming.view, time);
    }
    await requireNoConflictAfterClaim(ports, { ledger, scope, mutation, claiming, begunAt: time.begunAt });
    const { lease, view } = claiming;
    sending = true;
    const delivery = { ...ready, scope, ledger, lease, repeated: false };
    return await sendInBackground(dependencies, service, time, delivery, view, within);
  } finally {
    if (!sending) await outgoing.close();
  }
}

/**
 * Sends what is claimed, and answers when that has ended or the call's time has. `within`: all of it is in the
 * background already.
 */
export async function sendInBackground(
  { ports, background }: MutationDependencies,
  service: Service,
  time: CallClock,
  delivery: Omit<Delivery, 'signals' | 'progress'>,
  claimed: EntryView,
  within?: StopSignals,
): Promise<MutationResult> {
  const { outgoing, scope, ledger } = delivery;
  let waiting = true;
  const progress: Delivery['progress'] = (...told) => {
    if (waiting) time.progress(...told);
  };
  const carry = outgoing.mutation.declared === undefined ? deliver : deliverSubmission;
  const work = async (signals: StopSignals): Promise<DeliveryResult> => {
    try {
      return await carry(ports, { ...delivery, signals, progress });
    } finally {
      await outgoing.close();
    }
  };
  const running: Promise<BackgroundResult<DeliveryResult>> =
    within === undefined
      ? background.run(time, work)
      : work(within).then((value) => ({ ended: true, value }));
  const detached = await running.finally(() => {
    waiting = false;
  });
  if (detached.ended) return answer(service, detached.value.view, detached.value.observed);
  const { clientMutationId } = outgoing.mutation;
  if (time.signal.aborted) {
    throw new MutationError(
      'cancelled',
      'The call was cancelled, but the request may have left before: what becomes of it is recorded.',
      {
        clientMutationId,
        next: nextStatus(clientMutationId, 'This tells what became of it.'),
      },
    );
  }
  return answer(service, (await ledger.read(scope, clientMutationId)) ?? claimed);
}

/** Scopes, place, revisions and what else the service shows: all that is looked at before anything is claimed. */
async function guard(
  ports: MutationPorts,
  ledger: Ledger,
  { scope, account }: Principal,
  outgoing: Outgoing,
  time: CallClock,
  how: { readonly dryRun: boolean; readonly idIsTaken: boolean },
): Promise<Outgoing> {
  const { mutation } = outgoing;
  const guards = readableGuards(mutation.guards, account.scopes);
  requireScopesOfAll(
    [mutation, ...guards].map((one) => one.needed),
    account.scopes,
  );
  const warnings = await requireNoConflict(ledger, scope, mutation);
  for (const { message } of warnings) time.progress(0, null, message);
  const seen = await compareRevisions(guards, ports.owned, time.call(), ports.catalogue);
  const looking = { records: recordsOf(seen), scopes: account.scopes, call: time.call() };
  const objections = await objectionsTo(ports, outgoing, looking);
  const certain = objections.filter(({ doubtful }) => doubtful !== true);
  if (certain.length > 0) throw objected(outgoing, certain, how);
  // Throws for a revision that can't be sent.
  mutation.request();
  // Of a submission each item has its target's name.
  const own = mutation.declared === undefined ? seen : seen.filter(({ kind }) => kind !== 'asset');
  const names = withSeen(namesOf(mutation.intent, ports.catalogue), own);
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
async function makeReady(
  { connections, owned }: MutationPorts,
  scope: AccountScope,
  outgoing: Outgoing,
  time: CallClock,
): Promise<Ready> {
  const bearer = await connections.bearer({ signal: time.signal });
  requireSameAccount(bearer, scope);
  const noticed = await (outgoing.prepare?.(time) ?? outgoing.mutation.prepare?.(owned, time.call()));
  time.check();
  const progress = noticed === undefined ? outgoing.progress : mergeProgress(outgoing.progress, noticed);
  return { bearer, outgoing: { ...outgoing, progress } };
}

/** A dry run may read for its names what a mutation itself reads nothing of. */
async function withNames(
  { catalogue }: MutationPorts,
  outgoing: Outgoing,
  time: CallClock,
): Promise<Outgoing> {
  const read = await readNames(outgoing.mutation.intent, catalogue, time.call());
  return { ...outgoing, names: { ...read, ...outgoing.names } };
}

export function dryRunResult({ mutation, warnings, names = {} }: Outgoing, service: Service): MutationResult {
  const { clientMutationId, operation, target, declared } = mutation;
  const id = toBeTouchedBy({ clientMutationId, operation, target, names });
  const { counts, ...items } = declared === undefined ? {} : reportPlanned(declared, names);
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
    requests: declared === undefined ? [showFirst(mutation)] : showSubmission(mutation),
  };
}

function afterFailedGuard(category: ErrorCategory): Next | undefined {
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
export function notSent(error: ArtworkError, clientMutationId: string): MutationError {
  if (error instanceof MutationError) return error;
  const { category, message, code, status, details, issues } = error;
  const next = error.next ?? afterFailedGuard(category);
  const facts = { code, status, details, issues, next, cause: error };
  return new MutationError(category, message, { ...facts, clientMutationId, outcome: 'not_sent' });
}
