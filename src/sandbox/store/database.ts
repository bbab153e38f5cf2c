import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { Row, type SqlValue } from './row.ts';
import { schemaNumber } from './schema-number.ts';

/**
 * The catalogue's SQLite database. Calls are synchronous; several processes may hold the same file open.
 * Statements are prepared once per SQL text.
 */
export interface Database {
  all(sql: string, ...values: SqlValue[]): Row[];
  first(sql: string, ...values: SqlValue[]): Row | undefined;
  /** For a row that must be there. */
  only(sql: string, ...values: SqlValue[]): Row;
  /** Answers how many rows changed. */
  run(sql: string, ...values: SqlValue[]): number;
  /** Several statements without values. */
  execute(sql: string): void;
  /**
   * Runs `work` in one write transaction, which is undone when it throws. A call inside another one joins
   * that one's transaction.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens `catalogue.db` in the folder, which is made when it is missing. On first use, `fill` creates tables
 * and contents inside one write transaction: of two processes that start at the same moment one fills and
 * the other waits for it.
 *
 * @throws Error when the file was written with another schema number, or stays locked.
 */
export function openDatabase(dataDir: string, fill: (database: Database) => void): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, 'catalogue.db');
  // Made here, since SQLite would let every user of the machine read it; its side files take the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const connection = new Libsql(file);
  const database = wrap(connection);
  try {
    // First of all, so that everything below waits for a process that is just filling the same file.
    database.execute('PRAGMA busy_timeout = 20000');
    useWriteAheadLog(database);
    database.execute('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8000');
    if (writtenSchema(database) === 0) {
      database.transaction(() => {
        // Asked again inside: another process may have filled it while this one waited for the lock.
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
 * Switching to WAL needs the file for itself and doesn't heed the busy timeout in every case, so a process
 * that loses the race to a simultaneous first start asks again.
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
  // The values go in as one array: libsql takes a lone null for an object of named values.
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
