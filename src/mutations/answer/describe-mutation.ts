import type { Json } from '../../canonical-json.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { ArtworkError, isErrorCategory, type Next } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { readStoredReceipt, type StoredItem, type Warning } from '../finding.ts';
import type { Session } from '../account.ts';
import type { Mutation } from '../mutation.ts';
import { namedTarget, nameOfService } from '../names.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import { type ItemPage, MutationError, type MutationResult } from '../result.ts';
import { readCheckpoint } from '../submission.ts';
import { firstItems, reportItems } from './items.ts';
import { type Look, outcomeOf, situationOf } from './situation.ts';
import { nextIn } from './table.ts';
import { touchedBy, wordsOfTouched } from './touched.ts';

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
  if (earlier === undefined || !isRecord(earlier)) return {};
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
    const category = isErrorCategory(error.category) ? error.category : 'internal';
    return new ArtworkError(category, error.message, error);
  }
  if (outcome === 'refused') return new ArtworkError('cancelled', 'The service refused it.');
  const [code, message] =
    abandonedAt === null
      ? ['process_ended', 'The process that was to send it ended before anything was sent.']
      : ['abandoned', 'A person gave it up before anything was sent.'];
  return new ArtworkError('cancelled', message, { code });
}
