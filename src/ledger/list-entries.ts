import { storeError } from '../storage/store-error.ts';
import { type LedgerEntry, parseEntry } from './entry.ts';
import type { LedgerIo } from './io.ts';
import type { ListFilter, ListPage, ListPosition } from './ledger.ts';
import type { Liveness } from './liveness.ts';
import { entryKey } from './scope.ts';
import { type EntryView, viewOf } from './standing.ts';

/** So many entries are looked at for one page, beside those that are in it. */
const mostPassedOver = 1_000;

/** One page of the entries that stand in these lists, newest first. */
export async function listEntries(
  io: LedgerIo,
  liveness: Liveness,
  lists: readonly string[],
  { state, since, after, limit }: ListFilter,
): Promise<ListPage> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw storeError('store_refused', 'A page of the ledger has 1 to 200 entries.');
  }
  const mark = since === undefined ? '' : new Date(since).toISOString();
  const views: EntryView[] = [];
  let last: ListPosition | null = after ?? null;
  for (let passedOver = 0; passedOver < mostPassedOver; ) {
    const before = last === null ? null : { place: last.createdAt, key: last.key };
    // One more than fits, which tells whether there is a next page.
    const page = await io.store.page({ lists, before, mark, limit: limit + 1 });
    for (const { key, value } of page) {
      const entry = parseEntry(key, value);
      const view = viewOf(entry, await liveness.isLive(entry));
      const matches = state === undefined || state === 'open' || view.standing === state;
      if (matches && views.length === limit) return { views, next: last };
      if (matches) views.push(view);
      else passedOver += 1;
      last = positionOf(entry);
    }
    if (page.length <= limit) return { views, next: null };
  }
  return { views, next: last };
}

export function positionOf(entry: LedgerEntry): ListPosition {
  return { createdAt: entry.createdAt, key: entryKey(entry, entry.clientMutationId) };
}
