import { readReceipt, type Saved } from '../catalogue/receipt.ts';
import { idAt, recordAt } from '../catalogue/records/read-member.ts';
import { readUploadStatus } from '../catalogue/records/upload-status.ts';
import { isRecord } from '../catalogue/refusal.ts';
import { shortName } from '../catalogue/target-names.ts';
import type { Json } from '../canonical-json.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { type StoredReceipt, readStoredReceiptOnly } from './stored-receipt.ts';
import { nameIn, type Names, nameOfArtwork, typed } from './names.ts';
import { type OperationName, operationNames } from './operation-names.ts';

/** What a mutation makes or touches. */
export interface Touched {
  /** What `get_owned` reads it as; of a relationship the kind of its target. */
  readonly kind: string;
  /**
   * A number for Sets and entities, text for Assets, either for groups (interface document, Conventions). Null:
   * there is none, or the service has not said it.
   */
  readonly id: number | string | null;
  readonly title?: string;
}

/** What each kind of mutation makes or touches, and so what its receipt identifies. */
const saved: Record<OperationName, Saved> = {
  upload_asset: 'asset',
  edit_asset_metadata: 'asset',
  select_preview_frame: 'asset',
  create_group: 'group',
  edit_group: 'group',
  create_grouping_set: 'set',
  assign_grouping_assets: 'set',
  change_relationship: 'relationship',
  create_media_set: 'set',
  edit_set: 'set',
};

type About = Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'target' | 'names'>;

/**
 * What a mutation makes or touches, at one place whatever the operation. Null for an operation that this version
 * does not know.
 */
export function touchedBy(entry: Pick<LedgerEntry, 'receipt' | 'outcome'> & About): Touched | null {
  const kept = readStoredReceiptOnly(entry.receipt);
  const undone = entry.outcome === 'failed' || entry.outcome === 'rolled_back';
  const found = kept === null || undone ? null : savedIn(entry, kept);
  const known = touched(entry, found, entry.outcome === 'succeeded');
  const title = shortName(kept?.title);
  return known === null || title === '' ? known : { ...known, title };
}

/** The same before anything is sent. */
export function toBeTouchedBy(about: About): Touched | null {
  return touched(about, null, false);
}

function touched(entry: About, found: string | null, isDone: boolean): Touched | null {
  const operation = operationNames.find((name) => name === entry.operation);
  const { target, names = {} } = entry;
  if (operation === undefined || !isRecord(target)) return null;
  const kind = saved[operation] === 'relationship' ? wordOf(target.kind) : saved[operation];
  const { id: own = null } = target;
  const id = typeof own === 'number' || typeof own === 'string' ? own : found;
  const known = nameIn(names, kind, id) ?? shortName(target.title);
  const title = (isDone && shortName(target.newTitle)) || known || titleOfArtwork(operation, target, names);
  return { kind, id: id === null ? null : typed(kind, id), ...(title === '' ? {} : { title }) };
}

/** For a sentence: `the Set 5 (Firefly, all cards)`; null where nothing tells what it is called. */
export function inWords(touched: Touched | null): string | null {
  if (touched?.title === undefined) return null;
  const { kind, id, title } = touched;
  switch (kind) {
    case 'asset':
      return `the ${title}`;
    case 'set':
    case 'group': {
      const word = kind === 'set' ? 'Set' : 'group';
      return id === null ? `the new ${word} (${title})` : `the ${word} ${id} (${title})`;
    }
    default:
      return `the relationship to ${title}`;
  }
}

/** The id that the service gave for what was saved. */
function savedIn(
  { operation, clientMutationId }: About,
  { receipt, evidence }: Pick<StoredReceipt, 'receipt' | 'evidence'>,
): string | null {
  if (!isRecord(receipt)) return null;
  switch (operation) {
    case 'create_media_set':
    case 'edit_set':
      // The record's own id is the submission's.
      return idAt(receipt, 'setId') ?? idAt(recordAt(receipt, 'set'), 'id');
    case 'upload_asset':
      if (evidence.by === 'lookup') return readUploadStatus({ data: receipt }).assetId;
      return readReceipt({ data: receipt }, 'asset', clientMutationId).savedId;
    case 'create_group':
      return readReceipt({ data: receipt }, 'group', clientMutationId).savedId;
    case 'create_grouping_set':
      return readReceipt({ data: receipt }, 'set', clientMutationId).savedId;
    default:
      return null;
  }
}

/** Of an upload: what the picture is for. */
function titleOfArtwork(
  operation: OperationName,
  target: { readonly [member: string]: Json | undefined },
  names: Names,
) {
  if (operation !== 'upload_asset') return '';
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
