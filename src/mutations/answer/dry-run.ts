import type { Json } from '../../canonical-json.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { type JsonObject, type ShownRequest, showRequest, submissionId } from '../../catalogue/request.ts';
import { completeSubmission, uploadItem } from '../../catalogue/submission.ts';
import { countOf } from '../../model/words.ts';
import type { Warning } from '../change.ts';
import type { Intended } from '../operations/operation.ts';
import type { Service } from '../ports.ts';
import { known, type MutationResult } from './result.ts';
import { inService, labelOfTarget, type Names, sentenceOf, touchedBy, wordedChange } from './words.ts';

/** What is known of a change before anything of it is claimed. */
export interface Checked {
  readonly change: Intended;
  readonly names: Names;
  /** What stands there of what it changes. */
  readonly earlier: JsonObject;
  readonly warnings: readonly Warning[];
}

/** The code of a warning that the real call is refused until a person has answered. */
export const openQuestions = 'open_questions';

/**
 * The answer to a dry run: what would be made or touched, and the requests that would be sent.
 * @param noticed what `notice` has answered
 */
export function showDryRun(service: Service, checked: Checked, noticed: Json): MutationResult {
  const { change, names, warnings } = checked;
  const worded = wordedChange(change, names);
  const { what, done } = sentenceOf(worded);
  const asks = warnings.some(({ code }) => code === openQuestions);
  const answers = asks ? 'Ask the person what the warning asks first, and add the answers. ' : '';
  return {
    outcome: 'dry_run',
    clientMutationId: change.id,
    says: inService(`Nothing was sent. ${what} ${done.replace(/^was /, 'would be ')}.`, service),
    ...known({ id: touchedBy(worded), warnings: warnings.length === 0 ? null : warnings }),
    next: {
      why: `${answers}Show the person what would be done. If they agree, make the same call without dryRun, with the same id.`,
      doNot: 'make the real call before the person has agreed',
    },
    wouldSend: wordsOf(checked),
    requests: requestsOf(change, noticed),
  };
}

/** Things that one sentence names. */
const mostNamed = 20;

/** What would be sent, and by name what would be replaced or taken out. */
function wordsOf({ change, names }: Checked): string[] {
  const { previousAssetId, items, removeSetIds } = change.intent;
  const replaced = listOf(items).flatMap((item) => {
    if (!isRecord(item) || item.operation !== 'replace') return [];
    return [`${labelOfTarget(names, String(item.targetKind), String(item.targetId))} (${item.slot})`];
  });
  const takenOut = listOf(removeSetIds).map((id) => labelOfTarget(names, 'set', String(id)));
  return [
    ...sentWords(change),
    ...named('replaced', typeof previousAssetId === 'string' ? [`asset ${previousAssetId}`] : replaced),
    ...named('taken out', takenOut),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function named(how: string, things: readonly string[]): string[] {
  const more = things.length > mostNamed ? ` and ${things.length - mostNamed} more` : '';
  return things.length === 0 ? [] : [`${how}: ${things.slice(0, mostNamed).join('; ')}${more}`];
}

function sentWords(change: Intended): string[] {
  if (change.by === 'single') {
    if (change.file === null) return ['one request'];
    return [`one file, ${change.file.filename}, ${sizeWords(change.file.contentLength)}`];
  }
  const files = change.items.flatMap(({ file }) => file ?? []);
  const bytes = files.reduce((sum, { contentLength }) => sum + contentLength, 0);
  const sent = files.length === 0 ? [] : [`${countOf(files.length, 'file')}, ${sizeWords(bytes)} in all`];
  return [`the list of ${countOf(change.items.length, 'item')}`, ...sent];
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Of each kind of request one; of a long list in a body its first element, which shows how all are written. */
function requestsOf(change: Intended, noticed: Json): ShownRequest[] {
  if (change.by === 'single') return [withoutLongList(showRequest(change.request(noticed)))];
  const id = submissionId.parse('SUBMISSION-ID');
  const transfers = change.items.flatMap(({ itemId, file }) =>
    file === null ? [] : [uploadItem(change.kind, id, itemId, file)],
  );
  return [
    withoutLongList(showRequest(change.admission())),
    ...transfers.slice(0, 1).map(showRequest),
    showRequest(completeSubmission(change.kind, id)),
  ];
}

function withoutLongList(request: ShownRequest): ShownRequest {
  const shortened = Object.entries(request.body).map(([name, value]) =>
    Array.isArray(value) && value.some(isRecord) ? [name, value.slice(0, 1)] : [name, value],
  );
  return { ...request, body: Object.fromEntries(shortened) };
}
