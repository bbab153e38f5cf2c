import { requireScopes } from '../../catalogue/authorization.ts';
import type { ArtworkError } from '../../errors.ts';
import { type EntryView, isUnsent } from '../../ledger/ledger.ts';
import { requireOwnEntry, type Session } from '../account.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { showDryRun, showRemainingRequests } from '../answer/dry-run.ts';
import { reportItems } from '../answer/items.ts';
import { mayGoOn } from '../answer/situation.ts';
import { nextIn } from '../answer/table.ts';
import { requireAllBlobs } from '../kept-files.ts';
import type { Mutation, Prepared } from '../mutation.ts';
import { type Guarded, rehydrateMutation } from '../operations/find-operation.ts';
import { MutationError, type MutationResult } from '../result.ts';
import type { StopSignals } from '../run/background.ts';
import { lookUpMutation } from '../run/look-up.ts';
import { type Checkpoint, fileItems, readCheckpoint } from '../submission.ts';
import { storedSubmission } from './keep-files.ts';
import { isOpenAndIdle, performMutation, resumeRun, unknownHereError } from './perform.ts';
import { compareRevisionsBeforeRepeat } from './revisions.ts';
import type { Preparing } from './preparing.ts';
import { type FileSource, reopenUpload, withoutFile } from './upload-files.ts';

/** An entry of the ledger, and the mutation that it stands for. */
interface Resumed {
  readonly view: EntryView;
  readonly mutation: Mutation;
}

/**
 * Goes on with a mutation under its first identity: what was not sent is sent as if for the first time, a run that was
 * left goes on from its journal, and what only the service can tell is looked up.
 */
export async function resumeById(
  session: Session,
  { clientMutationId: id, expectedUpdatedAt, dryRun = false }: Guarded,
  source: FileSource,
  preparing: Preparing,
): Promise<MutationResult> {
  const { ledger, scope } = session;
  const view = await ledger.read(scope, id);
  if (view === null) throw unknownHereError(id);
  requireOwnEntry(view, scope);
  const mutation = rehydrateMutation(view.entry);
  if (mutation === null) return describeMutation(session, view);
  if (expectedUpdatedAt !== mutation.expectedUpdatedAt) throw otherRevision(id, expectedUpdatedAt, mutation);
  const resumed = { view, mutation };
  // Only an upload reads its file anew, which may take longer than the call.
  if (mutation.by !== 'upload') return resumeMutation(session, source, resumed, dryRun);
  const begun = { clientMutationId: id, operation: mutation.operation, dryRun, paged: false };
  return preparing.perform(session, begun, (untimed, signals) =>
    resumeMutation(untimed, source, resumed, dryRun, signals),
  );
}

async function resumeMutation(
  session: Session,
  source: FileSource,
  resumed: Resumed,
  dryRun: boolean,
  within?: StopSignals,
): Promise<MutationResult> {
  const { scope } = session;
  const { view, mutation } = resumed;
  const { clientMutationId: id } = mutation;
  if (isUnsent(view)) return performMutation(session, await reopen(session, source, resumed), dryRun, within);
  if (!isOpenAndIdle(view)) return describeMutation(session, view);
  if (!mayGoOn({ view, mutation, scope }, 'resume')) return lookOnly(session, view);
  if (dryRun) return showResume(session, resumed);
  requireScopes(mutation.needed, session.account.scopes);
  if (mutation.by === 'submission') {
    // What the holder before has recorded since is known once this process holds the lease.
    return resumeRun(session, id, (claimed) => openSubmission(mutation, claimed), within);
  }
  const prepared = await reopen(session, source, resumed);
  return resumeRun(session, id, ({ entry }) => ({ ...prepared, names: entry.names }), within).finally(() =>
    prepared.file?.close(),
  );
}

/** A mutation with its bytes again. */
async function reopen(session: Session, source: FileSource, { mutation, view }: Resumed): Promise<Prepared> {
  const { ports } = session;
  switch (mutation.by) {
    case 'request':
      return withoutFile(mutation);
    case 'upload':
      return reopenUpload(source, mutation, view.entry, session);
    case 'submission': {
      const { clientMutationId, declared } = mutation;
      const checkpoint = readCheckpoint(view.entry.progress);
      await requireAllBlobs(ports.blobs, clientMutationId, fileItems(declared), checkpoint);
      return storedSubmission(ports.blobs, mutation, checkpointOf(view));
    }
  }
}

async function lookOnly(session: Session, view: EntryView): Promise<MutationResult> {
  const { ledger, scope, deadline } = session;
  const seen = await lookUpMutation(session, view, deadline);
  const counted =
    seen.finding === 'ended' ? null : await ledger.countLookup(scope, view.entry.clientMutationId);
  return describeMutation(session, counted ?? seen.view, seen.observed);
}

/** What a resume would send. */
async function showResume(session: Session, { mutation, view }: Resumed): Promise<MutationResult> {
  const { ports, account, deadline, service } = session;
  if (mutation.by === 'submission') {
    const items = reportItems(mutation.declared, view, [], { after: null, limit: 25 });
    const requests = showRemainingRequests(mutation, checkpointOf(view));
    return { ...showDryRun(service, openSubmission(mutation, view)), ...items, requests };
  }
  const seen = await lookUpMutation(session, view, deadline);
  if (seen.finding !== 'absent') return describeMutation(session, seen.view, seen.observed);
  requireScopes(mutation.needed, account.scopes);
  const moved = await compareRevisionsBeforeRepeat(mutation, ports.owned, account.scopes, deadline);
  if (moved !== null) throw notRepeated(mutation.clientMutationId, moved);
  return showDryRun(service, { ...withoutFile(mutation), names: view.entry.names });
}

function openSubmission(mutation: Mutation, view: EntryView): Prepared {
  return { ...withoutFile(mutation), progress: checkpointOf(view), names: view.entry.names };
}

function checkpointOf({ entry }: EntryView): Checkpoint {
  const checkpoint = readCheckpoint(entry.progress);
  if (checkpoint !== null) return checkpoint;
  const message = "The journal of this submission can't be read.";
  throw new MutationError('internal', message, {
    clientMutationId: entry.clientMutationId,
    next: nextIn({ is: 'journal unreadable' }),
  });
}

function notRepeated(clientMutationId: string, error: ArtworkError): MutationError {
  const { category, code, status, message, details } = error;
  const next = category === 'stale_revision' ? nextIn({ is: 'revision moved', message }) : error.next;
  return new MutationError(category, message, { code, status, details, next, clientMutationId });
}

function otherRevision(
  clientMutationId: string,
  expectedUpdatedAt: string | null,
  mutation: Mutation,
): MutationError {
  const { expectedUpdatedAt: first } = mutation;
  const message = 'expectedUpdatedAt is not that of the first call, which is what a resume goes on with.';
  return new MutationError('stale_revision', message, {
    clientMutationId,
    details: { expectedUpdatedAt, firstExpectedUpdatedAt: first },
    next: nextIn({ is: 'resumed with another revision', clientMutationId, expectedUpdatedAt: first }),
  });
}
