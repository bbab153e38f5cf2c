import { quoted } from '../../text.ts';
import type { Json } from '../../canonical-json.ts';
import { idAt, isRecord, recordAt } from '../../catalogue/records/members.ts';
import { readReceipt, readUploadStatus } from '../../catalogue/records/owned.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { shortLine } from '../../model/target.ts';
import { readStoredReceipt, readStoredReceiptOnly, type StoredReceipt } from '../finding.ts';
import type { PlacedBytes } from '../mutation.ts';
import { nameIn, nameOfArtwork, type Names, typedId } from '../names.ts';
import { findOperation, rehydrateMutation } from '../operations/find-operation.ts';
import type { Operation } from '../operations/operation.ts';
import type { Touched } from '../result.ts';
import { fileItems, placedBytesOf } from '../submission.ts';

type About = Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'target' | 'names'> &
  Partial<Pick<LedgerEntry, 'receipt' | 'outcome'>>;

/**
 * The thing that a mutation makes or touches. If there is no receipt, it is told as before anything is sent. Null if
 * this version does not know the operation.
 */
export function touchedBy(about: About): Touched | null {
  const { target, names = {}, receipt = null, outcome } = about;
  const operation = findOperation(about.operation);
  if (operation === null || !isRecord(target)) return null;
  const kept = readStoredReceiptOnly(receipt);
  const isUndone = outcome === 'failed' || outcome === 'rolled_back';
  const kind = operation.saved === 'relationship' ? wordOf(target.kind) : operation.saved;
  const { id: own } = target;
  const found = kept === null || isUndone ? null : savedIn(operation, about.clientMutationId, kept);
  const id = typeof own === 'number' || typeof own === 'string' ? own : found;
  const title =
    shortLine(kept?.title) ||
    (outcome === 'succeeded' && shortLine(target.newTitle)) ||
    nameIn(names, kind, id) ||
    shortLine(target.title) ||
    titleOfArtwork(operation, target, names);
  return { kind, id: id === null ? null : typedId(kind, id), ...(title === '' ? {} : { title }) };
}

/**
 * The thing that a mutation made or touched, as part of a sentence: `the Set 5 (“Firefly, all cards”)`. Null if its title
 * is not known.
 */
export function wordsOfTouched(touched: Touched | null): string | null {
  if (touched?.title === undefined) return null;
  const { kind, id, title } = touched;
  switch (kind) {
    case 'asset':
      return quoted(title);
    case 'set':
    case 'group': {
      const word = kind === 'set' ? 'Set' : 'group';
      return id === null ? `the new ${word} (${quoted(title)})` : `the ${word} ${id} (${quoted(title)})`;
    }
    default:
      return `the relationship to ${quoted(title)}`;
  }
}

/** The Set that an entry made, as part of a sentence. */
export function setIn({ entry }: EntryView): string {
  const touched = touchedBy(entry);
  return touched === null || touched.id === null
    ? 'a Set'
    : (wordsOfTouched(touched) ?? `the Set ${touched.id}`);
}

/** The id that the service gave for what was saved. */
function savedIn(
  { run, saved }: Operation,
  clientMutationId: string,
  { receipt, evidence }: Pick<StoredReceipt, 'receipt' | 'evidence'>,
): string | null {
  if (!isRecord(receipt)) return null;
  // The record's own id is the submission's.
  if (run.by === 'submission') return idAt(receipt, 'setId') ?? idAt(recordAt(receipt, 'set'), 'id');
  return run.by === 'upload' && evidence.by === 'lookup'
    ? readUploadStatus({ data: receipt }).assetId
    : readReceipt({ data: receipt }, saved, clientMutationId).savedId;
}

/** Of an upload: what the picture is for. */
function titleOfArtwork(
  { run }: Operation,
  target: { readonly [member: string]: Json | undefined },
  names: Names,
) {
  if (run.by !== 'upload') return '';
  const { slot, targetKind, targetId, setId, groupId } = target;
  const [kind, id] =
    targetId !== undefined
      ? [wordOf(targetKind), targetId]
      : setId !== undefined
        ? ['set', setId]
        : ['group', groupId];
  if (id === undefined) return '';
  return nameOfArtwork(wordOf(slot), nameIn(names, kind, id) ?? `${kind} ${String(id)}`);
}

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Bytes that the service has said to have saved, and for what. */
export interface SavedFile extends PlacedBytes {
  /** The Asset that they are; null where the service did not say it. */
  readonly assetId: string | null;
}

/** What a mutation that succeeded, or did in part, has sent: its one file, or those of its items that were saved. */
export function savedFilesOf({ entry, standing }: EntryView): readonly SavedFile[] {
  if (standing !== 'succeeded' && standing !== 'partial') return [];
  const mutation = rehydrateMutation(entry);
  if (mutation === null) return [];
  if (mutation.by === 'upload') {
    const id = touchedBy(entry)?.id;
    return [{ ...mutation.bytes, assetId: typeof id === 'string' ? id : null }];
  }
  if (mutation.by === 'request') return [];
  const kept = readStoredReceipt(entry.receipt);
  const items = new Map((kept?.items ?? []).map((item) => [item.itemId.toLowerCase(), item]));
  return fileItems(mutation.declared).flatMap((declared) => {
    const item = items.get(declared.itemId);
    if (!item?.assetId || item.error !== null) return [];
    return [{ ...placedBytesOf(declared), assetId: item.assetId }];
  });
}
