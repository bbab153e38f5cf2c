import {
  type ConnectionKey,
  connectionId,
  connectionKey,
  type Grant,
  type GrantPosition,
  type TokenRecords,
} from '../../../src/connections/grant.ts';
import type { Marks, StoredValue } from '../../../src/store/kv.ts';
import type { Random } from '../random.ts';
import type { Actor, Scheduler } from '../scheduler.ts';

export const key = connectionKey('https://catalogue.example', 'app', 'default');
export const started = Date.UTC(2026, 0, 1);

/** What outlives every process: small marks, and the records of tokens. */
export class Disk {
  readonly entries = new Map<string, StoredValue>();
  readonly grants = new Map<string, Grant>();
  /** Is told of every change of a mark. */
  written: (entry: StoredValue) => void = () => {};

  store(scheduler: Scheduler, actor: Actor): Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'> {
    const { entries } = this;
    const write = (name: string, value: string, version: number): StoredValue => {
      const current = { key: name, value, version };
      entries.set(name, current);
      this.written(current);
      return current;
    };
    return {
      get: (name) => scheduler.look(actor, `get ${name}`, () => entries.get(name) ?? null),
      putIfAbsent: (name, value) =>
        scheduler.io(actor, `put ${name}`, () => {
          const there = entries.get(name);
          if (there !== undefined) return { won: false, current: there };
          return { won: true, current: write(name, value, 1) };
        }),
      compareAndSet: (name, version, value) =>
        scheduler.io(actor, `set ${name}`, () => {
          const there = entries.get(name);
          if (there === undefined) return { outcome: 'absent' as const };
          if (there.version !== version) return { outcome: 'changed' as const, current: there };
          return { outcome: 'swapped' as const, current: write(name, value, version + 1) };
        }),
      scan: (prefix, after, limit) =>
        scheduler.look(actor, `scan ${prefix}`, () =>
          [...entries.values()]
            .filter((entry) => entry.key.startsWith(prefix) && (after === null || entry.key > after))
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
          : scheduler.look(actor, `read tokens ${nameOf(place)}`, () => grants.get(nameOf(place)) ?? null),
      remove: (_key, place) =>
        scheduler.io(actor, `remove tokens ${nameOf(place)}`, () => {
          grants.delete(nameOf(place));
        }),
      list: () => scheduler.look(actor, 'list tokens', () => [...grants.keys()].map(placeOf)),
    };
  }
}

function placeOf(name: string): GrantPosition {
  const [connection = '', generation = ''] = name.split(':');
  return { connection: connectionId.parse(connection), generation: Number(generation) };
}

function nameOf({ connection, generation }: GrantPosition): string {
  return `${connection}:${generation}`;
}

/** Says what must never happen to a connection. */
export class Watch {
  readonly violations: string[] = [];
  readonly #step: () => number;
  readonly #presented = new Map<string, number>();

  constructor(step: () => number) {
    this.#step = step;
  }

  /** A refresh token leaves; it may again once it is proven that it was not consumed. */
  presents(token: string): () => void {
    const open = this.#presented.get(token) ?? 0;
    if (open > 0) this.stuck(`refresh token ${token} is presented twice`);
    this.#presented.set(token, open + 1);
    return () => this.#presented.set(token, (this.#presented.get(token) ?? 1) - 1);
  }

  stuck(what: string): void {
    this.violations.push(`step ${this.#step()}: ${what}`);
  }
}
