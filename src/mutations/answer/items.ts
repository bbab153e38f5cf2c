import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import type { ItemState, MutationItem } from '../../ledger/rows.ts';
import { shortLine } from '../../model/target.ts';
import type { DeclaredItem } from '../change.ts';
import type { Receipt, ReceiptItem } from '../receipt.ts';
import type { ItemPage, ItemReport } from './result.ts';
import { type Names, namedTarget } from './words.ts';

/** The first page: what failed or is open. */
export const firstItems: ItemPage = { all: false, from: 0, limit: 25 };

const keptPlace = z.object({
  kind: z.string(),
  id: z.union([z.string(), z.number()]),
  slot: z.string(),
  filename: z.string().optional(),
});

/** Where an item goes, as the ledger keeps it to be shown. */
export function placeOfItem({ target: { kind, id }, slot, file }: DeclaredItem): Json {
  return { kind, id, slot, ...(file === null ? {} : { filename: file.filename }) };
}

/** A page of the items of a submission, and how many stand how. */
export interface ItemsTold {
  readonly counts: Readonly<Record<string, number>>;
  readonly items: readonly ItemReport[];
  /** Where the next page begins; null on the last one. */
  readonly nextItems: number | null;
}

/**
 * The items of a submission.
 * @param isOver whether the service has ended it: then its own word counts alone
 */
export function tellItems(
  kept: readonly MutationItem[],
  receipt: Receipt | null,
  isOver: boolean,
  names: Names,
  page: ItemPage,
): ItemsTold {
  const said = new Map((receipt?.items ?? []).map((item) => [item.itemId.toLowerCase(), item]));
  const all = kept.map((item) => reportOf(item, said.get(item.item.toLowerCase()), isOver, names));
  return { counts: countsOf(all), ...pageOf(all, page) };
}

/** How many items stand how. */
export function countsOf(items: readonly Pick<ItemReport, 'status'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** A page of items, what failed or is open first. */
export function pageOf(
  all: readonly ItemReport[],
  { all: isWhole, from, limit }: ItemPage,
): Pick<ItemsTold, 'items' | 'nextItems'> {
  const open = all.filter(({ status }) => status !== 'succeeded');
  const wanted = isWhole ? [...open, ...all.filter(({ status }) => status === 'succeeded')] : open;
  const items = wanted.slice(from, from + limit);
  return { items, nextItems: from + items.length < wanted.length ? from + items.length : null };
}

/** What is known here where the service was not asked. */
const ownWords: Readonly<Record<ItemState, string>> = {
  fresh: 'pending',
  lost: 'unresolved',
  arrived: 'processing',
  refused: 'failed',
};

const ends: ReadonlySet<string> = new Set(['succeeded', 'failed']);

function reportOf(
  { item, place, digest, state, error: kept }: MutationItem,
  said: ReceiptItem | undefined,
  isOver: boolean,
  names: Names,
): ItemReport {
  const { kind, id, slot, filename } = keptPlace.safeParse(place).data ?? {
    kind: 'target',
    id: '?',
    slot: '',
  };
  const word = said?.status ?? null;
  // A success that comes with an error is none.
  const isContradicted = word === 'succeeded' && said !== undefined && said.error !== null;
  const own = digest === null && state === 'fresh' ? 'processing' : ownWords[state];
  const counts = word !== null && !isContradicted && (isOver || ends.has(word));
  const error = said?.error ?? (kept === null ? null : { code: kept.code, message: kept.message });
  return {
    itemId: item,
    ...(filename === undefined ? {} : { filename: shortLine(filename) }),
    target: namedTarget(names, kind, id),
    slot,
    status: counts && word !== null ? word : isContradicted ? 'unresolved' : own,
    ...(said?.assetId ? { assetId: said.assetId } : {}),
    ...(error === null ? {} : { error: { code: error.code, message: error.message.slice(0, 300) } }),
  };
}
