import { type JsonObject, type SubmissionId, showRequest, submissionId } from '../../catalogue/request.ts';
import { completeSubmission, type SubmissionKind, uploadItem } from '../../catalogue/submission.ts';
import type { Mutation, Prepared } from '../mutation.ts';
import { namedTarget, nameOfService } from '../names.ts';
import type { Service } from '../ports.ts';
import type { MutationResult, PlannedRequest } from '../result.ts';
import { type Checkpoint, type Declared, type FileItem, fileItems } from '../submission.ts';
import { earlierOf, touchedBy } from './describe-mutation.ts';
import { reportPlannedItems } from './items.ts';
import { nextAfterDryRun } from './next-after-dry-run.ts';

/** The answer to a dry run: what would be made or touched, and the requests that would be sent. */
export function showDryRun(
  service: Service,
  { mutation, warnings, names = {}, earlier }: Prepared,
): MutationResult {
  const { clientMutationId, operation, target } = mutation;
  const id = touchedBy({ clientMutationId, operation, target, names });
  const { counts, ...items } =
    mutation.by === 'submission' ? reportPlannedItems(mutation.declared, names, earlier) : {};
  return {
    outcome: 'dry_run',
    clientMutationId,
    operation,
    service: nameOfService(service),
    ...(id === null ? {} : { id }),
    target: namedTarget(target, names),
    ...earlierOf(earlier),
    ...(counts === undefined ? {} : { counts }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...items,
    next: nextAfterDryRun(warnings),
    requests: showRequests(mutation),
  };
}

/** Characters of JSON that the list of a request may take of an answer. */
const mostShown = 5_000;
/** Transfers are all alike. */
const transfersShown = 3;

/** The requests of a mutation as they would be sent; of long lists the first elements, and how many follow. */
function showRequests(mutation: Mutation): PlannedRequest[] {
  const first = shortened(showRequest(mutation.request()));
  if (mutation.by !== 'submission') return [first];
  const id = submissionId.parse('SUBMISSION-ID');
  return [first, ...whatFollows(mutation.declared.kind, id, fileItems(mutation.declared))];
}

/** The requests that a submission may still lack; before them the service is asked what it has. */
export function showRemainingRequests(
  mutation: Mutation & { readonly declared: Declared },
  { submissionId: given, mark, open }: Checkpoint,
): PlannedRequest[] {
  if (given === null) return showRequests(mutation);
  const { declared } = mutation;
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
