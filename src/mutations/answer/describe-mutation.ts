import { ArtworkError, type ErrorCategory, errorCategories, type Next } from '../../errors.ts';
import type { KeptError, LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { type Evidence, readStoredReceipt, type StoredItem, type Warning } from '../finding.ts';
import { namedTarget, nameOfService } from '../names.ts';
import { isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import type { Service } from '../ports.ts';
import { type ItemPage, MutationError, type MutationResult, touchedBy, wordsOfTouched } from '../result.ts';
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
    ...(entry.error === null || outcome === 'succeeded' ? {} : { error: shown(entry.error) }),
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
    code: error.code,
    status: error.status ?? entry.error?.status,
    details: error.details,
    issues: error.issues,
    next: error.next ?? nextAfterNothingChanged(view, rehydrateMutation(entry), error.category),
    clientMutationId: entry.clientMutationId,
    outcome,
  });
}

/** A refusal names numbers, if anything: what they stand for is told by name. */
function withSubject(message: string, what: string | null): string {
  if (what === null) return message;
  return `${/[.!?]$/.test(message) ? message : `${message}.`} This was about ${what}.`;
}

function asError({ error, outcome }: LedgerEntry): ArtworkError {
  if (error === null) {
    const message =
      outcome === 'refused'
        ? 'The service refused it.'
        : 'It was not sent: the process that was to send it ended before.';
    return new ArtworkError('cancelled', message);
  }
  return new ArtworkError(categoryOf(error), error.message, {
    code: error.code,
    status: error.status,
    details: error.details,
    issues: error.issues,
  });
}

function categoryOf({ category }: KeptError): ErrorCategory {
  return errorCategories.find((each) => each === category) ?? 'internal';
}

function shown({ code, message, details, issues }: KeptError): NonNullable<MutationResult['error']> {
  return {
    code,
    message,
    ...(details === undefined ? {} : { details }),
    ...(issues === undefined ? {} : { issues }),
  };
}
