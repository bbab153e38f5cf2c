import { readReceipt } from '../catalogue/receipt.ts';
import { idAt, recordAt, isRecord } from '../catalogue/records/read-member.ts';
import { readUploadStatus } from '../catalogue/records/upload-status.ts';
import { shortName } from '../catalogue/target-names.ts';
import type { Json } from '../canonical-json.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { type StoredReceipt, readStoredReceiptOnly } from './stored-receipt.ts';
import { nameIn, type Names, nameOfArtwork, typedId } from './names.ts';
import type { Operation } from './operations/operation.ts';
import { findOperation } from './operations/find-operation.ts';

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

/** What a mutation will make or touch, told before anything is sent. */
export function toBeTouchedBy(about: About): Touched | null {
  return touched(about, null, false);
}

function touched(entry: About, found: string | null, isDone: boolean): Touched | null {
  const operation = findOperation(entry.operation);
  const { target, names = {} } = entry;
  if (operation === null || !isRecord(target)) return null;
  const kind = operation.saved === 'relationship' ? wordOf(target.kind) : operation.saved;
  const { id: own = null } = target;
  const id = typeof own === 'number' || typeof own === 'string' ? own : found;
  const known = nameIn(names, kind, id) ?? shortName(target.title);
  const title = (isDone && shortName(target.newTitle)) || known || titleOfArtwork(operation, target, names);
  return { kind, id: id === null ? null : typedId(kind, id), ...(title === '' ? {} : { title }) };
}

/**
 * What a mutation made or touched, as part of a sentence: `the Set 5 (Firefly, all cards)`; null where nothing
 * tells what it is called.
 */
export function wordsOfTouched(touched: Touched | null): string | null {
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

/** The id that the service gave for what was saved; an operation that this version does not know shows none. */
function savedIn(
  { operation: name, clientMutationId }: About,
  { receipt, evidence }: Pick<StoredReceipt, 'receipt' | 'evidence'>,
): string | null {
  const operation = findOperation(name);
  if (operation === null || !isRecord(receipt)) return null;
  // The record's own id is the submission's.
  if (operation.strategy.by === 'batch') {
    return idAt(receipt, 'setId') ?? idAt(recordAt(receipt, 'set'), 'id');
  }
  return operation.strategy.by === 'upload' && evidence.by === 'lookup'
    ? readUploadStatus({ data: receipt }).assetId
    : readReceipt({ data: receipt }, operation.saved, clientMutationId).savedId;
}

/** Of an upload: what the picture is for. */
function titleOfArtwork(
  { strategy }: Operation,
  target: { readonly [member: string]: Json | undefined },
  names: Names,
) {
  if (strategy.by !== 'upload') return '';
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
