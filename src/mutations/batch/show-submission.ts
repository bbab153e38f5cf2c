import { completeSubmission, uploadItem } from '../../catalogue/requests/submission.ts';
import type { SubmissionKind } from '../../catalogue/records/submission.ts';
import { submissionId, type SubmissionId } from '../../catalogue/requests/fields.ts';
import { type MutationRequest, showRequest } from '../../catalogue/requests/request.ts';
import type { Json } from '../../canonical-json.ts';
import { asJson } from '../json.ts';
import type { Mutation } from '../mutation.ts';
import type { PlannedRequest } from '../result.ts';
import { fileItems, type FileItem } from '../declared.ts';
import type { Checkpoint } from '../checkpoint.ts';

/** Characters of JSON that the list of a request may take of an answer. */
const mostShown = 5_000;
/** Transfers are all alike. */
const transfersShown = 3;

/** The requests of a submission as they would be sent; of long lists the first elements, and how many follow. */
export function showSubmissionRequests(mutation: Mutation): PlannedRequest[] {
  const { declared } = mutation;
  if (declared === undefined) throw new TypeError(`${mutation.operation} is no submission.`);
  const id = submissionId.parse('SUBMISSION-ID');
  return [showFirstRequest(mutation), ...whatFollows(declared.kind, id, fileItems(declared))];
}

/** A mutation's own request, an admission or the only one; of a long list in it the first elements. */
export function showFirstRequest(mutation: Mutation): PlannedRequest {
  return shortened(shown(mutation.request()));
}

/** The requests that a submission may still lack; before them the service is asked what it has. */
export function showRemainingRequests(
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
