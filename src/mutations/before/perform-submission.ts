import { ArtworkError } from '../../errors.ts';
import { type EntryView, isUnsent } from '../../ledger/ledger.ts';
import { checkTargets, type FoundTargets } from './targets.ts';
import type { Session } from '../account.ts';
import type { TellProgress } from '../caller.ts';
import { releaseOrWarn, sweepBlobsDaily } from '../kept-files.ts';
import type { Prepared } from '../mutation.ts';
import type { PlannedFiles, SubmissionPlan } from '../operations/operation.ts';
import type { MutationResult } from '../result.ts';
import type { StopSignals } from '../run/background.ts';
import { readCheckpoint } from '../submission.ts';
import { findPlannedFiles, gatherFileWarnings, inspectFiles } from './inspect-files.ts';
import { newSubmission, requireRoomForFiles, withoutPlannedFiles } from './keep-files.ts';
import { asNotSentError, performMutation } from './perform.ts';
import type { Preparing } from './preparing.ts';
import { type FileSource, refuseUploadFile } from './upload-files.ts';

/** One call of a submission, whose arguments are sound. */
interface SubmissionCall {
  readonly clientMutationId: string;
  readonly operation: string;
  readonly plan: SubmissionPlan;
  /** Null where nothing was planned before. */
  readonly planned: PlannedFiles | null;
  /** The arguments of the call. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
}

/** Looks at the files, then goes the way of every mutation. */
export async function performSubmission(
  session: Session,
  source: FileSource,
  preparing: Preparing,
  submitted: SubmissionCall,
): Promise<MutationResult> {
  const { operation, clientMutationId, dryRun } = submitted;
  return preparing.perform(
    session,
    { operation, clientMutationId, dryRun, paged: true },
    (untimed, signals) =>
      prepareAndPerform({ ...untimed, progress: onward(untimed.progress) }, source, submitted, signals),
  );
}

async function prepareAndPerform(
  session: Session,
  source: FileSource,
  { plan, planned, given, clientMutationId, dryRun }: SubmissionCall,
  signals: StopSignals,
): Promise<MutationResult> {
  const { ports } = session;
  const known = await session.ledger.read(session.scope, clientMutationId);
  const targets = await requirePlaces(session, plan, clientMutationId, known);
  const wanted = plan.files.map((file, at) => ({ ...file, planned: planned?.files[at] ?? undefined }));
  // A dry run keeps nothing; and what an id stands for already may have to go on without its files.
  const isNew = !dryRun && known === null;
  const found = planned !== null && isNew ? await findPlannedFiles(source, wanted, session) : null;
  const compared = planned === null || found === null ? null : { named: wanted, again: planned.again };
  const keepsFiles = !dryRun && (known === null || isUnsent(known));
  const inspect = async () => {
    if (keepsFiles) await requireRoomForFiles(ports.blobs, source, { plan, clientMutationId }, session);
    return inspectFiles(source, wanted, session);
  };
  const inspected = found === null ? inspect() : Promise.resolve(found);
  const owner = ports.blobs.newOwner();
  const prepared = await inspected.then(
    (files): Prepared => ({
      ...newSubmission(ports.blobs, plan.declare(files), { files, keeper: owner, planned: compared }),
      warnings: [...gatherFileWarnings(files), ...(planned?.warnings ?? [])],
    }),
    (error: unknown) =>
      planned === null
        ? refuseUploadFile(ports, clientMutationId, error)
        : withoutPlannedFiles(ports, plan, planned, { clientMutationId, known }, error),
  );
  if (!dryRun) await sweepBlobsDaily(ports);
  try {
    // What a plan holds is planned again: the plan then sees what stands in its places.
    const call = planned === null ? { given, targets } : { targets };
    return await performMutation(session, { ...prepared, ...call }, dryRun, signals);
  } finally {
    if (!dryRun) await releaseUnused(session, clientMutationId, owner);
  }
}

/** What was sent under this id before is looked up, whatever the catalogue says of its places by now. */
async function requirePlaces(
  { ports, deadline }: Session,
  { places, entry }: SubmissionPlan,
  clientMutationId: string,
  known: EntryView | null,
): Promise<FoundTargets | undefined> {
  if (known !== null && !isUnsent(known)) return undefined;
  try {
    return await checkTargets(ports.catalogue, places, entry, deadline);
  } catch (error) {
    if (error instanceof ArtworkError) throw asNotSentError(error, clientMutationId);
    throw error;
  }
}

/** Looking at files and keeping them comes before sending them; what is told of it all only grows. */
function onward(tell: TellProgress): TellProgress {
  let before = 0;
  return (done, total, message) => {
    if (total !== null) tell(before + done, before + total, message);
    else if (done > before) {
      before = done;
      tell(done, null, message);
    }
  };
}

/** Frees what was kept for a claim that was not made. */
async function releaseUnused(session: Session, clientMutationId: string, owner: string): Promise<void> {
  const { ports, ledger, scope } = session;
  try {
    const view = await ledger.read(scope, clientMutationId);
    if (view !== null && readCheckpoint(view.entry.progress)?.keeper === owner) {
      // A submission that lost a conflict is not resumed from these files.
      const lost = view.standing === 'not_sent' && view.entry.error?.category === 'conflict';
      if (lost) await releaseUnderLease(session, clientMutationId, owner);
      return;
    }
  } catch (error) {
    // Whether they are needed can't be told now: a later sweep can.
    if (error instanceof ArtworkError) return;
    throw error;
  }
  await releaseOrWarn(ports.blobs.release(owner), ports.log);
}

/**
 * Another process may resume the submission at any moment, but not while this one holds the lease. If this process is
 * stopped between acquiring the lease and freeing the files, a process that claims the submission later finds that
 * they are gone before it sends anything.
 */
async function releaseUnderLease(
  { ports: { blobs, log }, ledger, scope }: Session,
  clientMutationId: string,
  owner: string,
): Promise<void> {
  const taken = await ledger.acquire(scope, clientMutationId);
  if (taken.acquire !== 'leased') return;
  const { state, doubt, progress } = taken.view.entry;
  const unsent = state === 'claimed' && !doubt && readCheckpoint(progress)?.keeper === owner;
  if (unsent) await releaseOrWarn(blobs.release(owner), log);
  await ledger.release(taken.lease);
}
