import { isRecord } from '../../catalogue/records/members.ts';
import { type JsonObject, type SubmissionId, showRequest, submissionId } from '../../catalogue/request.ts';
import { completeSubmission, type SubmissionKind, uploadItem } from '../../catalogue/submission.ts';
import type { Next } from '../../errors.ts';
import type { Warning } from '../finding.ts';
import type { Mutation, Prepared, SubmissionOfFiles } from '../mutation.ts';
import { namedTarget, nameOfService } from '../names.ts';
import type { Service } from '../ports.ts';
import type { ItemPage, MutationResult, PlannedRequest } from '../result.ts';
import { type Checkpoint, type FileItem, fileItems } from '../submission.ts';
import { earlierOf } from './describe-mutation.ts';
import { reportPlannedItems } from './items.ts';
import { touchedBy } from './touched.ts';

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

/** The question that a person decides before anything is sent, by the code of its warning. Other warnings ask nothing. */
const questions: ReadonlyMap<string, string> = new Map([
  ['same_set', 'is a second Set of the same files wanted?'],
  ['earlier_set', 'one more Set of this work, or edit_set of the one that is there?'],
  ['unfinished_set', 'one more Set, or resume_mutation of the one that is not finished?'],
  ['same_bytes', 'is the same picture meant more than once?'],
  ['uploaded_before', 'is a second Asset of the same bytes wanted?'],
  ['too_large', 'try it, although the service may refuse so large a file?'],
  [
    'unusual_ratio',
    'is this picture right for its slot? The service judges the shape itself, and may refuse it',
  ],
  ['name_says_other', 'is the target right, or the file?'],
  ['small', 'is so small a picture good enough?'],
  ['no_transparency', 'is it meant without transparency?'],
  ['animated', 'is an animated picture meant?'],
  ['rotated', 'is it meant turned, as some programs will show it?'],
  ['cut_short', 'is the file whole enough?'],
  ['blank', 'is a picture with nothing on it meant?'],
  ['not_decoded', 'is it the right picture? It was not looked at here'],
  ['left_out', 'are these files to be left out?'],
  ['displaced', 'are these files to be left out?'],
  ['removes_members', 'are these Sets to leave the group?'],
]);

/** Nothing can be deleted, so no call follows a dry run by itself: first what its warnings ask, then a person's word. */
function nextAfterDryRun(warnings: readonly Warning[]): Next {
  const asked = new Set(warnings.map(({ code }) => code));
  const open = [...questions].flatMap(([code, question]) =>
    asked.has(code) ? [`${code} (${question})`] : [],
  );
  const agreed = 'Where they agree, the same call without dryRun makes it, under the same id.';
  if (open.length === 0) return { why: `Show the person what would be made. ${agreed}` };
  return {
    why: `First the person decides what the warnings ask: ${open.join('; ')}. Show them what would be made. ${agreed}`,
    doNot: 'make it before the person has decided that',
  };
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
  mutation: SubmissionOfFiles,
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
