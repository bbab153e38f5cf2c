import { storeError } from '../store-error.ts';
import { type Database, readInteger, readText, type Row } from './database.ts';

/** A change of the schema, or of what stands in its rows, takes the next number. */
const schemaNumber = 1;

/** Any number, the same for all who may make the schema at once. */
const schemaLock = 4_175_279_479;

/**
 * Makes the schema in an empty database: of several processes that come at once one does, under a lock that ends with its
 * transaction, and the others find it made.
 * @returns the store's id, drawn when the schema was made
 * @throws store_other_schema, store_unreadable, store.unreachable
 */
export async function requireSchema(database: Database): Promise<string> {
  await requireFitServer(database);
  return database.transact(async (run) => {
    if (!(await isMade(run))) {
      await run(`SELECT pg_advisory_xact_lock(${schemaLock})`);
      if (!(await isMade(run))) await run(schema);
    }
    const [row] = await run('SELECT id, number FROM artwork.store');
    if (row === undefined) {
      throw storeError(
        'store_unreadable',
        `The store at ${database.place} lost the row that names it: restore the database from a backup.`,
      );
    }
    const number = readInteger(row, 'number');
    if (number !== schemaNumber) {
      throw storeError(
        'store_other_schema',
        `The store at ${database.place} has schema ${number}, and this artwork-mcp knows schema ${schemaNumber} only: run the version that made it on every machine.`,
      );
    }
    return readText(row, 'id');
  });
}

/** Asks the table of tables: `to_regclass` would answer from the memory of a connection that has asked before. */
async function isMade(run: (sql: string) => Promise<readonly Row[]>): Promise<boolean> {
  const [row] = await run(
    "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'artwork' AND tablename = 'store') AS made",
  );
  return row?.made === true;
}

/** A write has to be on the disk once it is acknowledged, and texts have to come back as they were. */
async function requireFitServer(database: Database): Promise<void> {
  const names = ['fsync', 'synchronous_commit', 'server_encoding'];
  const rows = await database.run(`SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`)}`);
  const [row = {}] = rows;
  const must = (isFit: boolean, what: string) => {
    if (!isFit) throw storeError('store_refused', `The store at ${database.place} is not safe: ${what}.`);
  };
  must(row.fsync !== 'off', 'its server runs with fsync=off, and would lose what it has acknowledged');
  must(
    row.synchronous_commit !== 'off',
    'synchronous_commit is off for this role, and a claim that was acknowledged could be lost',
  );
  must(row.server_encoding === 'UTF8', 'its database is not in the encoding UTF8');
}

/** "C": keys are in the order of their bytes, on every server. */
const schema = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'artwork') THEN CREATE SCHEMA artwork; END IF;
  END $$;
  CREATE TABLE artwork.store (
    id uuid NOT NULL,
    number integer NOT NULL,
    one boolean PRIMARY KEY DEFAULT true CHECK (one)
  );
  INSERT INTO artwork.store (id, number) VALUES (gen_random_uuid(), ${schemaNumber});
  CREATE TABLE artwork.atomic (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text COLLATE "C" NOT NULL UNIQUE,
    value text NOT NULL,
    version integer NOT NULL,
    -- Drawn for each write, so that a writer knows its own again.
    written uuid NOT NULL
  );
  CREATE TABLE artwork.listed (
    list text COLLATE "C" NOT NULL,
    place text COLLATE "C" NOT NULL,
    entry bigint NOT NULL,
    mark text COLLATE "C" NOT NULL,
    PRIMARY KEY (list, place, entry)
  );
  CREATE INDEX listed_entry ON artwork.listed (entry);
  CREATE TABLE artwork.records (
    namespace text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text NOT NULL,
    expires timestamptz,
    PRIMARY KEY (namespace, key)
  );
  CREATE INDEX records_expires ON artwork.records (expires) WHERE expires IS NOT NULL;
`;
