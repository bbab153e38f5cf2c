import { randomUUID } from 'node:crypto';
import { storeError } from './errors.ts';
import { numberIn, type Sql, type Statement, sql, textIn } from './sql.ts';

/** A change of the schema, or of what stands in its rows, takes the next number. */
const schemaNumber = 6;

/**
 * The tables, in the words of SQLite. Texts compare by the bytes of their UTF-8 on both engines.
 *
 * A change is one row that is small and read often, its body (written once), one row for each item, and one for each key
 * by which it is found. A connection is one record, read and changed as a whole. `person` is ARTWORK_USER. `state` and
 * `doubt` are places in the lists of `ledger/rows.ts`: 3 is `settled`.
 */
const tables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS artwork.store (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, sequence INTEGER NOT NULL
  )`,

  `CREATE TABLE IF NOT EXISTS artwork.mutation (
    service TEXT NOT NULL, person TEXT NOT NULL, id TEXT NOT NULL,
    operation TEXT NOT NULL, digest TEXT NOT NULL, expected_updated_at TEXT,
    subject TEXT, connection TEXT NOT NULL,
    state INTEGER NOT NULL, doubt INTEGER NOT NULL,
    epoch INTEGER NOT NULL, holder TEXT, beat INTEGER NOT NULL,
    submission TEXT, lookups INTEGER NOT NULL, idle INTEGER NOT NULL,
    tries INTEGER NOT NULL, outcome TEXT, receipt TEXT, error TEXT, abandoned INTEGER,
    created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, settled_seq INTEGER,
    PRIMARY KEY (service, person, id),
    CHECK ((state = 3) = (outcome IS NOT NULL)),
    CHECK ((state = 3) = (settled_seq IS NOT NULL)),
    CHECK (state < 3 OR holder IS NULL)
  )`,
  `CREATE INDEX IF NOT EXISTS mutation_newest ON artwork.mutation (service, person, created_at, id)`,
  `CREATE INDEX IF NOT EXISTS mutation_open
    ON artwork.mutation (service, person, created_at, id, abandoned) WHERE state < 3`,
  `CREATE INDEX IF NOT EXISTS mutation_settled ON artwork.mutation (settled_seq)`,

  `CREATE TABLE IF NOT EXISTS artwork.mutation_body (
    service TEXT NOT NULL, person TEXT NOT NULL, id TEXT NOT NULL,
    intent TEXT NOT NULL, target TEXT NOT NULL, names TEXT NOT NULL,
    earlier TEXT NOT NULL, noticed TEXT NOT NULL,
    admission TEXT, file TEXT NOT NULL, machine TEXT, keeper TEXT,
    PRIMARY KEY (service, person, id)
  )`,
  `CREATE INDEX IF NOT EXISTS mutation_body_keeper
    ON artwork.mutation_body (keeper) WHERE keeper IS NOT NULL`,

  `CREATE TABLE IF NOT EXISTS artwork.mutation_key (
    service TEXT NOT NULL, person TEXT NOT NULL,
    key TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (service, person, key, id)
  )`,
  `CREATE INDEX IF NOT EXISTS mutation_key_id ON artwork.mutation_key (service, person, id)`,

  `CREATE TABLE IF NOT EXISTS artwork.mutation_item (
    service TEXT NOT NULL, person TEXT NOT NULL, id TEXT NOT NULL,
    item TEXT NOT NULL, position INTEGER NOT NULL, place TEXT NOT NULL,
    digest TEXT, length INTEGER,
    state INTEGER NOT NULL, untouched TEXT, error TEXT,
    PRIMARY KEY (service, person, id, item)
  )`,

  `CREATE TABLE IF NOT EXISTS artwork.connection (
    service TEXT NOT NULL, person TEXT NOT NULL,
    version INTEGER NOT NULL, record TEXT NOT NULL, written TEXT NOT NULL,
    PRIMARY KEY (service, person)
  )`,

  `CREATE TABLE IF NOT EXISTS artwork.kv (
    space TEXT NOT NULL, key TEXT NOT NULL,
    value TEXT NOT NULL, version INTEGER NOT NULL, written TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (space, key)
  )`,
  `CREATE INDEX IF NOT EXISTS kv_expires ON artwork.kv (expires) WHERE expires IS NOT NULL`,
];

/** What an engine needs beside the statements that both share. */
export interface Dialect {
  /** Answers a row where tables were made before. */
  readonly made: Statement;
  /** What comes before the first table, in the same transaction. */
  readonly before: readonly Statement[];
  /** A statement of the schema in the engine's words. */
  spelt(statement: string): string;
}

/**
 * Makes the tables where none were, in one transaction: of several processes that start at once one does, and the others
 * find them.
 */
export async function makeTables(database: Sql, { made, before, spelt }: Dialect): Promise<void> {
  if ((await database.read(made)).length > 0) return;
  await database.write(
    ...before,
    ...tables.map((statement) => ({ text: spelt(statement), values: [] })),
    sql`INSERT INTO artwork.store (id, number, sequence) SELECT ${randomUUID()}, ${schemaNumber}, 0
        WHERE NOT EXISTS (SELECT 1 FROM artwork.store)`,
  );
}

/**
 * The id of the store, drawn when its tables were made.
 * @param place where it is, for people
 * @throws store_other_schema, store_unreadable
 */
export async function requireStore(database: Sql, place: string): Promise<string> {
  const [row] = await database.read(sql`SELECT id, number FROM artwork.store`);
  const number = row === undefined ? null : numberIn(row, 'number');
  if (row === undefined || number !== schemaNumber) {
    throw storeError(
      'store_other_schema',
      `The store (${place}) has ${number === null ? 'no schema' : `schema ${number}`}, and this artwork-mcp knows only schema ${schemaNumber}. Run the version that made it. Or end every host that uses it, and begin anew with another ARTWORK_HOME or database. That forgets the sign-in and what was sent.`,
    );
  }
  return textIn(row, 'id');
}
