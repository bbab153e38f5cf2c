import { z } from 'zod';
import { type AccountScope, compareAccounts, type LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView, Standing } from '../../ledger/ledger.ts';
import { callInstead, nextLookAtOccupant, readObjections } from '../before/objection.ts';
import { type Evidence, readStoredReceipt, type StoredItem } from '../finding.ts';
import type { Mutation, SubmissionOfFiles } from '../mutation.ts';
import { findOperation } from '../operations/find-operation.ts';
import { isAnswered } from '../run/note.ts';
import { fileItems, readCheckpoint } from '../submission.ts';
import { most, type Situation } from './table.ts';

/** A look of a call that did not end the matter. */
export interface Look {
  readonly evidence: Evidence;
  /** No later look can tell more. */
  readonly final: boolean;
  /** The service has it. */
  readonly working: boolean;
}

/** An entry, and what a call has seen of it. */
interface Seen {
  readonly view: EntryView;
  /** Null: its intent can't be read, or this version does not know its operation. */
  readonly mutation: Mutation | null;
  readonly look: Look | undefined;
  /** Of the call. */
  readonly scope: AccountScope;
}

/** How it stands, as callers hear it: what this call has seen counts for more than what the ledger holds. */
export function outcomeOf({
  view: { entry, standing },
  mutation,
  look,
}: Pick<Seen, 'view' | 'mutation' | 'look'>): Standing {
  const outcome = standing === 'unresolved' && look?.working === true ? 'processing' : standing;
  if (mutation?.by !== 'submission' || outcome !== 'processing') return outcome;
  // "unresolved" is also a word of the service (States, rule 6), which then may work on. A look that has not reached it
  // says nothing of that.
  const isConfirmed =
    look?.working === true
      ? look.evidence.certainty === 'certain'
      : readCheckpoint(entry.progress)?.unconfirmed !== true;
  return isConfirmed ? outcome : 'unresolved';
}

/** The situation of a mutation: what its caller reads of it stands in that row of the table. */
export function situationOf(seen: Seen): Situation {
  const { view, mutation } = seen;
  const outcome = outcomeOf(seen);
  switch (outcome) {
    case 'succeeded':
      return { is: 'over' };
    case 'partial':
    case 'failed':
    case 'rolled_back': {
      if (mutation?.by !== 'submission') return { is: 'over' };
      const next = nextLookAtOccupant(readObjections(view.entry.error?.details));
      if (next !== null) return { is: 'failed where something stands', next };
      return situationOfFailed(mutation.operation, outcome, readStoredReceipt(view.entry.receipt)?.items);
    }
    case 'not_sent':
      return notSent(view, mutation);
    case 'refused':
      return refused(view.entry, mutation);
    case 'processing':
    case 'unresolved':
      return mutation?.by === 'submission'
        ? openSubmission(seen, mutation, outcome)
        : openRequest(seen, outcome);
  }
}

/**
 * That of a submission with failed items. "Failed items are corrected only by a new mutation, and only after the
 * submission is terminal" (States, 7).
 */
export function situationOfFailed(
  operation: string,
  outcome: 'partial' | 'failed' | 'rolled_back',
  items: readonly StoredItem[] = [],
): Situation {
  if (outcome === 'partial') return { is: 'failed in part' };
  const succeeded = items.filter(({ status }) => status === 'succeeded').length;
  if (succeeded > 0) return { is: 'failed, with items that succeeded', outcome, succeeded };
  const isEdit = findOperation(operation)?.revision({}).of !== 'nothing';
  return isEdit ? { is: 'edit failed' } : { is: 'failed', anew: operation };
}

function notSent({ entry }: EntryView, mutation: Mutation | null): Situation {
  const { heldBy, outcome } = entry.error?.details ?? {};
  if (entry.abandonedAt !== null) return { is: 'given up unsent' };
  if (typeof heldBy === 'string') {
    const isDone = outcome === 'succeeded' || outcome === 'partial';
    return { is: isDone ? 'done by another' : 'behind another', clientMutationId: heldBy };
  }
  // Also what a process had claimed that died without recording an end.
  return { is: 'unsent', entry, mutation };
}

function refused(entry: LedgerEntry, mutation: Mutation | null): Situation {
  const { clientMutationId, error, progress } = entry;
  const { category, status, details } = error ?? {};
  // The ledger lets the same id be claimed again after these.
  if (status === 401) return { is: 'refused without sign-in' };
  if (status === 429) return { is: 'refused for now', entry, mutation };
  switch (category) {
    case 'scope_missing':
      return { is: 'refused without scope', scopes: scopesIn(details) };
    case 'forbidden':
      return { is: 'refused as not owned' };
    case 'stale_revision':
    case 'conflict': {
      const earlier = earlierSubmission.safeParse(details?.earlierSubmission);
      if (earlier.success) return { is: 'refused as admitted elsewhere', asked: earlier.data };
      if (details?.earlierUpload !== undefined || details?.earlierSubmission !== undefined)
        return { is: 'refused as uploaded elsewhere' };
      const there = readObjections(details);
      const next =
        mutation === null
          ? null
          : (callInstead(mutation, mutation.again(progress), there) ?? mutation.guards[0]?.again);
      return next ? { is: 'refused as it is now', next } : { is: 'refused', clientMutationId };
    }
    default:
      return { is: 'refused', clientMutationId };
  }
}

const earlierSubmission = z.object({ submissionId: z.string(), kind: z.enum(['creation', 'edit']) });

function scopesIn(details: Readonly<Record<string, unknown>> = {}): unknown[] {
  const lists = [details.grantedScopes, details.missingScopes];
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list : [])))];
}

function openRequest({ view, mutation, look, scope }: Seen, outcome: 'processing' | 'unresolved'): Situation {
  const { entry, live } = view;
  const { clientMutationId, lookups, error } = entry;
  if (entry.abandonedAt !== null) return { is: 'given up' };
  const isLong = !live && lookups >= most;
  if (outcome === 'processing')
    return isLong ? { is: 'worked on for long' } : { is: 'worked on', clientMutationId };
  if (error?.category === 'stale_revision') return { is: 'revision moved', message: error.message };
  if (look?.final === true || isLong) return { is: 'never told' };
  if (look === undefined || mutation === null) return { is: 'unknown', clientMutationId };
  if (!mayGoOn({ view, mutation, scope }, 'resume')) return { is: 'nothing told', clientMutationId };
  const { expectedUpdatedAt } = mutation;
  return {
    is: isAnswered(entry.progress) ? 'turned away' : 'not there',
    clientMutationId,
    expectedUpdatedAt,
  };
}

/**
 * Whether a run that was left can go on where a look alone tells nothing more. A request that was answered with a 401 or
 * 429 can: once a look shows that it was not applied it is sent again, also by the same call. An upload can, which the
 * document promises to apply once, and a submission can. None can if the service told no subject, then or now: it may
 * be another account that looks, so what it lacks proves nothing. An accepted submission is read by its id, and goes on
 * only once the service shows it.
 */
export function mayGoOn(
  { view: { entry }, mutation, scope }: Pick<Seen, 'view' | 'scope'> & { readonly mutation: Mutation },
  by: 'call' | 'resume',
): boolean {
  if (compareAccounts(entry, scope) !== 'same' && entry.state !== 'processing') return false;
  const { progress } = entry;
  if (mutation.by === 'submission') return by === 'resume';
  const hasBytes = mutation.again(progress) !== null;
  return hasBytes && (isAnswered(progress) || (mutation.by === 'upload' && by === 'resume'));
}

function openSubmission(
  { view, look, scope }: Seen,
  mutation: SubmissionOfFiles,
  outcome: 'processing' | 'unresolved',
): Situation {
  const { declared, expectedUpdatedAt } = mutation;
  const { entry, live } = view;
  const { clientMutationId, error, state } = entry;
  if (entry.abandonedAt !== null) return { is: 'submission given up' };
  if (live) return { is: outcome === 'unresolved' ? 'unconfirmed' : 'worked on', clientMutationId };
  if (error?.category === 'stale_revision') return { is: 'revision moved', message: error.message };
  if (error?.details?.earlierSubmission !== undefined)
    return { is: 'made elsewhere before', message: error.message };
  const { stopped = null, refused = [], idle = 0 } = readCheckpoint(entry.progress) ?? {};
  const lacking = refused.find(({ code }) => code === stopped?.code);
  if (lacking !== undefined) {
    const filename = fileItems(declared)[lacking.item]?.file.filename ?? 'it';
    return { is: 'lacks a file', filename };
  }
  const why = stopped?.message ?? null;
  if (idle >= most) return { is: 'left again and again', stopped: why };
  if (state === 'unresolved' && look === undefined) return { is: 'perhaps admitted', clientMutationId };
  if (!mayGoOn({ view, mutation, scope }, 'resume')) return { is: 'of an unnamed account' };
  return { is: 'left', clientMutationId, expectedUpdatedAt, stopped: why };
}
