import { requireScopes } from '../../catalogue/authorization.ts';
import type { ArtworkError } from '../../errors.ts';
import { type EntryView, isUnsent } from '../../ledger/ledger.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { reportItems } from '../answer/describe-submission.ts';
import { firstIdentity, mayBeSentAgain, nextForMovedRevision, nextStatus } from '../answer/next.ts';
import { requireAllBlobs } from '../batch/blob-files.ts';
import { openSubmissionOutgoing, storedSubmissionOutgoing } from '../batch/outgoing.ts';
import { compareRevisionsBeforeRepeat } from '../before-claim/compare-with-service.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { type LookupResult, lookUpMutation } from '../delivery/look-up.ts';
import type { Mutation, Outgoing } from '../mutation.ts';
import { type Guarded, rehydrateMutation } from '../operations/find-operation.ts';
import { MutationError, type MutationResult } from '../result.ts';
import { requireSameAccount, type Session } from '../session.ts';
import { type Checkpoint, declaredBy, readCheckpoint } from '../submission.ts';
import { type FileSource, jsonOutgoing, reopenUploadOutgoing } from '../upload-files.ts';
import { showRemainingRequests } from './call-steps.ts';
import { isOpenAndIdle, performMutation, sendInBackground, showDryRun } from './perform.ts';

/** An entry of the ledger, and the mutation that it stands for. */
interface Resumed {
  readonly view: EntryView;
  readonly mutation: Mutation;
}

/**
 * Goes on with a mutation under its first identity: what was not sent is sent as if for the first time; an
 * upload that the service goes on knowing nothing of is sent again, which it applies once, unless the revision that
 * guards it has moved; a submission goes on from its checkpoint; anything else that is not settled is looked up.
 */
export async function resumeById(
  session: Session,
  { clientMutationId: id, expectedUpdatedAt, dryRun = false }: Guarded,
  source: FileSource,
): Promise<MutationResult> {
  const { service, ledger, scope } = session;
  const view = await ledger.read(scope, id);
  if (view === null) throw unknownHere(id);
  const mutation = rehydrateMutation(view.entry);
  if (mutation === null) return describeMutation(service, view);
  if (expectedUpdatedAt !== mutation.expectedUpdatedAt) throw otherRevision(id, expectedUpdatedAt, mutation);
  const resumed = { view, mutation };
  if (isUnsent(view)) return performMutation(session, await reopen(session, source, resumed), dryRun);
  if (!isOpenAndIdle(view)) return describeMutation(service, view);
  return mutation.declared === undefined
    ? resumeRequest(session, source, resumed, dryRun)
    : resumeSubmission(session, resumed, dryRun);
}

/** A mutation with its bytes again. */
async function reopen(
  { ports, time }: Session,
  source: FileSource,
  { mutation, view }: Resumed,
): Promise<Outgoing> {
  switch (mutation.strategy) {
    case 'request':
      return jsonOutgoing(mutation);
    case 'upload':
      return reopenUploadOutgoing(source, mutation, view.entry, time);
    case 'batch':
      await requireAllBlobs(ports.blobs, mutation, readCheckpoint(view.entry.progress));
      return storedSubmissionOutgoing(ports.blobs, mutation, checkpointOf(view));
  }
}

/** Where the service's word is enough it is the answer; what it still knows nothing of may be sent again. */
async function resumeRequest(
  session: Session,
  source: FileSource,
  resumed: Resumed,
  dryRun: boolean,
): Promise<MutationResult> {
  const { ports, service, ledger, scope, account, time } = session;
  const { mutation, view } = resumed;
  const { clientMutationId } = mutation;
  const seen = await lookTwice(session, view);
  if (seen.finding !== 'absent' || !mayBeSentAgain(mutation, view.entry)) {
    const counted = seen.finding === 'ended' ? null : await ledger.countLookup(scope, clientMutationId);
    return describeMutation(service, counted ?? seen.view, seen.observed);
  }
  requireScopes(mutation.needed, account.scopes);
  const outgoing = await reopen(session, source, resumed);
  let sending = false;
  try {
    if (dryRun) {
      const moved = await compareRevisionsBeforeRepeat(mutation, ports.owned, account.scopes, time.call());
      if (moved !== null) throw notRepeated(clientMutationId, moved);
      return showDryRun(session, { ...outgoing, names: view.entry.names });
    }
    return await leaseAndSend(session, clientMutationId, () => {
      sending = true;
      return { outgoing, repeated: true };
    });
  } finally {
    if (!sending) await outgoing.close();
  }
}

/** A lookup that says 404 once may only have been early: the service is asked again after so many ms. */
const secondLookMs = 2_000;

async function lookTwice(session: Session, view: EntryView): Promise<LookupResult> {
  const { ports, time } = session;
  const first = await lookUpMutation(session, view, time.call());
  if (first.finding !== 'absent') return first;
  await ports.clock.sleep(secondLookMs, time.signal);
  time.check();
  return lookUpMutation(session, view, time.call());
}

/**
 * A submission goes on from what the ledger and the blobs hold: where the admission's answer was lost the identical one
 * is sent; else the service is asked what it lacks.
 */
async function resumeSubmission(
  session: Session,
  { mutation, view }: Resumed,
  dryRun: boolean,
): Promise<MutationResult> {
  if (!dryRun) requireScopes(mutation.needed, session.account.scopes);
  const outgoing = openOutgoing(mutation, view);
  if (dryRun) {
    const items = reportItems(declaredBy(mutation), view, [], { after: null, limit: 25 });
    const requests = showRemainingRequests(mutation, checkpointOf(view));
    return { ...showDryRun(session, outgoing), ...items, requests };
  }
  // What the holder before has recorded since is known once this process holds the lease.
  return leaseAndSend(session, mutation.clientMutationId, (claimed) => ({
    outgoing: openOutgoing(mutation, claimed),
    repeated: claimed.entry.doubt,
  }));
}

function openOutgoing(mutation: Mutation, view: EntryView): Outgoing {
  return { ...openSubmissionOutgoing(mutation, checkpointOf(view)), names: view.entry.names };
}

function checkpointOf({ entry }: EntryView): Checkpoint {
  const checkpoint = readCheckpoint(entry.progress);
  if (checkpoint !== null) return checkpoint;
  const message = 'The checkpoint of this submission was written by a newer version.';
  throw new MutationError('internal', message, {
    clientMutationId: entry.clientMutationId,
    next: { why: 'A person has to update artwork-mcp; then resume_mutation goes on with it.' },
  });
}

/**
 * Acquires the lease of what was sent before, and goes on with it.
 * @param deliveryOf what is sent, of the entry as it was leased
 */
async function leaseAndSend(
  session: Session,
  id: string,
  deliveryOf: (claimed: EntryView) => Pick<Delivery, 'outgoing' | 'repeated'>,
): Promise<MutationResult> {
  const { ports, service, ledger, scope, time } = session;
  const bearer = await ports.connections.bearer({ signal: time.signal });
  requireSameAccount(bearer, scope);
  time.check();
  const taken = await ledger.acquire(scope, id);
  if (taken.acquire === 'unknown') throw unknownHere(id);
  if (taken.acquire === 'ended') return describeMutation(service, taken.view);
  if (taken.acquire === 'busy') {
    const seen = await lookUpMutation(session, taken.view, time.call());
    return describeMutation(service, seen.view, seen.observed);
  }
  const { lease, view } = taken;
  return sendInBackground(session, { ports, ledger, scope, lease, bearer, ...deliveryOf(view) }, view);
}

function notRepeated(clientMutationId: string, error: ArtworkError): MutationError {
  const { category, code, status, message, details } = error;
  const next = category === 'stale_revision' ? nextForMovedRevision(message) : error.next;
  return new MutationError(category, message, { code, status, details, next, clientMutationId });
}

function unknownHere(id: string): MutationError {
  const message =
    "This machine's ledger has no mutation of this id for the connected account. As far back as it goes nothing was sent under it from here, so there is nothing to go on with.";
  const next = {
    ...nextStatus(
      id,
      'It may be an upload of another machine: this asks the service for it. Where the service knows none either, and the call was made here, the same call with the same id begins it again.',
    ),
    doNot: firstIdentity,
  };
  return new MutationError('not_found', message, { clientMutationId: id, next });
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
    next: {
      tool: 'resume_mutation',
      arguments: { clientMutationId, expectedUpdatedAt: first },
      why: 'With the revision of the first call it goes on.',
    },
  });
}
