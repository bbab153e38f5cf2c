import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { SandboxError } from './sandbox-error.ts';

/**
 * All that the catalogue remembers beside the bytes of pictures. Times are ISO 8601 UTC with milliseconds, so that
 * text order is time order; `updated_at` is the revision of a record.
 *
 * Until `public_from` only the owner sees a row. A replaced Asset stays public until `replaced_from`, when its
 * replacement becomes public, so that exactly one of them is public at any time.
 */
const tables = `
-- Works of ten kinds. parent_id: a season's show, an episode's season, a movie's collection, a company's parent.
-- number: of a season or an episode. date: first air date, air date, release date. facts: other members, as JSON.
CREATE TABLE entities (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  title TEXT NOT NULL,
  parent_id INTEGER,
  number INTEGER,
  date TEXT,
  facts TEXT NOT NULL DEFAULT '{}',
  UNIQUE (kind, id)
);
CREATE INDEX entities_of_parent ON entities (kind, parent_id, number, id);

-- Whom a person can choose to sign in as.
CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL);

CREATE TABLE relationships (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  target_id INTEGER NOT NULL REFERENCES accounts (id),
  relationship TEXT NOT NULL CHECK (relationship IN ('follow', 'hide')),
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_id, target_id)
) WITHOUT ROWID;

CREATE TABLE editions (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('boxset', 'loadout')),
  title TEXT NOT NULL,
  description TEXT,
  owner_id INTEGER REFERENCES accounts (id),
  language_code TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  public_from TEXT NOT NULL
);

-- A Brand Set has members instead of a target: [{ "kind": "network" or "company", "id" }, …].
CREATE TABLE sets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  target_kind TEXT,
  target_id INTEGER,
  members TEXT NOT NULL DEFAULT '[]',
  title TEXT NOT NULL,
  description TEXT,
  owner_id INTEGER REFERENCES accounts (id),
  language_code TEXT,
  edition_id INTEGER REFERENCES editions (id),
  finalised INTEGER NOT NULL,
  group_id INTEGER REFERENCES groups (id),
  group_position INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  public_from TEXT NOT NULL,
  CHECK ((kind = 'brand_set') = (target_id IS NULL))
);
CREATE INDEX sets_of_target ON sets (target_kind, target_id, id);
CREATE INDEX sets_of_group ON sets (group_id, group_position);
CREATE INDEX sets_of_owner ON sets (owner_id, id);

-- set_id NULL: standalone. file NULL: the picture is drawn when it is first asked for. A target may be a group.
CREATE TABLE assets (
  id TEXT PRIMARY KEY,
  slot TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  set_id INTEGER REFERENCES sets (id),
  owner_id INTEGER REFERENCES accounts (id),
  language_code TEXT,
  edition_id INTEGER REFERENCES editions (id),
  format TEXT NOT NULL CHECK (format IN ('png', 'jpeg', 'webp', 'gif')),
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  frames INTEGER NOT NULL DEFAULT 1,
  selected_frame INTEGER,
  file TEXT,
  replaces TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  public_from TEXT NOT NULL,
  replaced_from TEXT
);

-- Rows are never changed, so that a snapshot's highest sequence and time choose the same rows for ever. changed_at: when
-- public reads show the change, which may be in the future. item: what the feed shows, as JSON.
CREATE TABLE changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  feed TEXT NOT NULL CHECK (feed IN ('assets', 'sets')),
  changed_at TEXT NOT NULL,
  item TEXT NOT NULL
);

CREATE TABLE snapshots (
  id TEXT PRIMARY KEY,
  feed TEXT NOT NULL,
  last_sequence INTEGER NOT NULL,
  taken_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  total INTEGER NOT NULL
);

-- What was asked under each clientMutationId of an account, and the answer that is given again. Of a single upload also
-- when its processing ends, and how.
CREATE TABLE mutations (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  client_mutation_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  asset_id TEXT,
  processed_at TEXT,
  error TEXT,
  PRIMARY KEY (account_id, client_mutation_id)
) WITHOUT ROWID;

-- Creations and grouped edits of Sets: a Submission as JSON. They change no artwork before they are completed.
CREATE TABLE submissions (id TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;

-- What was changed, one row per change: only tests read it.
CREATE TABLE effects (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL,
  client_mutation_id TEXT,
  resource_kind TEXT NOT NULL,
  resource_id TEXT NOT NULL
);

-- secret: a hash, of confidential apps only.
CREATE TABLE apps (
  client_id TEXT PRIMARY KEY,
  owner_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('public', 'confidential')),
  scopes TEXT NOT NULL,
  secret TEXT,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

-- Codes, tokens, grants, sessions and interactions as oidc-provider models them, and its key.
-- An id that is a credential itself is stored as its hash. expires_at and consumed_at are seconds since 1970.
CREATE TABLE oauth_records (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  payload TEXT NOT NULL,
  grant_id TEXT,
  uid TEXT,
  account_id INTEGER,
  client_id TEXT,
  expires_at INTEGER,
  consumed_at INTEGER,
  PRIMARY KEY (model, id)
) WITHOUT ROWID;
CREATE INDEX oauth_records_of_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_uid ON oauth_records (uid) WHERE uid IS NOT NULL;

CREATE INDEX assets_of_target ON assets (target_kind, target_id, slot);
CREATE INDEX assets_of_set ON assets (set_id);
CREATE INDEX assets_of_owner ON assets (owner_id, id);
CREATE INDEX changes_newest_first ON changes (feed, changed_at DESC, sequence DESC);
`;

/** Increased with every change of the tables or of the seed: it is part of the data folder's name. */
export const layout = 4;

export type SqlValue = string | number | boolean | null;

/** One row of a result. A missing column, or one of another type, is a defect of the query and throws. */
export class Row {
  readonly #columns: object;

  constructor(columns: unknown) {
    this.#columns = Object(columns);
  }

  value(column: string): unknown {
    const value: unknown = Reflect.get(this.#columns, column);
    if (value === undefined) throw new TypeError(`No column ${column}.`);
    return value;
  }

  text(column: string): string {
    const value = this.value(column);
    if (typeof value !== 'string') throw new TypeError(`Column ${column} holds no text.`);
    return value;
  }

  textOrNull(column: string): string | null {
    return this.value(column) === null ? null : this.text(column);
  }

  integer(column: string): number {
    const value = this.value(column);
    if (typeof value !== 'number') throw new TypeError(`Column ${column} holds no number.`);
    return value;
  }

  integerOrNull(column: string): number | null {
    return this.value(column) === null ? null : this.integer(column);
  }

  /** What a column of JSON holds. Parse it with a schema where its shape matters. */
  json(column: string): unknown {
    return JSON.parse(this.text(column));
  }

  /** Columns as members on the wire: `airDate` is what the column `air_date` holds. */
  members(...names: readonly string[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(names.map((name) => [name, this.value(columnOf(name))]));
  }
}

/** `airDate` is the column `air_date`. */
export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** The catalogue's SQLite database. All calls are synchronous. Statements are prepared once per SQL text. */
export interface Store {
  all(sql: string, ...values: SqlValue[]): Row[];
  first(sql: string, ...values: SqlValue[]): Row | undefined;
  /** For a row that must exist. */
  only(sql: string, ...values: SqlValue[]): Row;
  /** Returns how many rows changed. */
  run(sql: string, ...values: SqlValue[]): number;
  /**
   * Members are columns, such as `airDate` or `air_date`. Their names become SQL text: only the program gives them.
   * Returns the id that was given to the row, where its table gives any.
   */
  insert(table: string, row: Readonly<Record<string, SqlValue>>): number;
  /** One write transaction, rolled back when `work` throws. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens the database of a data folder, which must exist. On first use `fill` puts in the rows that every catalogue
 * begins with.
 * @throws SandboxError for a database of another version
 */
export function openStore(dataDir: string, fill: (store: Store) => void): Store {
  const file = path.join(dataDir, 'catalogue.db');
  // Created here: SQLite would let every user of the machine read it. Its side files take the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const connection = new Libsql(file);
  const store = wrap(connection);
  try {
    connection.exec(
      'PRAGMA busy_timeout = 20000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000',
    );
    store.transaction(() => {
      const found = store.only('PRAGMA user_version').integer('user_version');
      if (found === layout) return;
      if (found !== 0) {
        throw new SandboxError(
          `The catalogue in ${dataDir} is of another version of this program: use another data folder.`,
        );
      }
      connection.exec(tables);
      fill(store);
      connection.exec(`PRAGMA user_version = ${layout}`);
    });
    connection.exec('PRAGMA foreign_keys = ON');
  } catch (error) {
    store.close();
    throw error;
  }
  return store;
}

function wrap(connection: InstanceType<typeof Libsql>): Store {
  const prepared = new Map<string, ReturnType<typeof connection.prepare>>();
  let isOpen = true;
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? connection.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  // The values go as one array: libsql takes a single null for an object of named values. It takes no booleans.
  const bound = (values: readonly SqlValue[]) =>
    values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const all = (sql: string, ...values: SqlValue[]) =>
    statement(sql)
      .all(bound(values))
      .map((row) => new Row(row));
  return {
    all,
    first: (sql, ...values) => all(sql, ...values)[0],
    only(sql, ...values) {
      const [row] = all(sql, ...values);
      if (!row) throw new Error(`Nothing was found by ${sql}`);
      return row;
    },
    run: (sql, ...values) => statement(sql).run(bound(values)).changes,
    insert(table, row) {
      const columns = Object.keys(row).map(columnOf);
      const places = columns.map(() => '?').join(', ');
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
      return Number(statement(sql).run(bound(Object.values(row))).lastInsertRowid);
    },
    transaction(work) {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (connection.inTransaction) connection.exec('ROLLBACK');
        throw error;
      }
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      prepared.clear();
      connection.close();
    },
  };
}
