import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import type { ItemState, MutationItem } from '../../ledger/rows.ts';
import { shortLine } from '../../model/target.ts';
import type { DeclaredItem } from '../change.ts';
import type { Receipt, ReceiptItem } from '../receipt.ts';
import { type ItemPage, type ItemReport, known } from './result.ts';
import { type Names, namedTarget } from './words.ts';

/** The first page: what failed or is open. */
export const firstItems: ItemPage = { all: false, from: 0, limit: 10 };

/** Where an item goes, as the ledger keeps it to be shown. */
const keptPlace = z
  .object({
    kind: z.string(),
    id: z.union([z.string(), z.number()]),
    slot: z.string(),
    filename: z.string().optional(),
  })
  .catch({ kind: 'target', id: '?', slot: '' });

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

/** How many items stand how, and a page of them, what failed or is open first. */
export function tellPage(all: readonly ItemReport[], { all: isWhole, from, limit }: ItemPage): ItemsTold {
  const counts: Record<string, number> = {};
  for (const { status } of all) counts[status] = (counts[status] ?? 0) + 1;
  const open = all.filter(({ status }) => status !== 'succeeded');
  const wanted = isWhole ? [...open, ...all.filter(({ status }) => status === 'succeeded')] : open;
  const items = wanted.slice(from, from + limit);
  return { counts, items, nextItems: from + items.length < wanted.length ? from + items.length : null };
}

/**
 * The items of a submission that the ledger knows.
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
  const all = kept.map((item): ItemReport => {
    const { kind, id, slot, filename } = keptPlace.parse(item.place);
    const its = said.get(item.item.toLowerCase());
    const error = its?.error ?? item.error;
    return {
      itemId: item.item,
      ...known({ filename: filename === undefined ? null : shortLine(filename) }),
      target: namedTarget(names, kind, id),
      slot,
      status: statusOf(item, its, isOver),
      ...known({
        assetId: its?.assetId,
        error: error === null ? null : shortError(error.code, error.message),
      }),
    };
  });
  return tellPage(all, page);
}

/** What the service says of an item, short enough for a list. */
export function shortError(code: string, message: string): ItemReport['error'] {
  return { code, message: message.slice(0, 300) };
}

/** What is known here where the service was not asked. */
const ownWords: Readonly<Record<ItemState, string>> = {
  fresh: 'pending',
  lost: 'unresolved',
  arrived: 'processing',
  refused: 'failed',
};

function statusOf({ state, digest }: MutationItem, said: ReceiptItem | undefined, isOver: boolean): string {
  const word = said?.status ?? null;
  // A success that comes with an error is none.
  if (word === 'succeeded' && said?.error !== null) return 'unresolved';
  if (word !== null && (isOver || word === 'succeeded' || word === 'failed')) return word;
  // What has no file has arrived with the admission.
  return digest === null && state === 'fresh' ? 'processing' : ownWords[state];
}
