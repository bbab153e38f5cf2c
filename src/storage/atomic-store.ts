import { createHash } from 'node:crypto';
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

/** An entry's row in one list of the index. */
export interface Listing {
  /** The list's name; the index chooses it. */
  readonly list: string;
  /** The list is ordered by this text. */
  readonly place: string;
  /** A page can leave out rows with a lower mark. */
  readonly mark: string;
}

/**
 * The lists that an entry stands in. It must depend on the key and the value alone, and must not throw: the store calls
 * it in the transaction that writes the entry.
 */
export type IndexOf = (key: string, value: string) => readonly Listing[];

export interface PageOfLists {
  /** An entry that stands in several of them is in the page once, at its last place. */
  readonly lists: readonly string[];
  /** The page begins below this place (null: at the end of the lists). */
  readonly before: { readonly place: string; readonly key: string } | null;
  /** Only entries with this mark or a higher one; '' leaves nothing out. */
  readonly mark: string;
  /** 1 to 1000. */
  readonly limit: number;
}

/**
 * Holds what several processes contend for: claims, pointers, the ledger. Every operation is atomic among all processes
 * that share the store, and every write is on the disk when its promise resolves. Nothing is deleted: a claim stands for
 * ever, and no version is used twice.
 *
 * Keys are 1 to 512 bytes of UTF-8 without control characters, values at most 4 MiB without U+0000; both
 * must be well-formed Unicode. Anything else is `store_refused`. A failing operation rejects with an
 * ArtworkError whose code is in `StoreErrorCode`. A write that rejects may still have happened: the caller reads again.
 * A store that can't be read is never taken for an empty one.
 */
export interface AtomicStore {
  get(key: string): Promise<StoredValue | null>;

  /** Overwrites. For values that only one process ever changes. */
  put(key: string, value: string): Promise<void>;

  /** Writes if the key does not exist; exactly one of the callers wins. */
  putIfAbsent(key: string, value: string): Promise<InsertResult>;

  /** Writes if the key is still at `version`; of the callers with one version, at most one succeeds. */
  compareAndSet(key: string, version: number, value: string): Promise<SwapResult>;

  /**
   * One page of the keys that begin with `prefix` and come after `after` (null: from the first), in the order of their
   * UTF-8 bytes. At most `limit` (1 to 1000) entries; fewer mean that there are no more. A change between two pages may
   * be missed.
   */
  scan(prefix: string, after: string | null, limit: number): Promise<readonly StoredValue[]>;

  /**
   * One page of the entries in the lists, the last place first; fewer than `limit` mean that there are no more. It shows
   * all that was written before the call, and its cost does not grow with the number of entries.
   */
  page(page: PageOfLists): Promise<readonly StoredValue[]>;

  /** How many entries stand in a list. Reads no entry. */
  count(list: string): Promise<number>;
}

export const maxKeyBytes = 512;
export const maxValueBytes = 4 * 1024 * 1024;
export const maxPage = 1000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly what a key must not contain
const unfitForKey = /[\u0000-\u001f\u007f\p{Surrogate}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 ends a text in SQLite
const unfitForValue = /[\u0000\p{Surrogate}]/u;

/**
 * Refuses a key that the store can't hold.
 * @throws store_refused
 */
export function requireFitKey(key: string): void {
  if (key === '' || Buffer.byteLength(key) > maxKeyBytes || unfitForKey.test(key)) {
    throw storeError(
      'store_refused',
      `A key must be 1 to ${maxKeyBytes} bytes of text without control characters.`,
    );
  }
}

/**
 * Refuses a value that the store can't hold.
 * @throws store_refused, also for text that UTF-8 or the engine would change silently
 */
export function requireFitValue(value: string): void {
  if (Buffer.byteLength(value) > maxValueBytes || unfitForValue.test(value)) {
    throw storeError('store_refused', `A value must be at most ${maxValueBytes} bytes of well-formed text.`);
  }
}

/**
 * Refuses a number of entries that no page of the store can have.
 * @throws store_refused
 */
export function requireFitPageSize(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPage) {
    throw storeError('store_refused', `A page must have 1 to ${maxPage} entries.`);
  }
}

/**
 * Refuses a page of a list, by its names and its size, that the store can't read.
 * @throws store_refused
 */
export function requireFitPage(prefix: string, after: string | null, limit: number): void {
  if (prefix !== '') requireFitKey(prefix);
  if (after !== null && after !== '') requireFitKey(after);
  requireFitPageSize(limit);
}

/** A list's name as the engines keep it. Short, since an entry has a row in each of its lists. */
export function listId(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}
