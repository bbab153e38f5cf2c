import type { Json } from '../../canonical-json.ts';
import {
  type MutationRequest,
  type SubmissionId,
  showRequest,
  submissionId,
} from '../../catalogue/request.ts';
import { completeSubmission, type SubmissionKind, uploadItem } from '../../catalogue/submission.ts';
import type { ArtworkError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { reportItems, reportPlannedItems } from '../answer/describe-submission.ts';
import { mayBeSentAgain, nextForMovedRevision } from '../answer/next.ts';
import { requireAllBlobs } from '../batch/blob-files.ts';
import { deliverSubmission } from '../batch/deliver-submission.ts';
import { openSubmissionOutgoing, storedSubmissionOutgoing } from '../batch/outgoing.ts';
import { compareRevisionsBeforeRepeat } from '../before-claim/compare-with-service.ts';
import { deliverRequest } from '../delivery/deliver-request.ts';
import type { Delivery, DeliveryResult } from '../delivery/delivery.ts';
import { type LookupResult, lookUpMutation } from '../delivery/look-up.ts';
import { reopenUploadOutgoing } from '../delivery/send.ts';
import { asJson } from '../finding.ts';
import { jsonOutgoing, type Mutation, type Outgoing } from '../mutation.ts';
import type { Names } from '../names.ts';
import { isSubmission } from '../operations/find-operation.ts';
import { type ItemPage, MutationError, type MutationResult, type PlannedRequest } from '../result.ts';
import type { Session } from '../session.ts';
import { type Checkpoint, declaredBy, type FileItem, fileItems, readCheckpoint } from '../submission.ts';
import type { FileSource } from '../upload-files.ts';
import { statusOfRequest, statusOfSubmission } from './status-of-known.ts';

/** Where a mutation of one request and a submission of many differ. */
interface CallSteps {
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
interface ResumeSteps {
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
interface Resumed {
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

/** Characters of JSON that the list of a request may take of an answer. */
const mostShown = 5_000;
/** Transfers are all alike. */
const transfersShown = 3;

/** The requests of a submission as they would be sent; of long lists the first elements, and how many follow. */
function showSubmissionRequests(mutation: Mutation): PlannedRequest[] {
  const { declared } = mutation;
  if (declared === undefined) throw new TypeError(`${mutation.operation} is no submission.`);
  const id = submissionId.parse('SUBMISSION-ID');
  return [showFirstRequest(mutation), ...whatFollows(declared.kind, id, fileItems(declared))];
}

/** A mutation's own request, an admission or the only one; of a long list in it the first elements. */
function showFirstRequest(mutation: Mutation): PlannedRequest {
  return shortened(shown(mutation.request()));
}

/** The requests that a submission may still lack; before them the service is asked what it has. */
function showRemainingRequests(
  mutation: Mutation,
  { submissionId: given, mark, open }: Checkpoint,
): PlannedRequest[] {
  const { declared } = mutation;
  if (declared === undefined || given === null) return showSubmissionRequests(mutation);
  const lacking = fileItems(declared).filter((_, item) => item >= mark || open.includes(item));
  return whatFollows(declared.kind, submissionId.parse(given), lacking);
}

function whatFollows(kind: SubmissionKind, id: SubmissionId, files: readonly FileItem[]): PlannedRequest[] {
  const transfers = files.slice(0, transfersShown).map(({ itemId, file: { sha256: _, ...file } }) => {
    return shown(uploadItem(kind, id, itemId, file));
  });
  const more = files.length - transfers.length;
  const last = transfers.pop();
  return [
    ...transfers,
    ...(last === undefined ? [] : [more > 0 ? { ...last, leftOut: { transfers: more } } : last]),
    shown(completeSubmission(kind, id)),
  ];
}

function shown(request: MutationRequest): PlannedRequest {
  const { body, ...rest } = showRequest(request);
  return { ...rest, body: asJson(body) };
}

/** What is left out of the requests need not be left out of what is said before them. */
function shortened(request: PlannedRequest): PlannedRequest {
  const { body } = request;
  const whole = body instanceof Object && !Array.isArray(body) ? Object.entries(body) : [];
  const lists = whole.flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []));
  const [longest] = lists.sort((one, other) => other.list.length - one.list.length);
  if (longest === undefined) return request;
  const { name: list, list: found } = longest;
  const elements: Json[] = [];
  let room = mostShown;
  for (const element of found) {
    room -= JSON.stringify(element).length;
    if (room < 0) break;
    elements.push(element);
  }
  if (elements.length === found.length) return request;
  const short = Object.fromEntries(whole.map(([name, value]) => [name, name === list ? elements : value]));
  return { ...request, body: short, leftOut: { [list]: found.length - elements.length } };
}
