import { statSync } from 'node:fs';
import type Libsql from 'libsql';
import { sleep } from '../clock.ts';
import { codeOf } from '../errors.ts';
import { machineName } from '../machine.ts';
import { fileFailureError, storeError, storeReplaced } from './errors.ts';
import type { Dialect } from './schema.ts';
import type { Sql, SqlRow, SqlValue, Statement } from './sql.ts';

/** One statement, as libsql runs it: at once. */
export interface Transaction {
  /** The number of rows that it changed; what triggers change is not counted. */
  run(text: string, values: readonly SqlValue[]): number;
  rows(text: string, values: readonly SqlValue[]): readonly SqlRow[];
}

/**
 * One connection to a database file, or to `:memory:`. A write that returned is on the disk. libsql is synchronous: an
 * operation is one statement or one whole transaction, tried again while another connection holds the lock, so no
 * transaction is open across an await. Each rejects with store_busy at last, store_closed, store_replaced, and what
 * `fileFailureError` makes of SQLite's errors.
 *
 * No other code of this process may open and close the file: closing it drops SQLite's POSIX locks.
 */
export interface Database {
  rows(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Writes all or nothing, and no other process writes meanwhile. `work` may run more than once. */
  write<Value>(work: (transaction: Transaction) => Value): Promise<Value>;
  /** Writes the log into the file, as far as no other process is reading, so that a copy of the file has all of it. */
  close(): void;
}

export const Database = { connect };

// busy_timeout: SQLite waits in it with the event loop standing still, so it is short, and `transact` tries again.
// fullfsync is for macOS, where fsync leaves the data in the drive's cache.
const pragmas = `
  PRAGMA busy_timeout = 50;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
  PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
  SELECT 1 FROM sqlite_schema LIMIT 1;
`;

/**
 * @param options.patience how long an operation is tried again while another connection holds the lock, ms
 * @param options.setUp statements that are run first; they may run more than once
 * @throws store_unsupported too
 */
async function connect(file: string, { patience = 15_000, setUp = '' } = {}): Promise<Database> {
  let connection: Libsql.Database | null = await made(file);
  /** A list of values has a text for each of its lengths: their number is kept small. */
  const statements = new Map<string, Libsql.Statement>();
  /** Tells the files that were opened from others at their paths; null until they are. */
  let opened: string | null = null;

  const open = (): Libsql.Database => {
    if (connection === null) throw storeError('store_closed', 'The store was closed.');
    return connection;
  };
  const prepared = (text: string): Libsql.Statement => {
    const statement = statements.get(text) ?? open().prepare(text);
    if (statements.size >= 500) statements.clear();
    statements.set(text, statement);
    return statement;
  };
  const transaction: Transaction = {
    run: (text, values) => prepared(text).run([...values]).changes,
    // `all`, never `iterate`: an iterator that is not read to its end keeps its snapshot, and later reads of this
    // connection would see old data.
    rows: (text, values) =>
      prepared(text)
        .all([...values])
        .map(asRow),
  };

  const transact = async <Value>(work: (raw: Libsql.Database) => Value): Promise<Value> => {
    const until = performance.now() + patience;
    for (;;) {
      const raw = open();
      // What is written into a file that was moved away or replaced is lost with it: another process would not know what
      // was sent. The same holds for the log and its index, which SQLite never removes while a connection is open.
      if (opened !== null && identityOf(file) !== opened) throw storeReplaced(file);
      try {
        return work(raw);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'SqliteError') throw error;
        if (!/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? '')) throw fileFailureError(file, error);
        if (performance.now() > until) {
          const held = `Another process holds ${file}. End it, or wait, then try again.`;
          throw storeError('store_busy', held, error);
        }
      }
      await sleep(1 + Math.random() * 20);
    }
  };

  const close = () => {
    if (connection === null) return;
    // libsql frees the file once these have been collected as garbage.
    statements.clear();
    try {
      connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (error) {
      // The disk is full or failing: the next start reads the log.
      if (!(error instanceof Error) || error.name !== 'SqliteError') throw error;
    }
    connection.close();
    connection = null;
  };

  try {
    await transact((raw) => raw.exec(pragmas + setUp));
  } catch (error) {
    close();
    throw error;
  }
  if (file !== ':memory:') opened = identityOf(file);
  return {
    rows: (text, values) => transact(() => transaction.rows(text, values)),
    write: (work) =>
      transact((raw) => {
        // Immediate: a transaction that begins by reading fails where another process has written since.
        raw.exec('BEGIN IMMEDIATE');
        // Not libsql's own transaction, which hides the error where SQLite has rolled back itself, as on a full disk.
        try {
          const value = work(transaction);
          raw.exec('COMMIT');
          return value;
        } catch (error) {
          if (raw.inTransaction) raw.exec('ROLLBACK');
          throw error;
        }
      }),
    close,
  };
}

async function made(file: string): Promise<Libsql.Database> {
  const { default: Constructor } = await import('libsql').catch((error: unknown) => {
    const message = `The store needs libsql, which has no build here for ${machineName}. Install artwork-mcp again with its optional dependencies. On Windows on ARM, use the x64 build of Node.js.`;
    throw storeError('store_unsupported', message, error);
  });
  try {
    return new Constructor(file);
  } catch (error) {
    throw fileFailureError(file, error);
  }
}

/** Devices and inodes of a file, its log and its index: the same for as long as they are the same files. */
function identityOf(file: string): string {
  const found = ['', '-wal', '-shm'].map((end) =>
    statSync(file + end, { bigint: true, throwIfNoEntry: false }),
  );
  return found.map((status) => `${status?.dev}:${status?.ino}`).join();
}

function asRow(value: unknown): SqlRow {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The statements that both engines share, on a file. */
export function libsqlSql(database: Database): Sql {
  // A file has no schemas.
  const textOf = ({ text }: Statement) => text.replaceAll('artwork.', '');
  return {
    read: (statement) => database.rows(textOf(statement), statement.values),
    async write(...statements) {
      const results: (readonly SqlRow[])[] = [];
      const run = (transaction: Transaction) => {
        results.length = 0;
        for (const statement of statements) {
          const rows = transaction.rows(textOf(statement), statement.values);
          results.push(rows);
          if (statement.must === true && rows.length === 0) throw new Undone();
        }
      };
      await database.write(run).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
      return statements.map((_, at) => results[at] ?? []);
    },
  };
}

/** A statement that has to answer a row has answered none. */
class Undone extends Error {}

/** SQLite refuses what is not of a column's type only where the table is strict. */
export const sqliteDialect: Dialect = {
  made: { text: 'SELECT 1 FROM sqlite_schema LIMIT 1', values: [] },
  before: [],
  spelt: (statement) => (statement.startsWith('CREATE TABLE') ? `${statement} STRICT` : statement),
};
