import type { ConnectionKey } from '../../src/connections/key.ts';
import type { Grant, Place } from '../../src/connections/grant.ts';
import type { TokenRecords } from '../../src/connections/ports.ts';
import type { AtomicStore, Claim, Entry, Swap } from '../../src/storage/atomic-store.ts';
import type { Random } from './random.ts';
import type { Actor, Scheduler } from './scheduler.ts';

export interface Store extends Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'> {
  /** Writes whatever is there, which only a mistake does. */
  put(key: string, value: string): Promise<Entry>;
}

/** What outlives every process: the atomic store, and the records of tokens. */
export class Disk {
  readonly entries = new Map<string, Entry>();
  readonly grants = new Map<string, Grant>();

  store(scheduler: Scheduler, actor: Actor): Store {
    const { entries } = this;
    return {
      get: (key) => scheduler.io(actor, `get ${short(key)}`, () => entries.get(key) ?? null),
      put: (key, value) =>
        scheduler.io(actor, `overwrite ${short(key)}`, () => {
          const current = { key, value, version: (entries.get(key)?.version ?? 0) + 1 };
          entries.set(key, current);
          return current;
        }),
      putIfAbsent: (key, value) =>
        scheduler.io(actor, `put ${short(key)}`, (): Claim => {
          const there = entries.get(key);
          if (there !== undefined) return { won: false, current: there };
          const current = { key, value, version: 1 };
          entries.set(key, current);
          return { won: true, current };
        }),
      compareAndSet: (key, version, value) =>
        scheduler.io(actor, `set ${short(key)}`, (): Swap => {
          const there = entries.get(key);
          if (there === undefined) return { outcome: 'absent' };
          if (there.version !== version) return { outcome: 'changed', current: there };
          const current = { key, value, version: version + 1 };
          entries.set(key, current);
          return { outcome: 'swapped', current };
        }),
      scan: (prefix, after, limit) =>
        scheduler.io(actor, `scan ${short(prefix)}`, () =>
          [...entries.values()]
            .filter(({ key }) => key.startsWith(prefix) && (after === null || key > after))
            .sort((one, other) => (one.key < other.key ? -1 : 1))
            .slice(0, limit),
        ),
    };
  }

  records(scheduler: Scheduler, random: Random, actor: Actor): TokenRecords {
    const { grants } = this;
    return {
      write: (_key: ConnectionKey, place, grant) =>
        scheduler.io(actor, `write tokens ${nameOf(place)}`, () => {
          grants.set(nameOf(place), grant);
        }),
      // A record never changes, so only now and then does it matter when it is read.
      read: async (_key, place) =>
        random.chance(0.8)
          ? (grants.get(nameOf(place)) ?? null)
          : scheduler.io(actor, `read tokens ${nameOf(place)}`, () => grants.get(nameOf(place)) ?? null),
      remove: (_key, place) =>
        scheduler.io(actor, `remove tokens ${nameOf(place)}`, () => {
          grants.delete(nameOf(place));
        }),
      list: async () => [],
    };
  }
}

export function nameOf({ connection, generation }: Place): string {
  return `${connection}:${generation}`;
}

function short(key: string): string {
  return key.length > 48 ? `${key.slice(0, 12)}…${key.slice(-12)}` : key;
}
