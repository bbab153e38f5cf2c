import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { schemaNumber } from '../data-folder.ts';

type SqlValue = string | number | null | Uint8Array;

/** One row of a result. A missing column or one of another type is a defect of the query, and throws. */
export class Row {
  readonly #columns: object;

  constructor(columns: unknown) {
    if (typeof columns !== 'object' || columns === null) throw new TypeError('A row is an object.');
    this.#columns = columns;
  }

  text(column: string): string {
    const value = this.#read(column);
    if (typeof value !== 'string') throw new TypeError(`Column ${column} holds no text.`);
    return value;
  }

  textOrNull(column: string): string | null {
    return this.#read(column) === null ? null : this.text(column);
  }

  integer(column: string): number {
    const value = this.#read(column);
    if (!Number.isSafeInteger(value) || typeof value !== 'number') {
      throw new TypeError(`Column ${column} holds no integer.`);
    }
    return value;
  }

  integerOrNull(column: string): number | null {
    return this.#read(column) === null ? null : this.integer(column);
  }

  /** Columns as members on the wire: `airDate` is what the column `air_date` holds. */
  members(...names: readonly string[]): Readonly<Record<string, unknown>> {
    const columnOf = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
    return Object.fromEntries(names.map((name) => [name, this.#read(columnOf(name))]));
  }

  flag(column: string): boolean {
    return this.integer(column) !== 0;
  }

  #read(column: string): unknown {
    const value: unknown = Reflect.get(this.#columns, column);
    if (value === undefined) throw new TypeError(`No column ${column}.`);
    return value;
  }
}

/**
 * The catalogue's SQLite database. Calls are synchronous; several processes may hold the same file open.
 * Statements are prepared once per SQL text.
 */
export interface Database {
  all(sql: string, ...values: SqlValue[]): Row[];
  first(sql: string, ...values: SqlValue[]): Row | undefined;
  /** For a row that must exist. */
  only(sql: string, ...values: SqlValue[]): Row;
  /** Returns how many rows changed. */
  run(sql: string, ...values: SqlValue[]): number;
  /** Several statements without values. */
  execute(sql: string): void;
  /**
   * Runs `work` in one write transaction, which is rolled back when it throws. A nested call joins the outer
   * transaction.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens `catalogue.db` in the folder, which is created when it is missing. On first use, `fill` creates
 * tables and content in one write transaction: of two processes that start at the same moment one fills and
 * the other waits.
 * @throws Error when the file has another schema number, or stays locked.
 */
export function openDatabase(dataDir: string, fill: (database: Database) => void): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, 'catalogue.db');
  // Created here: SQLite would let every user of the machine read it. Its side files take the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const connection = new Libsql(file);
  const database = wrap(connection);
  try {
    // First, so that everything below waits for a process that fills the same file.
    database.execute('PRAGMA busy_timeout = 20000');
    useWriteAheadLog(database);
    database.execute('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8000');
    if (writtenSchema(database) === 0) {
      database.transaction(() => {
        // Checked again inside: another process may have filled it while this one waited for the lock.
        if (writtenSchema(database) !== 0) return;
        fill(database);
        database.execute(`PRAGMA user_version = ${schemaNumber}`);
      });
    }
    const written = writtenSchema(database);
    if (written !== schemaNumber) {
      throw new Error(
        `The catalogue in ${dataDir} has schema ${written}, this version needs ${schemaNumber}: use another data folder.`,
      );
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * The switch to WAL needs the file exclusively and ignores the busy timeout in some cases, so a process that
 * loses the race to a simultaneous first start tries again.
 */
function useWriteAheadLog(database: Database): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.execute('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (
        !(error instanceof Libsql.SqliteError) ||
        !error.code.startsWith('SQLITE_BUSY') ||
        attempt === 200
      ) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

function writtenSchema(database: Database): number {
  return database.only('PRAGMA user_version').integer('user_version');
}

function wrap(connection: InstanceType<typeof Libsql>): Database {
  const prepared = new Map<string, ReturnType<typeof connection.prepare>>();
  let open = true;
  let depth = 0;
  const statement = (sql: string) => {
    let found = prepared.get(sql);
    if (!found) {
      found = connection.prepare(sql);
      prepared.set(sql, found);
    }
    return found;
  };
  // The values are passed as one array: libsql takes a single null for an object of named values.
  const all = (sql: string, ...values: SqlValue[]) =>
    statement(sql)
      .all(values)
      .map((row) => new Row(row));
  return {
    all,
    first: (sql, ...values) => all(sql, ...values)[0],
    only(sql, ...values) {
      const [row] = all(sql, ...values);
      if (!row) throw new Error(`Nothing was found by ${sql}`);
      return row;
    },
    run: (sql, ...values) => statement(sql).run(values).changes,
    execute: (sql) => {
      connection.exec(sql);
    },
    transaction(work) {
      if (depth > 0) return work();
      connection.exec('BEGIN IMMEDIATE');
      depth++;
      try {
        const result = work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (connection.inTransaction) connection.exec('ROLLBACK');
        throw error;
      } finally {
        depth--;
      }
    },
    close() {
      if (!open) return;
      open = false;
      prepared.clear();
      connection.close();
    },
  };
}

/** Column names become SQL text: they must come from the program, never from outside. */
export function insert(database: Database, table: string, row: Readonly<Record<string, SqlValue>>): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  database.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...Object.values(row));
}
