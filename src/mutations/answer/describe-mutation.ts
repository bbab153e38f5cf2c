import type { Json } from '../../canonical-json.ts';
import { shortLine } from '../../model/target.ts';
import { idAt, isRecord, recordAt } from '../../catalogue/records/members.ts';
import { readReceipt, readUploadStatus } from '../../catalogue/records/owned.ts';
import { ArtworkError, errorCategories, type Next } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import {
  isMembers,
  readStoredReceipt,
  readStoredReceiptOnly,
  type StoredItem,
  type StoredReceipt,
  type Warning,
} from '../finding.ts';
import type { Session } from '../account.ts';
import type { Mutation } from '../mutation.ts';
import { namedTarget, nameIn, nameOfArtwork, nameOfService, type Names, typedId } from '../names.ts';
import type { Operation } from '../operations/operation.ts';
import { findOperation, rehydrateMutation } from '../operations/find-operation.ts';
import { type ItemPage, MutationError, type MutationResult, type Touched } from '../result.ts';
import { readCheckpoint } from '../submission.ts';
import { firstItems, reportItems } from './items.ts';
import { type Look, outcomeOf, situationOf } from './situation.ts';
import { nextIn } from './table.ts';

/** What a call learnt beside what the ledger holds. */
export interface Observations {
  readonly warnings?: readonly Warning[] | undefined;
  /** `items`: of a submission. */
  readonly lookup?: (Look & { readonly items?: readonly StoredItem[] | undefined }) | undefined;
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
  { service, scope }: Pick<Session, 'service' | 'scope'>,
  view: EntryView,
  observed: Observations = {},
): MutationResult {
  const { entry } = view;
  const mutation = rehydrateMutation(entry);
  const seen = { view, mutation, look: observed.lookup, scope };
  const outcome = outcomeOf(seen);
  const following = nextIn(situationOf(seen));
  if (outcome === 'refused' || outcome === 'not_sent')
    throw changedNothing(entry, outcome, following, observed.error);
  const kept = readStoredReceipt(entry.receipt);
  const evidence = observed.lookup?.evidence ?? kept?.evidence;
  const warnings = [...(kept?.warnings ?? []), ...(observed.warnings ?? [])];
  const publicationStatus = observed.publicationStatus ?? kept?.publicationStatus;
  const updatedAt = kept?.updatedAt ?? observed.updatedAt;
  const { counts, ...page } = pageOf(mutation, view, observed, kept?.items);
  const error = outcome === 'succeeded' ? undefined : whyOf(entry, mutation);
  const next = nextOfConnection(observed.error) ?? observed.next ?? following;
  const id = touchedBy(entry);
  return {
    outcome,
    clientMutationId: entry.clientMutationId,
    operation: entry.operation,
    service: nameOfService(service),
    ...(id === null ? {} : { id }),
    target: namedTarget(entry.target, entry.names ?? {}),
    ...earlierOf(entry.earlier),
    ...(counts === undefined ? {} : { counts }),
    ...(kept === null || kept.receipt === null ? {} : { receipt: kept.receipt }),
    ...(updatedAt ? { updatedAt } : {}),
    ...(publicationStatus ? { publicationStatus } : {}),
    ...(evidence === undefined ? {} : { evidence }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(error === undefined ? {} : { error }),
    ...page,
    ...(next === undefined ? {} : { next }),
  };
}

/** The values that stood there before. The items of a submission have theirs beside them. */
export function earlierOf(earlier: Json | undefined): { readonly earlier?: Json } {
  if (earlier === undefined || !isMembers(earlier)) return {};
  const { items: _, ...whole } = earlier;
  return Object.keys(whole).length === 0 ? {} : { earlier: whole };
}

/** Of a submission: a page of its items. */
function pageOf(
  mutation: Mutation | null,
  view: EntryView,
  { lookup, page = firstItems }: Observations,
  kept: readonly StoredItem[] = [],
): Partial<ReturnType<typeof reportItems>> {
  if (mutation?.by !== 'submission') return {};
  return reportItems(mutation.declared, view, lookup?.items ?? kept, page);
}

/** Why it stands as it does: as it was recorded, or as a submission was left. */
function whyOf({ error, state, progress }: LedgerEntry, mutation: Mutation | null): MutationResult['error'] {
  if (error === null) {
    const isLeft = mutation?.by === 'submission' && state !== 'settled';
    return (isLeft && readCheckpoint(progress)?.stopped) || undefined;
  }
  const { category: _, status: __, ...told } = error;
  return told;
}

/** Only a sign-in brings the matter forward then. */
function nextOfConnection(error: ArtworkError | undefined): Next | undefined {
  switch (error?.category) {
    case 'not_connected':
    case 'reconnect_required':
    case 'scope_missing':
      return error.next;
    default:
      return undefined;
  }
}

function changedNothing(
  entry: LedgerEntry,
  outcome: 'refused' | 'not_sent',
  next: Next | undefined,
  error: ArtworkError = asError(entry),
): MutationError {
  return new MutationError(error.category, withSubject(error.message, wordsOfTouched(touchedBy(entry))), {
    ...error,
    status: error.status ?? entry.error?.status,
    next: error.next ?? next,
    clientMutationId: entry.clientMutationId,
    outcome,
  });
}

/** A refusal names numbers, if anything: what they stand for is told by name. */
function withSubject(message: string, what: string | null): string {
  if (what === null) return message;
  return `${/[.!?]$/.test(message) ? message : `${message}.`} This was about ${what}.`;
}

function asError({ error, outcome, abandonedAt }: LedgerEntry): ArtworkError {
  if (error !== null) {
    const category = errorCategories.find((each) => each === error.category) ?? 'internal';
    return new ArtworkError(category, error.message, error);
  }
  if (outcome === 'refused') return new ArtworkError('cancelled', 'The service refused it.');
  const [code, message] =
    abandonedAt === null
      ? ['process_ended', 'The process that was to send it ended before anything was sent.']
      : ['abandoned', 'A person gave it up before anything was sent.'];
  return new ArtworkError('cancelled', message, { code });
}

type About = Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'target' | 'names'> &
  Partial<Pick<LedgerEntry, 'receipt' | 'outcome'>>;

/**
 * What a mutation makes or touches, at one place whatever the operation; without a receipt as it is told before anything
 * is sent. Null for an operation that this version does not know.
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
