import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import type { StoredItem } from '../finding.ts';
import { type Names, nameIn } from '../names.ts';
import type { ItemPage, ItemPlace, ItemReport, MutationResult } from '../result.ts';
import { type Checkpoint, type Declared, type DeclaredItem, readCheckpoint } from '../submission.ts';

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
  const { names = {}, earlier } = view.entry;
  const before = earlierByItem(earlier);
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
      ...before(item.itemId),
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
export function reportPlannedItems(
  { items }: Declared,
  names: Names,
  earlier: Json | undefined,
  page: ItemPage,
): Report {
  const before = earlierByItem(earlier);
  return pageOfItems(
    items.map((item) => ({ ...itemReport(item, names, 'pending'), ...before(item.itemId) })),
    page,
  );
}

/** The Asset that stood in the place of an item, by the item's id. */
function earlierByItem(earlier: Json | undefined): (itemId: string) => { readonly earlier?: Json } {
  const parsed = z.object({ items: z.array(earlierItem) }).safeParse(earlier);
  const items = new Map(parsed.data?.items.map(({ itemId, ...asset }) => [itemId, asset]));
  return (itemId) => {
    const asset = items.get(itemId);
    return asset === undefined ? {} : { earlier: asset };
  };
}

const earlierItem = z.object({ itemId: z.string() }).catchall(z.json());

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
