import type { Next } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { nextLookAtOccupant, readObjections } from '../checks/objection.ts';
import type { StoredItem } from '../finding.ts';
import type { Mutation } from '../mutation.ts';
import { type Names, nameIn } from '../names.ts';
import { findOperation } from '../operations/find-operation.ts';
import type { ItemPage, ItemPlace, ItemReport, MutationResult } from '../result.ts';
import {
  type Checkpoint,
  type Declared,
  type DeclaredItem,
  fileItems,
  readCheckpoint,
} from '../submission.ts';
import { mayHaveBeenApplied, nextAfterMovedRevision, nextResume, nextStatus } from './next.ts';
import { ownCommand } from '../../own-command.ts';

interface ItemsAsSeen {
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
  mutation: Mutation & { readonly declared: Declared },
  outcome: MutationResult['outcome'],
  { items, looked }: ItemsAsSeen,
  page: ItemPage = firstItems,
): Description {
  const { entry } = view;
  const { declared } = mutation;
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

type Report = Required<Pick<MutationResult, 'counts' | 'items' | 'nextItems'>>;

/** Characters of JSON; the rest of an answer has to fit beside it. */
const room = 8_000;

/**
 * Characters of JSON for what succeeded, in an answer that asks for no page: there the counts tell of it, and its
 * pages follow where they are wanted.
 */
const roomForDone = 1_500;

export const firstItems: ItemPage = { after: null, limit: 25, roomForDone };

/**
 * How the items stand: in the service's words where it was asked, else by what was sent. A page of them,
 * unsettled ones first, then failed ones: nothing moves forward in that order, so no page passes over one.
 */
export function reportItems(
  declared: Declared,
  view: EntryView,
  seen: readonly StoredItem[],
  page: ItemPage,
): Report {
  return pageOfItems(itemsOf(declared, view, seen), page);
}

/** A page of items in that order, how many stand how, and where the next page begins. */
export function pageOfItems<Item extends Pick<ItemReport, 'status' | 'error'>>(
  all: readonly Item[],
  { after, limit, roomForDone = room }: ItemPage,
): { counts: Record<string, number>; items: Item[]; nextItems: ItemPlace | null } {
  const counts: Record<string, number> = {};
  for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1;
  const rest = all
    .map((item, index) => ({ item, place: { rank: rankOf(item), index } }))
    .filter(({ place }) => after === null || compare(place, after) > 0)
    .sort((one, other) => compare(one.place, other.place));
  const items: Item[] = [];
  let last: ItemPlace | null = null;
  let [left, leftForDone] = [room, roomForDone];
  for (const { item, place } of rest) {
    const size = JSON.stringify(item).length + 1;
    left -= size;
    if (place.rank === 2) leftForDone -= size;
    const isFull = items.length === limit || left < 0 || leftForDone < 0;
    if (isFull && last !== null) return { counts, items, nextItems: last };
    items.push(item);
    last = place;
  }
  return { counts, items, nextItems: null };
}

function compare(one: ItemPlace, other: ItemPlace): number {
  return one.rank - other.rank || one.index - other.index;
}

function rankOf({ status, error }: Pick<ItemReport, 'status' | 'error'>): ItemPlace['rank'] {
  if (status === 'failed' || status === 'rolled_back' || error !== undefined) return 1;
  return status === 'succeeded' ? 2 : 0;
}

function itemsOf({ items }: Declared, view: EntryView, seen: readonly StoredItem[]): ItemReport[] {
  const words = new Map(seen.map((item) => [item.itemId.toLowerCase(), item]));
  const checkpoint = readCheckpoint(view.entry.progress);
  const { names = {} } = view.entry;
  let file = -1;
  return items.map((item) => {
    if (item.file !== null) file += 1;
    const shown = words.get(item.itemId);
    const refused = checkpoint?.refused.find((one) => item.file !== null && one.item === file);
    // What was turned away may have been there already: the service's own word of the item is the last one.
    const own = shown?.status === 'succeeded' ? undefined : refused;
    const error = shown?.error ?? (own && { code: own.code, message: own.message });
    return {
      ...itemReport(item, names, shown?.status ?? bySending(item, file, checkpoint, view)),
      ...(shown?.assetId ? { assetId: shown.assetId } : {}),
      ...(error ? { error } : {}),
    };
  });
}

function bySending(
  item: DeclaredItem,
  file: number,
  checkpoint: Checkpoint | null,
  { entry: { state, outcome }, live }: EntryView,
): string {
  // The service gave an outcome and did not list its items.
  if (state === 'settled' && outcome !== 'not_sent' && outcome !== 'refused') return 'unknown';
  if (checkpoint === null || checkpoint.submissionId === null) return 'pending';
  if (item.file === null) return 'processing';
  if (file >= checkpoint.mark) return 'pending';
  if (!checkpoint.open.includes(file)) return 'processing';
  // The holder writes its checkpoint ahead: the item may not even have been begun.
  return live ? 'pending' : 'unresolved';
}

/** The items of a submission that nothing was sent of, as a dry run shows them: each with its target's name. */
export function reportPlannedItems({ items }: Declared, names: Names): Report {
  return pageOfItems(
    items.map((item) => itemReport(item, names, 'pending')),
    { after: null, limit: 25 },
  );
}

function itemReport(
  { itemId, file, targetKind: kind, targetId: id, slot }: DeclaredItem,
  names: Names,
  status: string,
): ItemReport {
  const title = nameIn(names, kind, id);
  return {
    itemId,
    ...(file === null ? {} : { filename: file.filename }),
    target: { kind, id, ...(title === undefined ? {} : { title }) },
    slot,
    status,
  };
}

/** After so many runs in a row that brought nothing new, a person has to look. */
const mostIdle = 3;

/** What brings a submission forward. `looked`: the answer comes from a look at the service. */
function nextOfSubmission(
  view: EntryView,
  mutation: Mutation & { readonly declared: Declared },
  outcome: MutationResult['outcome'],
  looked: boolean,
): Next | undefined {
  const { entry, live } = view;
  const { clientMutationId } = mutation;
  switch (outcome) {
    case 'succeeded':
    case 'dry_run':
      return undefined;
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return (
        nextLookAtOccupant(readObjections(entry.error?.details)) ??
        nextAfterFailure(mutation.operation, outcome)
      );
    case 'processing':
    case 'unresolved': {
      if (entry.abandonedAt !== null) {
        return {
          why: 'A person gave this submission up, and its kept bytes with it. The service may go on with what it has: a person looks there; what is still wanted then is made anew under a new id.',
          doNot: 'make it anew before a person has looked',
        };
      }
      if (live) {
        const why =
          outcome === 'unresolved'
            ? 'The service could not confirm the result itself, and may still be at work on it: this asks again, and waits for its word.'
            : 'It is being worked on: this waits for the outcome.';
        return nextStatus(clientMutationId, why);
      }
      const moved = entry.state === 'unresolved' ? nextAfterMovedRevision(entry) : null;
      if (moved !== null) return moved;
      if (entry.error?.details?.earlierSubmission !== undefined) return person(entry.error.message);
      const checkpoint = readCheckpoint(entry.progress);
      const stopped = checkpoint?.stopped?.message ?? null;
      const refused = checkpoint?.refused.find(({ code }) => code === checkpoint.stopped?.code);
      if (refused !== undefined)
        return decision(fileItems(mutation.declared)[refused.item]?.file.filename ?? 'it');
      if ((checkpoint?.idle ?? 0) >= mostIdle) return person(stopped);
      if (outcome === 'unresolved' && !looked && entry.state === 'unresolved') {
        return nextStatus(clientMutationId, 'Whether it was admitted is not known: this asks again.');
      }
      return nextResume(
        mutation,
        `It is not finished, and no process works on it: this sends what is still lacking.${whatStopped(stopped)}`,
      );
    }
  }
}

function whatStopped(stopped: string | null): string {
  return stopped === null ? '' : ` What stopped it: ${stopped}`;
}

/** The service does not complete a submission that lacks a file which it does not take: no further try changes that. */
function decision(filename: string): Next {
  return {
    why: `A person decides: the service has to let the item of ${filename} go, after which resume_mutation goes on; or the submission is given up with \`${ownCommand('mutations abandon')}\`, and made anew without that file, under a new id.`,
    doNot: mayHaveBeenApplied,
  };
}

function person(stopped: string | null): Next {
  return {
    why: `Several tries brought nothing new. A person has to look at what stops it, or at the service; then resume_mutation goes on, or \`${ownCommand('mutations abandon')}\` frees the kept bytes.${whatStopped(stopped)}`,
    doNot: mayHaveBeenApplied,
  };
}

/**
 * What to do about a submission with failed items. "Failed items are corrected only by a new mutation, and only
 * after the submission is terminal" (States, 7).
 */
export function nextAfterFailure(operation: string, outcome: 'partial' | 'failed' | 'rolled_back'): Next {
  const revised = findOperation(operation)?.revision({}).of !== 'nothing';
  const another = `a new ${operation}${revised ? ' with its present revision' : ''}`;
  const how =
    outcome === 'partial'
      ? 'What succeeded stays, under its Asset ids. Each failed item says why: once that is mended, a new edit_set of this Set, under a new id, takes the failed items alone (plan_set of the mended folder with this setId finds them).'
      : `Nothing of it stays. Once what failed is mended, ${another} under a new id takes its place.`;
  return {
    tool: 'new_mutation_ids',
    arguments: { count: 1 },
    why: how,
    doNot: 'repeat or resume this one: it has ended',
  };
}
