import type { AtomicStore, InsertResult, StoredValue, SwapResult } from '../../src/storage/atomic-store.ts';
import { storeError } from '../../src/storage/store-error.ts';
import { indexOf } from '../support/ledger-index.ts';
import { memoryLists } from '../support/memory-lists.ts';
import type { Actor, Scheduler } from './scheduler.ts';

export interface Store
  extends Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan' | 'page' | 'count'> {
  /** Writes whatever is there, which only a mistake does. */
  put(key: string, value: string): Promise<StoredValue>;
}

/** The file of the atomic store. */
class StoreFile {
  readonly entries: Map<string, StoredValue>;
  readonly lists: ReturnType<typeof memoryLists>;

  constructor(entries: Iterable<readonly [string, StoredValue]>) {
    this.entries = new Map(entries);
    this.lists = memoryLists(this.entries, indexOf);
  }
}

/** What outlives every process: the atomic store. */
export class Disk {
  #file = new StoreFile([]);
  /** Nothing more can be written; what is there can be read. */
  full = false;
  /** Is told of every change of an entry. */
  written: (entry: StoredValue) => void = () => {};
  /** Is told of every write that failed, by its name. */
  reach: (what: string) => void = () => {};
  signIns = 0;

  get entries(): Map<string, StoredValue> {
    return this.#file.entries;
  }

  /** A copy takes the place of the store's file: whoever has opened it has the old one still. */
  replace(): void {
    this.#file = new StoreFile(this.#file.entries);
  }

  /** @param trusting a mistake: whether its file still is the store's is never asked */
  store(scheduler: Scheduler, actor: Actor, trusting = false): Store {
    const file = this.#file;
    const { entries, lists } = file;
    const write = (key: string, value: string, version: number): StoredValue => {
      if (this.full) {
        this.reach(`the disk is full: ${nameOfKey(key, value).split(' ')[0]}`);
        throw storeError('store_full', 'The disk is full.');
      }
      const current = { key, value, version };
      entries.set(key, current);
      if (file === this.#file) this.written(current);
      return current;
    };
    const opened = <Value>(effect: () => Value) => {
      if (file !== this.#file && !trusting) {
        this.reach('the store was replaced under it');
        throw storeError('store_replaced', 'The store was replaced.');
      }
      return effect();
    };
    const io = <Value>(what: string, key: string, value: string, effect: () => Value) =>
      scheduler.io(
        actor,
        () => `${what} ${nameOfKey(key, value)}`,
        () => opened(effect),
      );
    const look = <Value>(what: string, key: string, see: () => Value) =>
      scheduler.look(
        actor,
        () => `${what} ${nameOfKey(key, null)}`,
        () => opened(see),
      );
    return {
      get: (key) => look('get', key, () => entries.get(key) ?? null),
      put: (key, value) =>
        io('overwrite', key, value, () => write(key, value, (entries.get(key)?.version ?? 0) + 1)),
      putIfAbsent: (key, value) =>
        io('put', key, value, (): InsertResult => {
          const there = entries.get(key);
          if (there !== undefined) return { won: false, current: there };
          return { won: true, current: write(key, value, 1) };
        }),
      compareAndSet: (key, version, value) =>
        io('set', key, value, (): SwapResult => {
          const there = entries.get(key);
          if (there === undefined) return { outcome: 'absent' };
          if (there.version !== version) return { outcome: 'changed', current: there };
          return { outcome: 'swapped', current: write(key, value, version + 1) };
        }),
      scan: (prefix, after, limit) =>
        look('scan', prefix, () =>
          [...entries.values()]
            .filter(({ key }) => key.startsWith(prefix) && (after === null || key > after))
            .sort((one, other) => (one.key < other.key ? -1 : 1))
            .slice(0, limit),
        ),
      page: (page) => look('page', page.lists[0] ?? '', () => lists.page(page)),
      count: (list) => look('count', list, () => lists.count(list)),
    };
  }
}

/** `ledger:sending …000000000001`: what is written into the ledger tells which step it is. */
function nameOfKey(key: string, value: string | null): string {
  const [folder = '', ...path] = key.split(/[/:]/);
  const state = folder === 'ledger' ? value?.match(/[{,]"state":"(\w+)"/)?.[1] : undefined;
  const rest = path.join('/');
  return `${state === undefined ? folder : `${folder}:${state}`} …${rest.slice(-12)}`;
}
