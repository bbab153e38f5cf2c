import type { EntryView } from '../../ledger/entry-view.ts';
import type { StoredItem } from '../stored-receipt.ts';
import type { Mutation } from '../mutation.ts';
import type { ItemPage, MutationResult } from '../result.ts';
import { nextOfSubmission } from './next-of-submission.ts';
import { readCheckpoint } from '../checkpoint.ts';
import { firstItems, reportItems } from './report-items.ts';

export interface ItemsAsSeen {
  /** As the service shows them, or as they were when it ended. */
  readonly items: readonly StoredItem[];
  /** A look that was made by this call and did not end the matter; `certain` false: the service itself does not know. */
  readonly looked: { readonly certain: boolean } | null;
}

export type Description = Pick<
  MutationResult,
  'outcome' | 'counts' | 'items' | 'nextItems' | 'error' | 'next'
>;

/** What an answer about a submission says beside what every answer says. */
export function describeSubmission(
  view: EntryView,
  mutation: Mutation,
  outcome: MutationResult['outcome'],
  { items, looked }: ItemsAsSeen,
  page: ItemPage = firstItems,
): Description {
  const { entry } = view;
  const { declared } = mutation;
  if (declared === undefined) throw new TypeError(`${mutation.operation} is no submission.`);
  const checkpoint = entry.state === 'settled' ? null : readCheckpoint(entry.progress);
  const stopped = checkpoint?.stopped;
  // "unresolved" is also a word of the service (States, rule 6), which then may work on.
  const unconfirmed = looked === null ? checkpoint?.unconfirmed === true : !looked.certain;
  const own = outcome === 'processing' && unconfirmed ? 'unresolved' : outcome;
  const next = nextOfSubmission(view, mutation, own, looked !== null);
  return {
    outcome: own,
    ...reportItems(declared, view, items, page),
    ...(stopped && entry.error === null ? { error: stopped } : {}),
    ...(next === undefined ? {} : { next }),
  };
}
