import { canonicalJson } from '../../canonical-json.ts';
import { textAt } from '../../catalogue/records/members.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import type { AccountLedger, Session } from '../account.ts';
import { nextIn } from '../answer/table.ts';
import { type SavedFile, savedFilesOf, setIn, touchedBy, wordsOfTouched } from '../answer/touched.ts';
import type { Warning } from '../finding.ts';
import type { Mutation } from '../mutation.ts';
import { isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import { MutationError } from '../result.ts';
import { searchKeywordsOf, sentFilesOf, uploading, workOfNewSet } from './keywords.ts';

/** Sets of the same files that are looked through; only those of the same name cost a request. */
const mostLookedAt = 1_000;

/**
 * A new Set of the same files in the same places, with the same title, is a repetition by mistake: nothing tells the
 * two apart, and nothing can take the second away. Another title says that a second one is meant, and one that is gone
 * from the service, or was renamed there, may be made again.
 * @throws MutationError `conflict`; ArtworkError where the Set that was made can't be read
 */
export async function requireNotMadeBefore(session: Session, mutation: Mutation): Promise<void> {
  if (workOfNewSet(mutation.places) === null) return;
  const { ledger, scope } = session;
  for (const keyword of searchKeywordsOf(mutation).same) {
    for (const view of await ledger.findDone(scope, [keyword], mostLookedAt)) {
      const other = rehydrateMutation(view.entry);
      const isSame = other !== null && nameOf(other) === nameOf(mutation) && view.standing === 'succeeded';
      if (isSame && (await isStillThere(session, view, mutation))) throw madeAlready(mutation, view);
    }
  }
}

/** What people tell a Set from another by, beside its pictures. */
function nameOf({ intent: { titleBase, languageCode, editionId, destination } }: Mutation): string {
  const title = typeof titleBase === 'string' ? asRead(titleBase) : null;
  return canonicalJson([title, languageCode, editionId, destination].map((member) => member ?? null));
}

/** Titles that look the same to a person are the same. */
function asRead(title: string): string {
  return title.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

async function isStillThere(
  { ports: { owned }, deadline }: Session,
  { entry }: EntryView,
  { intent: { titleBase } }: Mutation,
): Promise<boolean> {
  const id = touchedBy(entry)?.id ?? null;
  if (typeof id !== 'number') return false;
  try {
    const record = await owned.readSet(id, deadline);
    const title = textAt(record, 'titleBase') ?? textAt(record, 'title');
    // The service may have made a longer title of it.
    return title === null || typeof titleBase !== 'string' || asRead(title).includes(asRead(titleBase));
  } catch (error) {
    // A 404 without the service's own words may come from anything on the way.
    const isGone =
      error instanceof ArtworkError && error.category === 'not_found' && error.code !== error.category;
    if (isGone) return false;
    throw error;
  }
}

function madeAlready({ clientMutationId }: Mutation, view: EntryView): MutationError {
  const { clientMutationId: heldBy, operation, target, updatedAt } = view.entry;
  const message = `The same files were made ${setIn(view)} already, with the same title, as ${heldBy}, on ${updatedAt}: a second one could not be told from it, and nothing can be deleted. edit_set changes the one that is there; where a person wants another one beside it, it needs another title (titleBase).`;
  return new MutationError('conflict', message, {
    clientMutationId,
    outcome: 'not_sent',
    details: { heldBy, operation, target, outcome: view.standing },
    next: nextIn({ is: 'done by another', clientMutationId: heldBy }),
  });
}

const mostNamed = 3;
/** Of a file that was sent alone, so many Sets that had it are looked at: in some of them it may have failed. */
const mostSets = 20;
/** The store answers no more at once. */
const mostEntries = 1_000;

/**
 * Which files were sent before, to the same target and slot: those of a submission by themselves or with another one,
 * and one that is sent by itself with a submission. Nothing can take the second Asset of the same bytes away. A person may
 * still want both, and another Asset may have replaced the first since.
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
  const more = told.length > mostNamed ? ` So did ${told.length - mostNamed} more files.` : '';
  const message = `${told.slice(0, mostNamed).join(' ')}${more} This makes one more Asset of the same bytes for the same target and slot. Nothing can be deleted through this server.`;
  return [{ code: 'uploaded_before', message }];
}

function wordsOf(view: EntryView, { assetId, slot }: SavedFile): string {
  const { clientMutationId, updatedAt } = view.entry;
  const became = assetId === null ? 'became an Asset' : `became Asset ${assetId}`;
  const when = `as ${clientMutationId} on ${updatedAt}.`;
  if (isSubmission(view.entry)) return `${became}, sent with ${setIn(view)} ${when}`;
  return `${became} (${wordsOfTouched(touchedBy(view.entry)) ?? slot}), uploaded ${when}`;
}
