import { type JsonObject, type SubmissionId, showRequest, submissionId } from '../../catalogue/request.ts';
import { completeSubmission, type SubmissionKind, uploadItem } from '../../catalogue/submission.ts';
import { ArtworkError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { describeMutation, type Observations } from '../answer/describe-mutation.ts';
import { reportPlannedItems } from '../answer/describe-submission.ts';
import { deliverSubmission } from '../batch/deliver-submission.ts';
import { deliverRequest } from '../delivery/deliver-request.ts';
import type { Delivery, DeliveryResult } from '../delivery/delivery.ts';
import { lookUpMutation, type LookupResult, pollUntilEnded } from '../delivery/look-up.ts';
import { readStoredReceipt } from '../finding.ts';
import type { LookupContext, Mutation } from '../mutation.ts';
import type { Names } from '../names.ts';
import { isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import type { ItemPage, MutationResult, PlannedRequest } from '../result.ts';
import type { Session } from '../session.ts';
import { type Checkpoint, declaredBy, type FileItem, fileItems } from '../submission.ts';

/** Where a mutation of one request and a submission of many differ. */
interface CallSteps {
  /** Sends what is claimed, and settles it. */
  deliver(delivery: Delivery): Promise<DeliveryResult>;
  /** What a dry run shows of it. */
  show(mutation: Mutation, names: Names): Shown;
  /** How it stands, after waiting for news as long as the call allows. */
  status(session: Session, view: EntryView, page?: ItemPage): Promise<MutationResult>;
}

type Shown = Pick<MutationResult, 'counts' | 'items' | 'nextItems'> & {
  readonly requests: readonly PlannedRequest[];
};

/** A mutation of one request. */
const requestSteps: CallSteps = {
  deliver: deliverRequest,
  show: (mutation) => ({ requests: [showFirstRequest(mutation)] }),
  status: (session, view) => statusOfRequest(session, view),
};

/** A submission: an admission, the files, the completion. */
const submissionSteps: CallSteps = {
  deliver: deliverSubmission,
  show: (mutation, names) => ({
    ...reportPlannedItems(declaredBy(mutation), names),
    requests: showSubmissionRequests(mutation),
  }),
  status: statusOfSubmission,
};

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
  const declared = declaredBy(mutation);
  const id = submissionId.parse('SUBMISSION-ID');
  return [showFirstRequest(mutation), ...whatFollows(declared.kind, id, fileItems(declared))];
}

/** A mutation's own request, an admission or the only one; of a long list in it the first elements. */
function showFirstRequest(mutation: Mutation): PlannedRequest {
  return shortened(showRequest(mutation.request()));
}

/** The requests that a submission may still lack; before them the service is asked what it has. */
export function showRemainingRequests(
  mutation: Mutation,
  { submissionId: given, mark, open }: Checkpoint,
): PlannedRequest[] {
  if (given === null) return showSubmissionRequests(mutation);
  const declared = declaredBy(mutation);
  const lacking = fileItems(declared).filter((_, item) => item >= mark || open.includes(item));
  return whatFollows(declared.kind, submissionId.parse(given), lacking);
}

function whatFollows(kind: SubmissionKind, id: SubmissionId, files: readonly FileItem[]): PlannedRequest[] {
  const transfers = files.slice(0, transfersShown).map(({ itemId, file: { sha256: _, ...file } }) => {
    return showRequest(uploadItem(kind, id, itemId, file));
  });
  const more = files.length - transfers.length;
  const last = transfers.pop();
  return [
    ...transfers,
    ...(last === undefined ? [] : [more > 0 ? { ...last, leftOut: { transfers: more } } : last]),
    showRequest(completeSubmission(kind, id)),
  ];
}

/** What is left out of the requests need not be left out of what is said before them. */
function shortened(request: PlannedRequest): PlannedRequest {
  const { body } = request;
  const lists = Object.entries(body).flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []));
  const [longest] = lists.sort((one, other) => other.list.length - one.list.length);
  if (longest === undefined) return request;
  const { name: list, list: found } = longest;
  const elements: JsonObject[string][] = [];
  let room = mostShown;
  for (const element of found) {
    room -= JSON.stringify(element).length;
    if (room < 0) break;
    elements.push(element);
  }
  if (elements.length === found.length) return request;
  return {
    ...request,
    body: { ...body, [list]: elements },
    leftOut: { [list]: found.length - elements.length },
  };
}

/** What is settled is told; otherwise the process at work is waited for, or the service is asked again and again. */
async function statusOfRequest(session: Session, view: EntryView): Promise<MutationResult> {
  const { service, ledger, scope } = session;
  if (isSettled(view)) {
    const mutation = view.standing === 'succeeded' ? rehydrateMutation(view.entry) : null;
    const published = await publicationOf(
      ({ owned, call }) => mutation?.publication({ owned, call }),
      session,
    );
    return describeMutation(service, view, published);
  }
  const { view: last, observed, looked } = await awaitNews(session, view);
  if (isSettled(last) || last.live || !looked) return describeMutation(service, last, observed);
  const counted = (await ledger.countLookup(scope, view.entry.clientMutationId)) ?? last;
  return describeMutation(service, counted, observed);
}

interface News extends Pick<LookupResult, 'view' | 'observed'> {
  /** Whether the service was asked and told nothing that ends the matter. */
  readonly looked: boolean;
  /** Asking again in a moment tells no more. */
  readonly final: boolean;
}

async function awaitNews(session: Session, first: EntryView): Promise<News> {
  const { ports, time } = session;
  let news: News | null = null;
  const ask = async (): Promise<News> => {
    const view = news === null ? first : await readAgain(session, news.view);
    news = {
      observed: {},
      looked: false,
      ...news,
      view,
      final: isSettled(view) || view.entry.abandonedAt !== null,
    };
    if (news.final || view.live) return news;
    const { finding, view: seen, observed } = await lookUpMutation(session, view, time.call());
    const final = isSettled(seen) || finding === 'never' || isHopeless(observed.error);
    news = { view: seen, observed, looked: true, final };
    return news;
  };
  const how = { firstMs: 500, longestMs: 8_000, reserveMs: 2_000 };
  return pollUntilEnded(ports, time, ask, ({ final }) => final, how);
}

async function readAgain({ ledger, scope }: Session, view: EntryView): Promise<EntryView> {
  return (await ledger.read(scope, view.entry.clientMutationId)) ?? view;
}

/** Whether asking again in a moment can't help. */
function isHopeless(error: ArtworkError | undefined): boolean {
  switch (error?.category) {
    case undefined:
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
    case 'not_found':
      return false;
    default:
      return true;
  }
}

function isSettled({ standing }: EntryView): boolean {
  return standing !== 'processing' && standing !== 'unresolved';
}

/**
 * How a submission stands. While a process works on it its end is waited for; otherwise one look tells all, since
 * nothing changes before it is resumed.
 */
async function statusOfSubmission(
  session: Session,
  first: EntryView,
  page?: ItemPage,
): Promise<MutationResult> {
  const { ports, service, time } = session;
  let last: EntryView | null = null;
  const ask = async (): Promise<EntryView> => {
    last = last === null ? first : await readAgain(session, last);
    return last;
  };
  const how = { firstMs: 250, longestMs: 2_000, reserveMs: 4_000 };
  const view = await pollUntilEnded(ports, time, ask, ({ live }) => !live || page !== undefined, how);
  if (isSettled(view) || view.entry.abandonedAt !== null) {
    const published =
      page === undefined ? await publicationOf((look) => publicationOfSubmission(view, look), session) : {};
    return describeMutation(service, view, { ...published, page });
  }
  const seen = await lookUpMutation(session, view, time.call());
  return describeMutation(service, seen.view, { ...seen.observed, page });
}

/** It ended before public reads had caught up (States, rule 3). */
async function publicationOfSubmission({ entry }: EntryView, look: Looking): Promise<string | null> {
  const mutation = rehydrateMutation(entry);
  if (mutation === null || readStoredReceipt(entry.receipt)?.publicationStatus !== 'pending') return null;
  const finding = await mutation.find({ ...look, progress: entry.progress });
  return finding.found === 'ended' ? finding.kept.publicationStatus : null;
}

type Looking = Pick<LookupContext, 'owned' | 'call'>;

/** Public reads catch up after a mutation has ended: whether they have by now. */
async function publicationOf(
  read: (look: Looking) => Promise<string | null> | undefined,
  { ports: { owned }, time }: Session,
): Promise<Pick<Observations, 'publicationStatus'>> {
  try {
    return { publicationStatus: await read({ owned, call: time.call() }) };
  } catch (error) {
    // The stored answer stands; this would only have added to it.
    if (error instanceof ArtworkError) return {};
    throw error;
  }
}
