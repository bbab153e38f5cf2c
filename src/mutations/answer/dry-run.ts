import type { Json } from '../../canonical-json.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { type JsonObject, showRequest, submissionId } from '../../catalogue/request.ts';
import { completeSubmission, uploadItem } from '../../catalogue/submission.ts';
import type { MutationBody, MutationItem } from '../../ledger/rows.ts';
import { countOf } from '../../model/words.ts';
import type { Warning } from '../change.ts';
import type { Intended } from '../operations/operation.ts';
import type { Service } from '../ports.ts';
import { countsOf, pageOf, placeOfItem, tellItems } from './items.ts';
import type { MutationResult, PlannedRequest } from './result.ts';
import { inService, labelOfTarget, sentenceOfChange, touchedByChange } from './words.ts';

/** What is known of a change before anything of it is claimed. */
export interface Checked {
  readonly change: Intended;
  readonly names: MutationBody['names'];
  /** What stands there of what it changes. */
  readonly earlier: JsonObject;
  readonly warnings: readonly Warning[];
}

/**
 * The answer to a dry run: what would be made or touched, and the requests that would be sent.
 * @param noticed what `notice` has answered
 */
export function showDryRun(service: Service, checked: Checked, noticed: Json): MutationResult {
  const { change, names, warnings } = checked;
  const { what } = sentenceOfChange(change, names);
  const id = touchedByChange(change, names);
  const asks = warnings.length === 0 ? '' : ' First the person decides what the warnings say.';
  return {
    outcome: 'dry_run',
    clientMutationId: change.id,
    says: inService(`Nothing was sent. The real call would send: ${what}.`, service),
    ...(id === null ? {} : { id }),
    ...itemsOf(change, names),
    ...(warnings.length === 0 ? {} : { warnings }),
    next: {
      why: `Show the person what would be made: it can not be deleted.${asks} Where they agree, the same call without dryRun makes it, under the same id.`,
      doNot: 'make the real call before the person has agreed',
    },
    wouldSend: wordsOf(checked),
    requests: requestsOf(change, noticed),
  };
}

function itemsOf(change: Intended, names: Checked['names']): Pick<MutationResult, 'counts' | 'items'> {
  if (change.by !== 'submission') return {};
  const items = change.items.map(
    (item): MutationItem => ({
      item: item.itemId,
      place: placeOfItem(item),
      digest: item.file?.sha256 ?? null,
      length: item.file?.contentLength ?? null,
      state: 'fresh',
      untouched: null,
      error: null,
    }),
  );
  const { items: all } = tellItems(items, null, false, names, { all: true, from: 0, limit: items.length });
  const planned = all.map((item) => ({ ...item, status: 'pending' }));
  return {
    counts: countsOf(planned),
    items: pageOf(planned, { all: true, from: 0, limit: mostShown }).items,
  };
}

/** Items that a dry run names. */
const mostShown = 200;
/** Things that one sentence names. */
const mostNamed = 20;

/** What would be sent, and what would be put aside, by name. */
function wordsOf({ change, names, earlier }: Checked): string[] {
  const words: string[] = [];
  if (change.by === 'submission') {
    const files = change.items.flatMap(({ file }) => (file === null ? [] : [file]));
    const bytes = files.reduce((sum, { contentLength }) => sum + contentLength, 0);
    words.push(`an admission with ${countOf(change.items.length, 'item')}`);
    if (files.length > 0) words.push(`${countOf(files.length, 'file')}, ${sizeWords(bytes)} in all`);
    words.push('a completion');
    words.push(...replacedWords(change, names));
  } else if (change.file === null) words.push('one request');
  else words.push(`one file, ${change.file.filename}, ${sizeWords(change.file.contentLength)}`);
  const previous = change.intent.previousAssetId;
  if (typeof previous === 'string') words.push(`it takes the place of the Asset ${previous}`);
  const now = Object.entries(earlier).map(
    ([name, value]) => `${name} ${JSON.stringify(value).slice(0, 200)}`,
  );
  if (now.length > 0) words.push(`what stands there now: ${now.join(', ')}`);
  return words;
}

function replacedWords(change: Intended, names: Checked['names']): string[] {
  const { items } = change.intent;
  const replaced = (Array.isArray(items) ? items : []).flatMap((item) => {
    if (!isRecord(item) || item.operation !== 'replace') return [];
    const { targetKind, targetId, slot } = item;
    return typeof targetKind === 'string' && typeof targetId === 'number'
      ? [`${labelOfTarget(names, targetKind, targetId)} (${slot})`]
      : [];
  });
  if (replaced.length === 0) return [];
  const more = replaced.length > mostNamed ? ` and ${replaced.length - mostNamed} more` : '';
  return [`replaced: ${replaced.slice(0, mostNamed).join('; ')}${more}`];
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Of each kind of request one, and how many follow. */
function requestsOf(change: Intended, noticed: Json): PlannedRequest[] {
  if (change.by === 'single') return [withoutLongList(showRequest(change.request(noticed)))];
  const id = submissionId.parse('SUBMISSION-ID');
  const [first, ...more] = change.items.flatMap(({ itemId, file }) =>
    file === null ? [] : [{ itemId, file }],
  );
  const completion = showRequest(completeSubmission(change.kind, id));
  const admission = withoutLongList(showRequest(change.admission()));
  if (first === undefined) return [admission, completion];
  const transfer = showRequest(uploadItem(change.kind, id, first.itemId, first.file));
  const leftOut = more.length > 0 ? { leftOut: { transfers: more.length } } : {};
  return [admission, { ...transfer, ...leftOut }, completion];
}

/** The items of the answer say what differs between elements: the first shows how it is written. */
function withoutLongList(request: PlannedRequest): PlannedRequest {
  const { body } = request;
  const list = Object.entries(body).find(
    (entry): entry is [string, JsonObject[string][]] => Array.isArray(entry[1]) && entry[1].some(isRecord),
  );
  if (list === undefined || list[1].length < 2) return request;
  const [name, elements] = list;
  const shown = { ...body, [name]: elements.slice(0, 1) };
  return { ...request, body: shown, leftOut: { [name]: elements.length - 1 } };
}
