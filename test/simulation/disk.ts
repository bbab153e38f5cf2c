import { storeError } from '../../src/store/errors.ts';
import { type Sql, type Statement, sql } from '../../src/store/sql.ts';
import { memoryStore } from '../support/memory-store.ts';
import type { Random } from './random.ts';
import { itemsQuery, recordsOf, recordsQuery } from './record.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Watch } from './watch.ts';
import type { Weather } from './weather.ts';

/** One for all schedules of a worker, which run one after the other. */
let database: Promise<Memory> | null = null;

interface Memory {
  readonly id: string;
  readonly sql: Sql;
}

/** The store that every process shares. It outlives all of them. */
export class Disk {
  /** Nothing more can be written; what is there can be read. */
  full = false;
  readonly id: string;
  readonly #database: Sql;

  private constructor({ id, sql: sqlite }: Memory) {
    this.id = id;
    this.#database = sqlite;
  }

  /** An empty one. */
  static async open(): Promise<Disk> {
    database ??= memoryStore();
    const memory = await database;
    await memory.sql.write(
      sql`DELETE FROM artwork.mutation`,
      sql`DELETE FROM artwork.mutation_body`,
      sql`DELETE FROM artwork.mutation_key`,
      sql`DELETE FROM artwork.mutation_item`,
      sql`UPDATE artwork.store SET sequence = 0`,
    );
    return new Disk(memory);
  }

  /** The store, as one process reaches it: each read and each transaction is one step of the scheduler. */
  reachedBy(actor: Actor, world: Around): Sql {
    const { scheduler, random, weather, watch } = world;
    const store = this.#database;
    const commit = async (statements: readonly Statement[]) => {
      const rows = await store.write(...statements);
      const [records, items] = await Promise.all([store.read(recordsQuery), store.read(itemsQuery)]);
      watch.written(actor.name, recordsOf(records, items));
      return rows;
    };
    return {
      read: (statement) =>
        scheduler.look(
          actor,
          () => `read ${nameOf(statement)}`,
          () => {
            if (/FROM artwork\.store/.test(statement.text)) watch.readsOrder(actor.name);
            return handled(store.read(statement));
          },
        ),
      write: async (...statements) => {
        // Between what a process judged and what it does on it those may wake that it took for dead.
        if (random.chance(0.1) && scheduler.wakeAll()) {
          for (let count = random.below(6); count > 0; count -= 1)
            await scheduler.look(actor, 'hesitates', () => {});
        }
        const what = () => `write ${statements.map(nameOf).join(', ')}`;
        return scheduler.io(actor, what, () => {
          if (this.full) throw storeError('store_full', 'The disk is full.');
          const written = commit(statements);
          if (!weather.happens('writeUntold')) return handled(written);
          scheduler.note('nobody hears of it');
          return handled(
            written.then(() => Promise.reject(storeError('store.unreachable', 'It went away.'))),
          );
        });
      },
    };
  }
}

interface Around {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly weather: Weather;
  readonly watch: Watch;
}

/** A process that dies meanwhile hears of no error. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

/** The verb of a statement, and its table. */
function nameOf({ text }: Statement): string {
  const [verb = ''] = text.trim().split(/\s/, 1);
  const table = /\b(?:FROM|INTO|UPDATE)\s+(?:artwork\.)?(\w+)/i.exec(text)?.[1] ?? '';
  return `${table}:${verb.toLowerCase()}`;
}
