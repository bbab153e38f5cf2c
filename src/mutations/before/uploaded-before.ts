import type { EntryView } from '../../ledger/ledger.ts';
import { type SavedFile, savedFilesOf, setIn, touchedBy, wordsOfTouched } from '../answer/touched.ts';
import type { Warning } from '../finding.ts';
import type { Mutation } from '../mutation.ts';
import { isSubmission } from '../operations/find-operation.ts';
import type { AccountLedger } from '../account.ts';
import { sentFilesOf, uploading } from './keywords.ts';

const mostNamed = 3;
/** Of a file that was sent alone, so many Sets that had it are looked at: in some of them it may have failed. */
const mostSets = 20;
/** The store answers no more at once. */
const mostEntries = 1_000;

/**
 * Which files were sent before, to the same target and slot: those of a submission by themselves or with another one,
 * and one that is sent by itself with a submission. The Asset that has their bytes is there already, and nothing can
 * take the second one away. A service may still want both.
 */
export async function findUploadedBefore(
  { ledger, scope }: Pick<AccountLedger, 'ledger' | 'scope'>,
  mutation: Mutation,
): Promise<readonly Warning[]> {
  const files = sentFilesOf(mutation);
  if (files.length === 0) return [];
  const isAlone = mutation.by === 'upload';
  const most = isAlone ? mostSets : mostEntries;
  const views = await ledger.findDone(scope, files.map(uploading), most);
  const before = new Map<string, { readonly view: EntryView; readonly saved: SavedFile }>();
  for (const view of views) {
    // One that was sent alone, and is sent alone again, is told of as that.
    if (isAlone && !isSubmission(view.entry)) continue;
    for (const saved of savedFilesOf(view)) {
      const keyword = uploading(saved);
      if (!before.has(keyword)) before.set(keyword, { view, saved });
    }
  }
  const told = files.flatMap((file) => {
    const found = before.get(uploading(file));
    return found === undefined ? [] : [`${file.filename} ${wordsOf(found.view, found.saved)}`];
  });
  if (told.length === 0) return [];
  const more = told.length > mostNamed ? ` So are ${told.length - mostNamed} more files.` : '';
  const message = `${told.slice(0, mostNamed).join(' ')}${more} This makes one more Asset of the same bytes for the same target and slot. Nothing can be deleted through this server.`;
  return [{ code: 'uploaded_before', message }];
}

function wordsOf(view: EntryView, { assetId, slot }: SavedFile): string {
  const { clientMutationId, updatedAt } = view.entry;
  const is = assetId === null ? 'is an Asset' : `is Asset ${assetId}`;
  const when = `as ${clientMutationId} on ${updatedAt}.`;
  if (isSubmission(view.entry)) return `${is} already, sent with ${setIn(view)} ${when}`;
  return `${is} (${wordsOfTouched(touchedBy(view.entry)) ?? slot}) already, uploaded ${when}`;
}
