import type { AtomicStore, StoredValue, IndexOf, Listing } from '../../src/store/kv.ts';

type Lists = Pick<AtomicStore, 'page' | 'count'>;

/** The lists of entries in memory, as every engine has to answer them; each answer is of one moment. */
export function memoryLists(entries: ReadonlyMap<string, StoredValue>, indexOf: IndexOf) {
  const known = new WeakMap<StoredValue, readonly Listing[]>();
  const listings = (entry: StoredValue): readonly Listing[] => {
    const seen = known.get(entry) ?? indexOf(entry.key, entry.value);
    known.set(entry, seen);
    return seen;
  };
  const page = ({ lists, before, mark, limit }: Parameters<Lists['page']>[0]): readonly StoredValue[] =>
    [...entries.values()]
      .flatMap((entry) => {
        const places = listings(entry)
          .filter((one) => lists.includes(one.list) && one.mark >= mark)
          .map(({ place }) => place)
          .filter((place) => before === null || compare({ place, key: entry.key }, before) < 0);
        const place = places.sort().at(-1);
        return place === undefined ? [] : [{ place, key: entry.key, entry }];
      })
      .sort((one, other) => compare(other, one))
      .slice(0, limit)
      .map(({ entry }) => entry);
  const count = (list: string): number =>
    [...entries.values()].filter((entry) => listings(entry).some((one) => one.list === list)).length;
  return { page, count };
}

interface At {
  readonly place: string;
  readonly key: string;
}

function compare(one: At, other: At): number {
  const [a, b] = one.place === other.place ? [one.key, other.key] : [one.place, other.place];
  return a === b ? 0 : a < b ? -1 : 1;
}
