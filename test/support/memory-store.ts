import type { AtomicStore, StoredValue, IndexOf } from '../../src/store/kv.ts';
import { memoryLists } from './memory-lists.ts';

/** An atomic store that lives as long as the process, for what only needs its answers. */
export function memoryStore(
  indexOf: IndexOf = () => [],
): AtomicStore & { readonly entries: ReadonlyMap<string, StoredValue> } {
  const entries = new Map<string, StoredValue>();
  const lists = memoryLists(entries, indexOf);
  const write = (key: string, value: string, version: number): StoredValue => {
    const current = { key, value, version };
    entries.set(key, current);
    return current;
  };
  return {
    entries,
    get: async (key) => entries.get(key) ?? null,
    async put(key, value) {
      write(key, value, (entries.get(key)?.version ?? 0) + 1);
    },
    async putIfAbsent(key, value) {
      const there = entries.get(key);
      return there === undefined
        ? { won: true, current: write(key, value, 1) }
        : { won: false, current: there };
    },
    async compareAndSet(key, version, value) {
      const there = entries.get(key);
      if (there === undefined) return { outcome: 'absent' };
      if (there.version !== version) return { outcome: 'changed', current: there };
      return { outcome: 'swapped', current: write(key, value, version + 1) };
    },
    scan: async () => {
      throw new Error('Nothing here scans.');
    },
    page: async (page) => lists.page(page),
    count: async (list) => lists.count(list),
  };
}
