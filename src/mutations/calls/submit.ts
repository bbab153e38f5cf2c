import { clientMutationId as idOfMutation } from '../../catalogue/requests/fields.ts';
import { ArtworkError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AccountScope } from '../../ledger/scope.ts';
import { currentPrincipal } from '../principal.ts';
import { answer } from '../answer/answer.ts';
import { nextStatus } from '../next-calls.ts';
import type { StopSignals } from '../delivery/background.ts';
import { type CallClock, callCancelled } from '../call-clock.ts';
import { MutationError } from '../mutation-error.ts';
import { checked } from '../operations/checked.ts';
import { type MutationDependencies, notSent, perform } from './perform.ts';
import type { OperationName } from '../operation-names.ts';
import type { MutationPorts } from '../ports.ts';
import type { MutationResult } from '../result.ts';
import { refuseFile } from '../delivery/upload.ts';
import { isUnsent } from '../before-claim/same-intent.ts';
import { checkPlaces, type FoundTargets } from '../checks/targets.ts';
import { inspectFiles } from '../batch/inspect-files.ts';
import type { SubmissionPlan, PlannedFiles } from '../operations/submission-plan.ts';
import { readCheckpoint } from '../checkpoint.ts';
import { newSubmissionOutgoing } from '../batch/outgoing.ts';
import { withoutPlannedFiles } from '../batch/planned-files.ts';
import type { Prepared, Preparing } from './preparing.ts';
import { freed } from '../delivery/release-blobs.ts';
import { sweepOnce } from '../batch/sweep.ts';
import type { FileSource } from '../file-source.ts';

/** What carries submissions out. */
export interface SubmissionDependencies extends MutationDependencies {
  readonly source: FileSource;
  readonly preparing: Preparing;
  /** Null where nothing was planned before. */
  readonly planned: PlannedFiles | null;
}

/** A request that the preparation makes of the service is not waited for any longer, ms. */
const requestMs = 45_000;
/** No call lasts so long, and a timer can still be set for it. ms */
const dayMs = 24 * 60 * 60_000;

/**
 * Looks at the files, then goes the way of every mutation. All of it goes on after the call has answered: large
 * files take longer to read than a host waits.
 */
export async function submit(
  dependencies: SubmissionDependencies,
  operation: OperationName,
  name: (given: object) => SubmissionPlan,
  args: { readonly clientMutationId: string; readonly dryRun?: boolean | undefined },
  time: CallClock,
): Promise<MutationResult> {
  const { ports, background, preparing } = dependencies;
  const { dryRun, ...given } = args;
  const named = name(given);
  const clientMutationId = checked(idOfMutation, args.clientMutationId);
  const prepared: Prepared = { clientMutationId, operation, service: await ports.service() };
  let waiting = true;
  const told = onward((...progress) => {
    if (waiting) time.progress(...progress);
  });
  const work = (signals: StopSignals): Promise<MutationResult> => {
    const working = prepareAndPerform(
      dependencies,
      named,
      given,
      clientMutationId,
      dryRun === true,
      signals,
      untimed(signals, time, told),
    );
    preparing.begin(prepared, working);
    return working;
  };
  const detached = await background.run(time, work).finally(() => {
    waiting = false;
  });
  if (detached.ended) return detached.value;
  const view = await (await ports.ledger()).read((await currentPrincipal(ports)).scope, clientMutationId);
  if (time.signal.aborted) {
    throw new MutationError('cancelled', 'The call was cancelled; what was sent before is recorded.', {
      clientMutationId,
      ...(view === null ? { outcome: 'not_sent' as const } : {}),
      ...(view === null ? {} : { next: nextStatus(clientMutationId, 'This tells how it stands.') }),
    });
  }
  return view === null ? preparing.underWay(prepared) : answer(prepared.service, view);
}

async function prepareAndPerform(
  dependencies: SubmissionDependencies,
  named: SubmissionPlan,
  given: Readonly<Record<string, unknown>>,
  clientMutationId: string,
  dryRun: boolean,
  signals: StopSignals,
  time: CallClock,
): Promise<MutationResult> {
  const { ports, source, planned } = dependencies;
  const targets = await requirePlaces(ports, named, clientMutationId, time);
  const wanted = named.files.map((file, at) => ({ ...file, planned: planned?.files[at] ?? undefined }));
  const looking = inspectFiles(source, wanted, time);
  const owner = ports.blobs.newOwner();
  const outgoing = await looking.then(
    ({ files, warnings }) => {
      const told = [...warnings, ...(planned?.warnings ?? [])];
      const toKeep = { files, warnings: told, roots: source.roots, keeper: owner };
      return newSubmissionOutgoing(ports.blobs, named.declare(files), toKeep);
    },
    (error: unknown) =>
      planned === null
        ? refuseFile(ports, clientMutationId, error)
        : withoutPlannedFiles(ports, named, planned, clientMutationId, error),
  );
  if (!dryRun) await sweepOnce(ports);
  try {
    // What a plan holds is planned again: the plan then sees what is in the way.
    const known = planned === null ? { given, targets } : { targets };
    return await perform(dependencies, { ...outgoing, ...known }, time, dryRun, signals);
  } finally {
    if (!dryRun) await releaseUnused(ports, clientMutationId, owner);
  }
}

/** What was sent under this id before is looked up, whatever the catalogue says of its places by now. */
async function requirePlaces(
  ports: MutationPorts,
  { places, entry }: SubmissionPlan,
  clientMutationId: string,
  time: CallClock,
): Promise<FoundTargets | undefined> {
  const { scope } = await currentPrincipal(ports);
  const known = await (await ports.ledger()).read(scope, clientMutationId);
  if (known !== null && !isUnsent(known)) return undefined;
  try {
    return await checkPlaces(ports.catalogue, places, entry, time.call());
  } catch (error) {
    if (error instanceof ArtworkError) throw notSent(error, clientMutationId);
    throw error;
  }
}

/** Looking at files and keeping them comes before sending them; what is told of it all only grows. */
function onward(tell: CallClock['progress']): CallClock['progress'] {
  let before = 0;
  return (done, total, message) => {
    if (total !== null) tell(before + done, before + total, message);
    else if (done > before) {
      before = done;
      tell(done, null, message);
    }
  };
}

/** The time of a call that has answered: only giving it up ends it. */
function untimed(
  { cancelled: signal }: StopSignals,
  { begunAt }: CallClock,
  progress: CallClock['progress'],
): CallClock {
  return {
    signal,
    begunAt,
    left: () => dayMs,
    call: () => ({ signal, deadlineMs: requestMs }),
    check: () => {
      if (signal.aborted) throw callCancelled();
    },
    progress,
  };
}

/** What was kept for a claim that was not made. */
async function releaseUnused(ports: MutationPorts, clientMutationId: string, owner: string): Promise<void> {
  const { blobs: kept, log } = ports;
  try {
    const { scope } = await currentPrincipal(ports);
    const ledger = await ports.ledger();
    const view = await ledger.read(scope, clientMutationId);
    if (view !== null && readCheckpoint(view.entry.progress)?.keeper === owner) {
      // What has given way is not gone on with from here.
      const gaveWay = view.standing === 'not_sent' && view.entry.error?.category === 'conflict';
      if (gaveWay) await releaseHeld(ports, ledger, scope, clientMutationId, owner);
      return;
    }
  } catch (error) {
    // Whether it is needed can't be told now: a later sweep can.
    if (error instanceof ArtworkError) return;
    throw error;
  }
  await freed(kept.release(owner), log);
}

/**
 * Somebody else may go on with it at any moment: nobody does while it is held. That this process is stopped for long
 * between holding and freeing can't be excluded; whoever claims it then looks whether all is still kept.
 */
async function releaseHeld(
  { blobs: kept, log }: MutationPorts,
  ledger: Ledger,
  scope: AccountScope,
  clientMutationId: string,
  owner: string,
): Promise<void> {
  const taken = await ledger.acquire(scope, clientMutationId);
  if (taken.acquire !== 'leased') return;
  const { state, doubt, progress } = taken.view.entry;
  const unsent = state === 'claimed' && !doubt && readCheckpoint(progress)?.keeper === owner;
  if (unsent) await freed(kept.release(owner), log);
  await ledger.release(taken.lease);
}
