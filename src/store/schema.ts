import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type Libsql from 'libsql';
import { lostStoreError, storeError } from './errors.ts';
import type { Database } from './libsql.ts';
import { numberIn, type Sql, sql, textIn } from './sql.ts';

/** A change of the schema, or of what stands in its rows, takes the next number. */
const schemaNumber = 3;

/**
 * The tables. Both engines have the same: TEXT becomes the bytes of UTF-8 in SQLite, and a text in the order of its bytes
 * in PostgreSQL; INTEGER becomes a bigint there.
 *
 * A change is one row that is small and read often, its body (written once), one row for each item, and one for each key
 * by which it is found. A connection is one record, read and changed as a whole. `person` is ARTWORK_USER. `state` and `doubt` are places in the lists of `ledger/rows.ts`: 3 is
 * `settled`.
 */
const tables = `
  CREATE TABLE artwork.store (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    sequence INTEGER NOT NULL
  );

  CREATE TABLE artwork.mutation (
    service TEXT NOT NULL,
    person TEXT NOT NULL,
    id TEXT NOT NULL,
    operation TEXT NOT NULL,
    digest TEXT NOT NULL,
    expected_updated_at TEXT,
    subject TEXT,
    connection TEXT NOT NULL,
    state INTEGER NOT NULL,
    doubt INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    holder TEXT,
    beat INTEGER NOT NULL,
    submission TEXT,
    lookups INTEGER NOT NULL,
    idle INTEGER NOT NULL,
    outcome TEXT,
    receipt TEXT,
    error TEXT,
    abandoned INTEGER,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    settled_seq INTEGER,
    PRIMARY KEY (service, person, id),
    CHECK ((state = 3) = (outcome IS NOT NULL)),
    CHECK ((state = 3) = (settled_seq IS NOT NULL)),
    CHECK (state < 3 OR holder IS NULL)
  );
  CREATE INDEX mutation_newest ON artwork.mutation (service, person, created_at, id);
  CREATE INDEX mutation_open ON artwork.mutation (service, person, created_at, id, abandoned) WHERE state < 3;
  CREATE INDEX mutation_settled ON artwork.mutation (settled_seq);

  CREATE TABLE artwork.mutation_body (
    service TEXT NOT NULL,
    person TEXT NOT NULL,
    id TEXT NOT NULL,
    intent TEXT NOT NULL,
    target TEXT NOT NULL,
    names TEXT NOT NULL,
    earlier TEXT NOT NULL,
    noticed TEXT NOT NULL,
    admission TEXT,
    file TEXT NOT NULL,
    machine TEXT,
    keeper TEXT,
    PRIMARY KEY (service, person, id)
  );
  CREATE INDEX mutation_body_keeper ON artwork.mutation_body (keeper) WHERE keeper IS NOT NULL;

  CREATE TABLE artwork.mutation_key (
    service TEXT NOT NULL,
    person TEXT NOT NULL,
    key TEXT NOT NULL,
    excludes INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (service, person, key, excludes, id)
  );
  CREATE INDEX mutation_key_id ON artwork.mutation_key (service, person, id);

  CREATE TABLE artwork.mutation_item (
    service TEXT NOT NULL,
    person TEXT NOT NULL,
    id TEXT NOT NULL,
    item TEXT NOT NULL,
    position INTEGER NOT NULL,
    place TEXT NOT NULL,
    digest TEXT,
    length INTEGER,
    state INTEGER NOT NULL,
    untouched TEXT,
    error TEXT,
    PRIMARY KEY (service, person, id, item)
  );

  CREATE TABLE artwork.connection (
    service TEXT NOT NULL,
    person TEXT NOT NULL,
    version INTEGER NOT NULL,
    record TEXT NOT NULL,
    written TEXT NOT NULL,
    PRIMARY KEY (service, person)
  );

  CREATE TABLE artwork.kv (
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    written TEXT NOT NULL,
    expires INTEGER,
    PRIMARY KEY (space, key)
  );
  CREATE INDEX kv_expires ON artwork.kv (expires) WHERE expires IS NOT NULL;
`;

/** The statements that make the tables in SQLite. It refuses what is not of a column's type. */
const sqliteTables = tables
  .replaceAll('artwork.', '')
  .replaceAll(/\bTEXT\b/g, 'BLOB')
  .replaceAll(/\n {2}\);/g, '\n  ) STRICT;');

/** Those in PostgreSQL, in the schema `artwork`. */
const postgresTables = tables
  .replaceAll(/CREATE (TABLE|INDEX)/g, 'CREATE $1 IF NOT EXISTS')
  .replaceAll(/\bTEXT\b/g, 'text COLLATE "C"')
  .replaceAll(/\bINTEGER\b/g, 'bigint');

/** "Artw": marks every database file of ours, so that a file of another program is never written to. */
const applicationId = 0x41727477;

/**
 * Makes the tables in an empty file, in one transaction: of several processes that start at once one does, and the others
 * find it done. Refuses a file of another program, or with another schema, and changes nothing in it.
 * @param mustExist the file held a store before, so an empty one is damage and not a first start
 */
export async function makeSqliteTables(database: Database, mustExist: boolean): Promise<void> {
  const { file } = database;
  // One transaction: between two statements another process may write all of it.
  if (await database.transact((raw) => raw.transaction(() => hasTables(raw, file))())) return;
  if (mustExist) throw lostStoreError(file, 'is empty, though it held a store');
  await database.transact((raw) =>
    raw
      .transaction(() => {
        if (hasTables(raw, file)) return;
        raw.exec(sqliteTables);
        const row = [Buffer.from(randomUUID()), schemaNumber];
        raw.prepare('INSERT INTO store (id, number, sequence) VALUES (?, ?, 0)').run(row);
        raw.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaNumber}`);
      })
      .immediate(),
  );
}

/** False for a file that nothing was ever written to. */
function hasTables(raw: Libsql.Database, file: string): boolean {
  const pragma = (name: string): unknown => {
    const [row] = raw.prepare(`PRAGMA ${name}`).all();
    return typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined;
  };
  const number = pragma('user_version');
  if (number === 0 && raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all().length === 0) return false;
  if (pragma('application_id') !== applicationId) {
    throw storeError(
      'store_unreadable',
      `${file} is a database of another program: choose another folder as ARTWORK_HOME.`,
    );
  }
  if (number !== schemaNumber) {
    throw storeError(
      'store_other_schema',
      `${file} has schema ${String(number)}, and this artwork-mcp knows schema ${schemaNumber} only: install the version that wrote it; or end every host that uses it and move the folder ${path.dirname(file)} away to begin anew, which forgets the sign-in and what was sent.`,
    );
  }
  return true;
}

/** Any number, the same for all who may make the tables at once. */
const tablesLock = 4_175_279_479;

/**
 * Makes the tables in an empty database: of several processes that come at once one does, under a lock that ends with its
 * transaction, and the others find it done. A role that can't make any finds them made by another.
 * @throws store_refused where the server would lose what it has acknowledged
 */
export async function makePostgresTables(database: Sql, place: string): Promise<void> {
  await requireFitServer(database, place);
  // The table of tables: `to_regclass` would answer from the memory of a connection that has asked before.
  const made = sql`SELECT 1 AS made FROM pg_tables WHERE schemaname = 'artwork' AND tablename = 'store'`;
  if ((await database.read(made)).length > 0) return;
  const plain = (text: string) => ({ text, values: [] });
  await database.write(
    plain(`SELECT pg_advisory_xact_lock(${tablesLock})`),
    plain(`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'artwork') THEN CREATE SCHEMA artwork; END IF;
    END $$`),
    plain(postgresTables),
    sql`INSERT INTO artwork.store (id, number, sequence) SELECT ${randomUUID()}, ${schemaNumber}, 0
        WHERE NOT EXISTS (SELECT 1 FROM artwork.store)`,
  );
}

/** A write has to be on the disk once it is acknowledged, and texts have to come back as they were. */
async function requireFitServer(database: Sql, place: string): Promise<void> {
  const [row = {}] = await database.read(
    sql`SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
        current_setting('server_encoding') AS server_encoding`,
  );
  const must = (isFit: boolean, what: string) => {
    if (!isFit) throw storeError('store_refused', `The store at ${place} is not safe: ${what}.`);
  };
  must(row.fsync !== 'off', 'its server runs with fsync=off, and would lose what it has acknowledged');
  must(
    row.synchronous_commit !== 'off',
    'synchronous_commit is off for this role, and a claim that was acknowledged could be lost',
  );
  must(row.server_encoding === 'UTF8', 'its database is not in the encoding UTF8');
}

/**
 * The id of the store, drawn when its tables were made.
 * @param named where it is, for people
 * @throws store_other_schema, store_unreadable
 */
export async function requireStore(database: Sql, named: string): Promise<string> {
  const [row] = await database.read(sql`SELECT id, number FROM artwork.store`);
  if (row === undefined) {
    throw storeError('store_unreadable', `${named} lost the row that names it: restore it from a backup.`);
  }
  const number = numberIn(row, 'number');
  if (number !== schemaNumber) {
    throw storeError(
      'store_other_schema',
      `${named} has schema ${number}, and this artwork-mcp knows schema ${schemaNumber} only: run the version that made it on every machine.`,
    );
  }
  return textIn(row, 'id');
}
