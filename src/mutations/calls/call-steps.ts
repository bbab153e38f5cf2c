import type { ArtworkError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { mayBeSentAgain } from '../answer/next.ts';
import { reportItems, reportPlannedItems } from '../answer/report-items.ts';
import { deliverSubmission } from '../batch/deliver-submission.ts';
import { openSubmissionOutgoing, storedSubmissionOutgoing } from '../batch/outgoing.ts';
import { requireAllBlobs } from '../batch/require-blobs.ts';
import { showFirstRequest, showRemainingRequests, showSubmissionRequests } from '../batch/show-submission.ts';
import { jsonOutgoing, type Outgoing } from '../before-claim/outgoing.ts';
import { compareRevisionsBeforeRepeat } from '../before-claim/revisions.ts';
import { type Checkpoint, readCheckpoint } from '../checkpoint.ts';
import { declaredBy } from '../declared.ts';
import { deliverRequest } from '../delivery/deliver-request.ts';
import type { Delivery, DeliveryResult } from '../delivery/delivery.ts';
import { lookUpMutation, type LookupResult } from '../delivery/look-up.ts';
import { reopenUploadOutgoing } from '../delivery/open-upload.ts';
import type { FileSource } from '../file-source.ts';
import { MutationError } from '../mutation-error.ts';
import type { Mutation } from '../mutation.ts';
import type { Names } from '../names.ts';
import { nextForMovedRevision } from '../next-calls.ts';
import { isSubmission } from '../operations/find-operation.ts';
import type { ItemPage, MutationResult, PlannedRequest } from '../result.ts';
import type { Session } from '../session.ts';
import { statusOfRequest } from './status-of-request.ts';
import { statusOfSubmission } from './status-of-submission.ts';

/** Where a mutation of one request and a submission of many differ. */
export interface CallSteps {
  /** Sends what is claimed, and settles it. */
  deliver(delivery: Delivery): Promise<DeliveryResult>;
  /** What a dry run shows of it. */
  show(mutation: Mutation, names: Names): Shown & { readonly requests: readonly PlannedRequest[] };
  /** How it stands, after waiting for news as long as the call allows. */
  status(session: Session, view: EntryView, page?: ItemPage): Promise<MutationResult>;
  readonly resume: ResumeSteps;
}

type Shown = Pick<MutationResult, 'counts' | 'items' | 'nextItems'>;

/** How a mutation is resumed. Rejections are ArtworkErrors. */
export interface ResumeSteps {
  /** What nothing was sent of, with its bytes again. */
  reopen(session: Session, source: FileSource, resumed: Resumed): Promise<Outgoing>;
  /** The answer where the service's word comes first and is enough; null: it may be resumed. */
  lookFirst(session: Session, resumed: Resumed): Promise<MutationResult | null>;
  /** What is resumed after it was sent. */
  reopenSent(session: Session, source: FileSource, resumed: Resumed): Promise<Outgoing>;
  /** The same once this process holds the lease: what the holder before has recorded since is known now. */
  afterLease(outgoing: Outgoing, resumed: Resumed): Outgoing;
  /** What a dry run of the resume shows otherwise than one of the mutation. */
  show(session: Session, resumed: Resumed): Promise<Shown & Pick<MutationResult, 'requests'>>;
  /** Whether a request of it may have been applied. @param claimed the entry as it was leased */
  isRepeated(claimed: EntryView): boolean;
}

/** An entry of the ledger, and the mutation that it stands for. */
export interface Resumed {
  readonly view: EntryView;
  readonly mutation: Mutation;
}

/** A lookup that says 404 once may only have been early: the service is asked again after so many ms. */
const secondLookMs = 2_000;

const reopen: ResumeSteps['reopen'] = async ({ time }, source, { mutation, view }) =>
  mutation.strategy === 'upload'
    ? reopenUploadOutgoing(source, mutation, view.entry, time)
    : jsonOutgoing(mutation);

/** A mutation of one request. */
const requestSteps: CallSteps = {
  deliver: deliverRequest,
  show: (mutation) => ({ requests: [showFirstRequest(mutation)] }),
  status: (session, view) => statusOfRequest(session, view),
  resume: {
    reopen,
    reopenSent: reopen,
    afterLease: (outgoing) => outgoing,
    async lookFirst(session, resumed) {
      const { service, ledger, scope } = session;
      const { mutation, view } = resumed;
      const seen = await lookTwice(session, resumed);
      if (seen.finding === 'absent' && mayBeSentAgain(mutation, view.entry)) return null;
      const counted =
        seen.finding === 'ended' ? null : await ledger.countLookup(scope, mutation.clientMutationId);
      return describeMutation(service, counted ?? seen.view, seen.observed);
    },
    async show({ ports, account, time }, { mutation }) {
      const moved = await compareRevisionsBeforeRepeat(mutation, ports.owned, account.scopes, time.call());
      if (moved !== null) throw notRepeated(mutation.clientMutationId, moved);
      return {};
    },
    isRepeated: () => true,
  },
};

async function lookTwice(session: Session, { view }: Resumed): Promise<LookupResult> {
  const { ports, time } = session;
  const first = await lookUpMutation(session, view, time.call());
  if (first.finding !== 'absent') return first;
  await ports.clock.sleep(secondLookMs, time.signal);
  time.check();
  return lookUpMutation(session, view, time.call());
}

function notRepeated(clientMutationId: string, error: ArtworkError): MutationError {
  const { category, code, status, message, details } = error;
  const next = category === 'stale_revision' ? nextForMovedRevision(message) : error.next;
  return new MutationError(category, message, { code, status, details, next, clientMutationId });
}

/**
 * A submission: an admission, the files, the completion. It is resumed from what the ledger and the blobs hold: what
 * nothing was sent of is sent as if for the first time; where the admission's answer was lost the identical one is
 * sent; else the service is asked what it lacks.
 */
const submissionSteps: CallSteps = {
  deliver: deliverSubmission,
  show: (mutation, names) => ({
    ...reportPlannedItems(declaredBy(mutation), names),
    requests: showSubmissionRequests(mutation),
  }),
  status: statusOfSubmission,
  resume: {
    async reopen({ ports }, _, { mutation, view }) {
      await requireAllBlobs(ports.blobs, mutation, readCheckpoint(view.entry.progress));
      return storedSubmissionOutgoing(ports.blobs, mutation, checkpointOf(view));
    },
    // What the service lacks it is asked for once the lease is held.
    lookFirst: async () => null,
    reopenSent: async (_, __, resumed) => openOutgoing(resumed),
    afterLease: (_, resumed) => openOutgoing(resumed),
    async show(_, { mutation, view }) {
      const items = reportItems(declaredBy(mutation), view, [], { after: null, limit: 25 });
      return { ...items, requests: showRemainingRequests(mutation, checkpointOf(view)) };
    },
    isRepeated: ({ entry }) => entry.doubt,
  },
};

function openOutgoing({ mutation, view }: Resumed) {
  return { ...openSubmissionOutgoing(mutation, checkpointOf(view)), names: view.entry.names };
}

function checkpointOf({ entry }: EntryView): Checkpoint {
  const checkpoint = readCheckpoint(entry.progress);
  if (checkpoint !== null) return checkpoint;
  const { clientMutationId } = entry;
  throw new MutationError('internal', 'The checkpoint of this submission was written by a newer version.', {
    clientMutationId,
    next: { why: 'A person has to update artwork-mcp; then resume_mutation goes on with it.' },
  });
}

/** The steps of a mutation, or of what an entry of the ledger stands for; an unknown operation is told as it is kept. */
export function callStepsOf(named: Pick<LedgerEntry, 'operation'>): CallSteps {
  return isSubmission(named) ? submissionSteps : requestSteps;
}
