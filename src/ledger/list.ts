import { storeError } from '../storage/store-error.ts';
import { type LedgerEntry, parseEntry } from './entry.ts';
import type { LedgerIo } from './io.ts';
import type { Filter, Page, Place } from './ledger.ts';
import type { Life } from './life.ts';
import { ledgerPrefix } from './scope.ts';
import { isOpen, type View, viewOf } from './standing.ts';

const storePage = 500;

interface Found {
  readonly place: Place;
  readonly entry: LedgerEntry;
}

/**
 * One page of the entries below `prefix`, newest first. Reads all of them: a ledger has as many entries as a
 * person made changes, and an index would be a second thing to keep true.
 */
export async function listEntries(io: LedgerIo, life: Life, prefix: string, filter: Filter): Promise<Page> {
  const { state, since, after, limit } = filter;
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw storeError('store_refused', 'A page of the ledger has 1 to 200 entries.');
  }
  const from = since === undefined ? null : Date.parse(since);
  const candidates = (await readAll(io, prefix))
    .filter(({ entry }) => from === null || Date.parse(entry.updatedAt) >= from)
    .filter(({ place }) => after === undefined || compare(after, place) < 0)
    .sort((a, b) => compare(a.place, b.place));
  const views: View[] = [];
  let last: Place | null = null;
  for (const { place, entry } of candidates) {
    const live = await life.isLive(entry);
    const view = viewOf(entry, live);
    if (state === 'open' ? !isOpen(entry) : state !== undefined && view.standing !== state) continue;
    if (views.length === limit) return { views, next: last };
    views.push(view);
    last = place;
  }
  return { views, next: null };
}

/** In no particular order. */
export async function allEntries(io: LedgerIo): Promise<LedgerEntry[]> {
  return (await readAll(io, ledgerPrefix)).map(({ entry }) => entry);
}

async function readAll(io: LedgerIo, prefix: string): Promise<Found[]> {
  const all: Found[] = [];
  for (let after: string | null = null; ; ) {
    const page = await io.store.scan(prefix, after, storePage);
    for (const { key, value } of page) {
      const entry = parseEntry(key, value);
      all.push({ place: { createdAt: entry.createdAt, key }, entry });
      after = key;
    }
    if (page.length < storePage) return all;
  }
}

/** Newest first; what was made in the same moment, by key. */
function compare(a: Place, b: Place): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
