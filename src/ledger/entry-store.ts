import type { Clock } from '../clock.ts';
import type { AtomicStore, IndexOf, Listing, StoredValue } from '../storage/atomic-store.ts';
import type { LeaseIo, LeaseJudge } from '../storage/lease.ts';
import { storeError } from '../storage/store-error.ts';
import {
  type EntryState,
  entryKey,
  type LedgerEntry,
  ledgerPrefix,
  parseEntry,
  parseEntryOrNull,
  type SettledOutcome,
  type UserScope,
  userPrefix,
  writeEntry,
} from './entry.ts';
import {
  type EntryView,
  isOpen,
  type ListFilter,
  type ListPage,
  type ListPosition,
  mayClaimAgain,
  type Standing,
  viewEntry,
} from './ledger.ts';

/** All that the ledger touches of the world, so that it can be run under another store, clock and machine. */
export interface LedgerIo extends LeaseIo {
  /** Its lists are those of `ledgerIndex`. */
  readonly store: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'page' | 'count'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** An entry as it was read; changing it succeeds only while it is still so. */
export interface StoredEntry {
  readonly entry: LedgerEntry;
  readonly version: number;
}

/** Reads an entry from the store; null where there is none. */
export async function readEntry(io: LedgerIo, key: string): Promise<StoredEntry | null> {
  const stored = await io.store.get(key);
  return stored === null ? null : parseStoredEntry(stored);
}

/** An entry as the store holds it, parsed. */
export function parseStoredEntry({ key, value, version }: StoredValue): StoredEntry {
  return { entry: parseEntry(key, value), version };
}

/** Changes an entry if it is still as it was read; null where it is not. */
export async function swapEntry(
  io: LedgerIo,
  key: string,
  { entry, version }: StoredEntry,
  changes: Partial<LedgerEntry>,
): Promise<LedgerEntry | null> {
  const next = { ...entry, ...changes, updatedAt: new Date(io.clock.now()).toISOString() };
  const swap = await io.store.compareAndSet(key, version, writeEntry(next));
  return swap.outcome === 'swapped' ? next : null;
}

/**
 * Changes an entry by compare-and-set: `change` is called again with the new entry whenever another process was faster,
 * and answers null to leave the entry as it is.
 * @returns the entry as it is then
 */
export async function updateEntry(
  io: LedgerIo,
  key: string,
  change: (entry: LedgerEntry) => Partial<LedgerEntry> | null,
): Promise<LedgerEntry> {
  for (;;) {
    const stored = await readEntry(io, key);
    if (stored === null) {
      throw storeError(
        'store_unreadable',
        'An entry of the ledger vanished: restore the whole data folder from a backup.',
      );
    }
    const changes = change(stored.entry);
    if (changes === null) return stored.entry;
    const moved = await swapEntry(io, key, stored, changes);
    if (moved !== null) return moved;
  }
}

/** What an entry is found by. `mutations/`, which knows what an intent means, chooses the words. */
export interface Keywords {
  /** Within its scope, while it is open. */
  readonly whileOpen: readonly string[];
  /** Within its scope, once the service has said that all or part of it was done. */
  readonly onceDone: readonly string[];
  /**
   * The names of the blobs that it keeps on this machine, as long as it is open or may be sent again. Null: that can't
   * be told.
   */
  readonly keeps: readonly string[] | null;
}

/** Must depend on the entry alone, and must not throw. */
type KeywordsOf = (entry: LedgerEntry) => Keywords;

/** The lists that the ledger's entries stand in. Anything else in the store stands in none. */
export function ledgerIndex(keywordsOf: KeywordsOf): IndexOf {
  return (key, value) => {
    if (!key.startsWith(ledgerPrefix)) return [];
    const entry = parseEntryOrNull(key, value);
    return entry === null ? unreadable(key) : listingsOf(entry, keywordsOf(entry));
  };
}

type StateList = EntryState | SettledOutcome;

/** The names of the lists. Within each the newest entry comes last. */
export const lists = {
  /** Entries that are damaged: all of them, or those of one user. */
  unreadable: (of: UserScope | null) => `${of === null ? ledgerPrefix : userPrefix(of)} unreadable`,
  /** Entries of which it can't be told what they keep. */
  keepsUnknown: 'ledger keeps unknown',
  all: (of: UserScope) => `${userPrefix(of)} all`,
  open: (of: UserScope) => `${userPrefix(of)} open`,
  /** Entries that may have the standing: one whose holder has died does not stand as it is stored. */
  standing: (of: UserScope, standing: Standing) => stateLists[standing].map((state) => stateList(of, state)),
  whileOpen: (of: UserScope, keyword: string) => `${userPrefix(of)} open ${keyword}`,
  onceDone: (of: UserScope, keyword: string) => `${userPrefix(of)} done ${keyword}`,
  keeps: (name: string) => `ledger keeps ${name}`,
};

const stateLists: Record<Standing, readonly StateList[]> = {
  processing: ['claimed', 'sending', 'processing'],
  unresolved: ['claimed', 'sending', 'unresolved'],
  not_sent: ['claimed', 'not_sent'],
  succeeded: ['succeeded'],
  partial: ['partial'],
  failed: ['failed'],
  rolled_back: ['rolled_back'],
  refused: ['refused'],
};

/** A mark after every date: an open entry keeps its blobs, however long ago it was changed. */
const always = '~';

function listingsOf(entry: LedgerEntry, keywords: Keywords): Listing[] {
  const { state, outcome, createdAt, updatedAt } = entry;
  const open = isOpen(entry);
  const done = outcome === 'succeeded' || outcome === 'partial';
  const at = (list: string, mark = updatedAt): Listing => ({ list, place: createdAt, mark });
  const keeping = open || mayClaimAgain(entry) ? keywords.keeps : [];
  const keeps = keeping === null ? [lists.keepsUnknown] : keeping.map((name) => lists.keeps(name));
  return [
    at(lists.all(entry)),
    ...(open ? [at(lists.open(entry))] : []),
    at(stateList(entry, state === 'settled' ? (outcome ?? 'unresolved') : state)),
    ...(open ? keywords.whileOpen.map((word) => at(lists.whileOpen(entry, word), '')) : []),
    ...(done ? keywords.onceDone.map((word) => at(lists.onceDone(entry, word), '')) : []),
    ...keeps.map((list) => at(list, open ? always : updatedAt)),
  ];
}

/** The key alone tells which user it is of. */
function unreadable(key: string): Listing[] {
  const [ledger, user] = key.split('/');
  const prefixes = [ledgerPrefix, `${ledger}/${user}/`];
  return prefixes.map((prefix) => ({ list: `${prefix} unreadable`, place: '', mark: '' }));
}

function stateList(of: UserScope, state: StateList): string {
  return `${userPrefix(of)} is ${state}`;
}

/** How many entries that do not match are read for one page. */
const mostPassedOver = 1_000;

/** One page of the entries that stand in these lists, newest first. */
export async function listEntries(
  io: LedgerIo,
  judge: LeaseJudge,
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
      const view = viewEntry(entry, await judge.isLive(entry.owner));
      const matches = state === undefined || state === 'open' || view.standing === state;
      if (matches && views.length === limit) return { views, next: last };
      if (matches) views.push(view);
      else passedOver += 1;
      last = listPositionOf(entry);
    }
    if (page.length <= limit) return { views, next: null };
  }
  return { views, next: last };
}

/** Where an entry stands in a list, to page on from there. */
export function listPositionOf(entry: LedgerEntry): ListPosition {
  return { createdAt: entry.createdAt, key: entryKey(entry, entry.clientMutationId) };
}
