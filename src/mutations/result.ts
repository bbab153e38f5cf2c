import type { Json } from '../canonical-json.ts';
import { shortName } from '../catalogue/records/kinds.ts';
import { idAt, isRecord, recordAt } from '../catalogue/records/members.ts';
import { readReceipt, readUploadStatus } from '../catalogue/records/owned.ts';
import { clientMutationId as idOfMutation } from '../catalogue/request.ts';
import { ArtworkError, type ErrorCategory, type ErrorFacts, type Next } from '../errors.ts';
import type { KeptError, LedgerEntry } from '../ledger/entry.ts';
import { type Evidence, readStoredReceiptOnly, type StoredReceipt, type Warning } from './finding.ts';
import { type Names, nameIn, nameOfArtwork, typedId } from './names.ts';
import { findOperation } from './operations/find-operation.ts';
import type { Operation } from './operations/operation.ts';

/** How a mutation stands, in the words of every answer about it. */
export type Outcome =
  | 'succeeded'
  | 'partial'
  | 'failed'
  /** The service's word. */
  | 'rolled_back'
  /** Accepted, still working. */
  | 'processing'
  /** Not known yet. */
  | 'unresolved'
  /** The service said no, nothing changed. */
  | 'refused'
  /** Certain that nothing reached the service. */
  | 'not_sent'
  | 'dry_run';

/** A request as it would be sent, without its authorization. */
export interface PlannedRequest {
  readonly method: 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, or what the raw body is. */
  readonly body: Json;
  /** How many elements of a list of the body are left out here; the real request has them. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** How one item of a submission stands. */
export interface ItemReport {
  readonly itemId: string;
  /** As it is declared. */
  readonly filename?: string;
  readonly target: { readonly kind: string; readonly id: number; readonly title?: string };
  readonly slot: string;
  /**
   * The service's own word; where it was not asked, `pending` for what was not sent yet, `processing` for what has
   * arrived, `unresolved` where that is not known.
   */
  readonly status: string;
  readonly assetId?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A place in the list of a submission's items. */
export interface ItemPlace {
  /** 0: unsettled, 1: failed, 2: succeeded. */
  readonly rank: number;
  /** Among all of its items. */
  readonly index: number;
}

/** Which items an answer about a submission shows. */
export interface ItemPage {
  /** The last item of the page before. */
  readonly after: ItemPlace | null;
  /** 1 to 200. */
  readonly limit: number;
  /** Characters of JSON that those which succeeded may take; left out: as many as all together. */
  readonly roomForDone?: number;
}

/** An answer about a mutation that did not end `refused` or `not_sent`: those are thrown. */
export interface MutationResult {
  readonly outcome: Exclude<Outcome, 'refused' | 'not_sent'>;
  readonly clientMutationId: string;
  readonly operation: string;
  /** Names the catalogue; says that nothing is published where it is the embedded one. */
  readonly service: string;
  /** What it made or touched. */
  readonly id?: Touched;
  /** What it acts on, each number with its name beside it where that is known. */
  readonly target: Json;
  /** Of a submission: how many items stand how. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly receipt?: Json;
  readonly updatedAt?: string;
  readonly publicationStatus?: string;
  readonly evidence?: Evidence;
  readonly warnings?: readonly Warning[];
  /** Of a submission: unsettled and failed ones first. */
  readonly items?: readonly ItemReport[];
  /** The last of `items`, where there are more; null where there are none. */
  readonly nextItems?: ItemPlace | null;
  readonly error?: Omit<KeptError, 'category' | 'status'>;
  readonly next?: Next;
  /** Of a dry run. Always the last member, since it is the longest and the least read. */
  readonly requests?: readonly PlannedRequest[];
}

/** What a failed mutation adds to an error. */
interface MutationFacts extends ErrorFacts {
  readonly clientMutationId: string;
  /** Left out where the call tells nothing of the mutation's outcome, such as an id that stands for another one. */
  readonly outcome?: 'refused' | 'not_sent' | undefined;
}

/** A mutation that changed nothing, or a call about one that could not be answered. */
export class MutationError extends ArtworkError {
  readonly clientMutationId: string;
  readonly outcome: 'refused' | 'not_sent' | undefined;

  constructor(category: ErrorCategory, message: string, facts: MutationFacts) {
    super(category, message, facts);
    this.clientMutationId = facts.clientMutationId;
    this.outcome = facts.outcome;
  }
}

/**
 * An error of a call, saying which mutation it was about. It does not say what became of that one: the code that
 * throws an error that does says so there.
 */
export function withMutationId(given: string, error: unknown): unknown {
  const id = idOfMutation.safeParse(given);
  if (!(error instanceof ArtworkError) || error instanceof MutationError || !id.success) return error;
  const { category, message, code, status, details, issues, next } = error;
  const facts = { code, status, details, issues, next, cause: error };
  return new MutationError(category, message, { ...facts, clientMutationId: id.data });
}

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
