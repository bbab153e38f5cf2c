import { isRecord } from '../../catalogue/records/members.ts';
import { type JsonObject, type SubmissionId, showRequest, submissionId } from '../../catalogue/request.ts';
import { completeSubmission, type SubmissionKind, uploadItem } from '../../catalogue/submission.ts';
import type { Mutation, Prepared } from '../mutation.ts';
import { namedTarget, nameOfService } from '../names.ts';
import type { Service } from '../ports.ts';
import type { ItemPage, MutationResult, PlannedRequest } from '../result.ts';
import { type Checkpoint, type Declared, type FileItem, fileItems } from '../submission.ts';
import { earlierOf, touchedBy } from './describe-mutation.ts';
import { reportPlannedItems } from './items.ts';
import { nextAfterDryRun } from './next-after-dry-run.ts';

/** The answer to a dry run: what would be made or touched, and the requests that would be sent. */
export function showDryRun(service: Service, prepared: Prepared): MutationResult {
  const { mutation, warnings, names = {}, earlier } = prepared;
  const { clientMutationId, operation, target } = mutation;
  const id = touchedBy({ clientMutationId, operation, target, names });
  const of = {
    outcome: 'dry_run' as const,
    clientMutationId,
    operation,
    service: nameOfService(service),
    ...(id === null ? {} : { id }),
    target: namedTarget(target, names),
  };
  const requests = showRequests(mutation);
  const next = nextAfterDryRun(warnings);
  const before = earlierOf(earlier);
  const warned = warnings.length === 0 ? {} : { warnings };
  if (mutation.by !== 'submission') return { ...of, ...before, ...warned, next, requests };
  const report = (page: ItemPage) => reportPlannedItems(mutation.declared, names, earlier, page);
  const { counts, ...items } = report({ after: null, limit: 200 });
  const result = { ...of, ...before, counts, ...warned, ...items, next, requests };
  furtherPages.set(result, (page) => ({ ...of, ...report(page), next }));
  return result;
}

/** Nothing is written down of a dry run: its items are kept as long as this process remembers what it answered. */
const furtherPages = new WeakMap<MutationResult, (page: ItemPage) => MutationResult>();

/** A page of the items of a dry run's answer; null for every other answer. */
export function pageOfDryRun(result: MutationResult, page: ItemPage): MutationResult | null {
  return furtherPages.get(result)?.(page) ?? null;
}

/** The requests of a mutation as they would be sent: of each kind one, and how many follow. */
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
  const [first, ...more] = files;
  const completion = showRequest(completeSubmission(kind, id));
  if (first === undefined) return [completion];
  const { sha256: _, ...file } = first.file;
  const transfer = showRequest(uploadItem(kind, id, first.itemId, file));
  return [more.length > 0 ? { ...transfer, leftOut: { transfers: more.length } } : transfer, completion];
}

/** The items above say all that differs between elements of a kind: of each the first one shows how it is written. */
function shortened(request: PlannedRequest): PlannedRequest {
  const { body } = request;
  const lists = Object.entries(body).flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []));
  const [longest] = lists.sort((one, other) => other.list.length - one.list.length);
  if (longest === undefined || longest.list.every((element) => !isRecord(element))) return request;
  const { name, list } = longest;
  const kinds = new Map<unknown, JsonObject[string]>();
  for (const element of list) {
    const kind = isRecord(element) ? element.operation : null;
    if (!kinds.has(kind)) kinds.set(kind, element);
  }
  if (kinds.size === list.length) return request;
  return {
    ...request,
    body: { ...body, [name]: [...kinds.values()] },
    leftOut: { [name]: list.length - kinds.size },
  };
}
