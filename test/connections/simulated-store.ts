import type { Grant, GrantPosition, Io, StoredPosition, TokenRecords } from '../../src/connections/grant.ts';
import type { StoredValue } from '../../src/storage/atomic-store.ts';
import { key, type World } from './simulated-world.ts';

/** A store that all processes share; each operation happens between two turns, and may be the last. */
export function simulateStore(world: World) {
  const entries = new Map<string, StoredValue>();
  const records = new Map<string, { readonly place: StoredPosition; readonly grant: Grant }>();
  /** Every refresh token that was ever stored. */
  const stored = new Set<string>();
  const effectOf =
    (process: number) =>
    async <T>(work: () => T): Promise<T> => {
      await world.turn(process);
      const result = work();
      await world.turn(process);
      return result;
    };
  const atomicFor = (process: number): Io['atomic'] => {
    const effect = effectOf(process);
    const write = (name: string, value: string): StoredValue => {
      const entry = { key: name, value, version: (entries.get(name)?.version ?? 0) + 1 };
      entries.set(name, entry);
      return entry;
    };
    const claim = (name: string, value: string) => {
      const found = entries.get(name);
      return found === undefined
        ? { won: true, current: write(name, value) }
        : { won: false, current: found };
    };
    return {
      get: (name) => effect(() => entries.get(name) ?? null),
      async putIfAbsent(name, value) {
        if (world.mistake !== 'claim_not_atomic') return effect(() => claim(name, value));
        const found = await effect(() => entries.get(name));
        if (found !== undefined) return { won: false, current: found };
        return effect(() => ({ won: true, current: write(name, value) }));
      },
      compareAndSet: (name, version, value) =>
        effect(() => {
          const found = entries.get(name);
          if (found === undefined) return { outcome: 'absent' };
          const compared = world.mistake !== 'pointer_not_compared' || name !== key.pointer;
          if (compared && found.version !== version) return { outcome: 'changed', current: found };
          return { outcome: 'swapped', current: write(name, value) };
        }),
      scan: (prefix, after, limit) =>
        effect(() =>
          [...entries.values()]
            .filter((entry) => entry.key.startsWith(prefix) && entry.key > (after ?? ''))
            .sort((a, b) => (a.key < b.key ? -1 : 1))
            .slice(0, limit),
        ),
    };
  };
  const recordsFor = (process: number): TokenRecords => {
    const effect = effectOf(process);
    const nameOf = ({ connection, generation }: GrantPosition) => `${connection}:${generation}`;
    return {
      async write(_key, place, grant) {
        const put = () => {
          records.set(nameOf(place), { place: { ...place, storedAt: world.now }, grant });
          if (grant.refreshToken !== null) stored.add(grant.refreshToken.reveal());
        };
        if (world.mistake === 'record_late') void world.turn(process, world.now + 1000).then(put);
        else await effect(put);
      },
      read: (_key, place) => effect(() => records.get(nameOf(place))?.grant ?? null),
      remove: (_key, place) =>
        effect(() => {
          records.delete(nameOf(place));
        }),
      list: () => effect(() => [...records.values()].map(({ place }) => place)),
    };
  };

  return { entries, records, stored, atomic: atomicFor, tokens: recordsFor };
}
