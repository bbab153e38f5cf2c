import { storeError } from './store-error.ts';

/** One key as it stands. `version` is 1 when the key is first written and grows by one with every change. */
export interface StoredValue {
  readonly key: string;
  readonly value: string;
  readonly version: number;
}

/** `current` is what the key holds now: the caller's value where it won, else the one it lost to. */
export interface InsertResult {
  readonly won: boolean;
  readonly current: StoredValue;
}

export type SwapResult =
  | { readonly outcome: 'swapped'; readonly current: StoredValue }
  | { readonly outcome: 'changed'; readonly current: StoredValue }
  | { readonly outcome: 'absent' };

/** Where an entry stands in one list. */
export interface Listing {
  /** The list's name, in the words of who defines the index. */
  readonly list: string;
  /** Text that orders the list. */
  readonly place: string;
  /** Text that a page of the list can be narrowed by. */
  readonly mark: string;
}

/**
 * Which lists an entry stands in, by what it holds. It must depend on nothing else, must not throw, and must answer
 * the same for the same entry: a store calls it in the transaction that writes the entry, and again for whatever a
 * program wrote that did not know it.
 */
export type IndexOf = (key: string, value: string) => readonly Listing[];

export interface PageOfLists {
  /** An entry that stands in several of them is in the page once, at its last place. */
  readonly lists: readonly string[];
  /** The page begins below this place (null: at the end of the lists). */
  readonly before: { readonly place: string; readonly key: string } | null;
  /** Only what has this mark or one that comes after it; '' leaves nothing out. */
  readonly mark: string;
  /** 1 to 1000. */
  readonly limit: number;
}

/**
 * What several processes contend for: claims, pointers, the ledger. Every operation is atomic among all
 * processes that share the store, and every write is on the disk when its promise resolves. There is no
 * deletion: a claim stands for ever, and versions are never used again.
 *
 * Keys are 1 to 512 bytes of UTF-8 without control characters, values at most 4 MiB without U+0000; both
 * must be well-formed Unicode. Anything else is `store_refused`. A failing operation rejects with an
 * ArtworkError whose code is in `StoreErrorCode`; a write that rejects may still have happened, so read
 * again before concluding anything. Never is a store that can't be read taken for an empty one.
 */
export interface AtomicStore {
  get(key: string): Promise<StoredValue | null>;

  /** Writes whatever is there, for values that only one process ever changes. */
  put(key: string, value: string): Promise<void>;

  /** Writes if the key does not exist; among all that try, exactly one wins. */
  putIfAbsent(key: string, value: string): Promise<InsertResult>;

  /** Writes if the key still is at `version`; among all that try one version, at most one succeeds. */
  compareAndSet(key: string, version: number, value: string): Promise<SwapResult>;

  /**
   * One page of the keys that begin with `prefix`, in the order of their UTF-8 bytes, which come after
   * `after` (null: from the first). At most `limit` (1 to 1000) entries; fewer mean that there are no more.
   * Pages are read one at a time: what changes meanwhile may or may not be seen.
   */
  scan(prefix: string, after: string | null, limit: number): Promise<readonly StoredValue[]>;

  /**
   * One page of the entries that stand in the lists, the last place first; fewer than `limit` mean that there are no
   * more. It shows all that was written when it was asked for, by any program, and its cost does not grow with
   * the number of entries. `store_refused` where the store was opened without an index.
   */
  page(page: PageOfLists): Promise<readonly StoredValue[]>;

  /** How many entries stand in a list. Reads the list's own rows alone, never an entry. */
  count(list: string): Promise<number>;
}

export const maxKeyBytes = 512;
export const maxValueBytes = 4 * 1024 * 1024;
export const maxPage = 1000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly what a key must not contain
const unfitForKey = /[\u0000-\u001f\u007f\p{Surrogate}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 ends a text in SQLite
const unfitForValue = /[\u0000\p{Surrogate}]/u;

/** @throws store_refused */
export function checkKey(key: string): void {
  if (key === '' || Buffer.byteLength(key) > maxKeyBytes || unfitForKey.test(key)) {
    throw storeError(
      'store_refused',
      `A key must be 1 to ${maxKeyBytes} bytes of text without control characters.`,
    );
  }
}

/** @throws store_refused. What UTF-8 or the engine would change silently is refused instead. */
export function checkValue(value: string): void {
  if (Buffer.byteLength(value) > maxValueBytes || unfitForValue.test(value)) {
    throw storeError('store_refused', `A value must be at most ${maxValueBytes} bytes of well-formed text.`);
  }
}

/** @throws store_refused */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPage) {
    throw storeError('store_refused', `A page must have 1 to ${maxPage} entries.`);
  }
}

/** @throws store_refused */
export function checkPage(prefix: string, after: string | null, limit: number): void {
  if (prefix !== '') checkKey(prefix);
  if (after !== null && after !== '') checkKey(after);
  checkLimit(limit);
}
