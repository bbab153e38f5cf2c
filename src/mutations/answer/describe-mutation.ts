import type { Json } from '../../canonical-json.ts';
import { shortName } from '../../catalogue/records/kinds.ts';
import { idAt, isRecord, recordAt } from '../../catalogue/records/members.ts';
import { readReceipt, readUploadStatus } from '../../catalogue/records/owned.ts';
import { ArtworkError, errorCategories, type Next } from '../../errors.ts';
import type { KeptError, LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import {
  type Evidence,
  readStoredReceipt,
  readStoredReceiptOnly,
  type StoredItem,
  type StoredReceipt,
  type Warning,
} from '../finding.ts';
import { namedTarget, nameIn, nameOfArtwork, nameOfService, type Names, typedId } from '../names.ts';
import type { Operation } from '../operations/operation.ts';
import { findOperation, isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import type { Service } from '../ports.ts';
import { type ItemPage, MutationError, type MutationResult, type Touched } from '../result.ts';
import { type Description, describeSubmission } from './describe-submission.ts';
import { nextAfterNothingChanged, nextAfterUnresolved, nextWhileProcessing } from './next.ts';

/** What a call learnt beside what the ledger holds. */
export interface Observations {
  readonly warnings?: readonly Warning[] | undefined;
  /** A look that was made by this call and did not end the matter. */
  readonly lookup?:
    | {
        readonly evidence: Evidence;
        readonly final: boolean;
        readonly working: boolean;
        /** Of a submission. */
        readonly items?: readonly StoredItem[] | undefined;
      }
    | undefined;
  /** Why the call could not go on, where that says more than the ledger. */
  readonly error?: ArtworkError | undefined;
  readonly publicationStatus?: string | null | undefined;
  readonly updatedAt?: string | null | undefined;
  /** The call that is meant, where this call could tell it. */
  readonly next?: Next | undefined;
  /** Which items of a submission are wanted; left out: the first ones. */
  readonly page?: ItemPage | undefined;
}

/**
 * An answer about a mutation as it stands.
 * @throws MutationError where it ended `refused` or `not_sent`
 */
export function describeMutation(
  service: Service,
  view: EntryView,
  observed: Observations = {},
): MutationResult {
  const { entry, standing } = view;
  if (standing === 'refused' || standing === 'not_sent') throw changedNothing(view, standing, observed);
  const kept = readStoredReceipt(entry.receipt);
  const { lookup: looked } = observed;
  const outcome = standing === 'unresolved' && looked?.working === true ? 'processing' : standing;
  const evidence = looked?.evidence ?? kept?.evidence;
  const warnings = [...(kept?.warnings ?? []), ...(observed.warnings ?? [])];
  const publicationStatus = observed.publicationStatus ?? kept?.publicationStatus;
  const updatedAt = kept?.updatedAt ?? observed.updatedAt;
  const submission = describe(view, outcome, kept?.items ?? [], observed);
  const next = nextOf(view, observed, outcome, submission);
  const id = touchedBy(entry);
  const counts = submission?.counts;
  return {
    outcome,
    clientMutationId: entry.clientMutationId,
    operation: entry.operation,
    service: nameOfService(service),
    ...(id === null ? {} : { id }),
    target: namedTarget(entry.target, entry.names ?? {}),
    ...(counts === undefined ? {} : { counts }),
    ...(kept === null || kept.receipt === null ? {} : { receipt: kept.receipt }),
    ...(updatedAt ? { updatedAt } : {}),
    ...(publicationStatus ? { publicationStatus } : {}),
    ...(evidence === undefined ? {} : { evidence }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(entry.error === null || outcome === 'succeeded' ? {} : { error: withoutCategory(entry.error) }),
    ...submission,
    ...(next === undefined ? {} : { next }),
  };
}

/** Null for what is no submission. */
function describe(
  view: EntryView,
  outcome: MutationResult['outcome'],
  kept: readonly StoredItem[],
  { lookup: looked, page }: Observations,
): Description | null {
  const mutation = isSubmission(view.entry) ? rehydrateMutation(view.entry) : null;
  if (mutation === null) return null;
  const seen = looked === undefined ? null : { certain: looked.evidence.certainty === 'certain' };
  if (mutation.by !== 'submission') return null;
  return describeSubmission(view, mutation, outcome, { items: looked?.items ?? kept, looked: seen }, page);
}

function nextOf(
  view: EntryView,
  { lookup: looked, error, next }: Observations,
  outcome: string,
  submission: Description | null,
): Next | undefined {
  if (error?.next !== undefined && isAboutConnection(error)) return error.next;
  if (submission !== null) return next ?? submission.next;
  switch (outcome) {
    case 'processing':
      return nextWhileProcessing(view);
    case 'unresolved':
      return nextAfterUnresolved(view, rehydrateMutation(view.entry), looked ?? null);
    default:
      return undefined;
  }
}

/** Only a sign-in brings the matter forward then. */
function isAboutConnection({ category }: ArtworkError): boolean {
  return category === 'not_connected' || category === 'reconnect_required' || category === 'scope_missing';
}

function changedNothing(
  view: EntryView,
  outcome: 'refused' | 'not_sent',
  { error: own }: Observations,
): MutationError {
  const { entry } = view;
  const error = own ?? asError(entry);
  return new MutationError(error.category, withSubject(error.message, wordsOfTouched(touchedBy(entry))), {
    ...error,
    status: error.status ?? entry.error?.status,
    next: error.next ?? nextAfterNothingChanged(view, rehydrateMutation(entry), error.category),
    clientMutationId: entry.clientMutationId,
    outcome,
  });
}

function withoutCategory({
  category: _,
  status: __,
  ...error
}: KeptError): NonNullable<MutationResult['error']> {
  return error;
}

/** A refusal names numbers, if anything: what they stand for is told by name. */
function withSubject(message: string, what: string | null): string {
  if (what === null) return message;
  return `${/[.!?]$/.test(message) ? message : `${message}.`} This was about ${what}.`;
}

function asError({ error, outcome, abandonedAt }: LedgerEntry): ArtworkError {
  if (error === null) {
    if (outcome === 'refused') return new ArtworkError('cancelled', 'The service refused it.');
    return abandonedAt === null
      ? new ArtworkError('cancelled', 'The process that was to send it ended before anything was sent.', {
          code: 'process_ended',
        })
      : new ArtworkError('cancelled', 'A person gave it up before anything was sent.', { code: 'abandoned' });
  }
  const category = errorCategories.find((each) => each === error.category) ?? 'internal';
  return new ArtworkError(category, error.message, error);
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
  if (operation.run.by === 'submission') {
    return idAt(receipt, 'setId') ?? idAt(recordAt(receipt, 'set'), 'id');
  }
  return operation.run.by === 'upload' && evidence.by === 'lookup'
    ? readUploadStatus({ data: receipt }).assetId
    : readReceipt({ data: receipt }, operation.saved, clientMutationId).savedId;
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
