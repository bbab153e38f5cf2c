import { type BigIntStats, statSync } from 'node:fs';
import { types } from 'node:util';
import type Libsql from 'libsql';
import { sleep } from '../clock.ts';
import { type ArtworkError, codeOf } from '../errors.ts';
import { machineName } from '../machine.ts';
import { isBusy, libsqlFailureError, storeError } from './errors.ts';
import { type Sql, type SqlRow, type SqlValue, type Statement, unexpected } from './sql.ts';

/** One statement, as libsql runs it: at once. A text is bound as the bytes of its UTF-8. */
export interface Transaction {
  /** The number of rows that it changed; what triggers change is not counted. */
  run(sql: string, parameters: readonly SqlValue[]): number;
  rows(sql: string, parameters: readonly SqlValue[]): readonly SqlRow[];
}

export interface ConnectOptions {
  /** How long an operation is tried again while another connection holds the lock, ms. Default: 15 s. */
  readonly patience?: number | undefined;
  /** Whether every operation asks for the files that were opened to be still the ones at their paths. */
  readonly isGuarded?: boolean | undefined;
}

/** How long SQLite itself waits for a lock, ms. Short, since the event loop stands still meanwhile. */
const lockWait = 50;

/**
 * One connection to a database file, with WAL and synchronous=FULL: a write that returned is on the disk. libsql is
 * synchronous. An operation is one statement or one whole transaction, tried again while another connection holds the
 * lock, so no transaction is open across an await.
 *
 * No other code of this process may open and close the file: closing it drops SQLite's POSIX locks.
 */
export class Database {
  readonly file: string;
  #connection: Libsql.Database | null;
  readonly #patience: number;
  /** The files that are open, by their paths, from when they were first seen; null: nothing asks for them. */
  readonly #opened: Map<string, BigIntStats> | null;
  readonly #statements = new Map<string, Libsql.Statement>();
  readonly #transaction: Transaction = {
    run: (sql, parameters) => this.#statement(sql).run(bound(parameters)).changes,
    // `all`, never `iterate`: an iterator that is not read to its end keeps its snapshot, and later reads of this
    // connection would see old data.
    rows: (sql, parameters) =>
      this.#statement(sql)
        .all(bound(parameters))
        .map((row) => asRow(row) ?? {}),
  };

  private constructor(file: string, connection: Libsql.Database, { patience, isGuarded }: ConnectOptions) {
    this.file = file;
    this.#connection = connection;
    this.#patience = patience ?? 15_000;
    this.#opened = isGuarded === true ? new Map() : null;
  }

  /** @throws store_unsupported, store_unreadable, store_busy, store_full */
  static async connect(file: string, options: ConnectOptions = {}): Promise<Database> {
    const { default: Constructor } = await import('libsql').catch((error: unknown) => {
      throw unsupported(error);
    });
    let connection: Libsql.Database;
    try {
      connection = new Constructor(file);
    } catch (error) {
      throw libsqlFailureError(file, error);
    }
    const database = new Database(file, connection, options);
    try {
      await database.transact((raw) => {
        raw.exec(`PRAGMA busy_timeout = ${lockWait}`);
        raw.exec('PRAGMA journal_mode = WAL');
        // fullfsync is for macOS, where fsync leaves the data in the drive's cache.
        raw.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
        raw.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
      });
    } catch (error) {
      database.close();
      throw error;
    }
    // What a killed program had left of the log and its index may have been removed by the opening: seen anew.
    database.#opened?.clear();
    return database;
  }

  /** Runs one writing statement; resolves to the number of rows it changed. */
  run(sql: string, parameters: readonly SqlValue[]): Promise<number> {
    return this.transact(() => this.#transaction.run(sql, parameters));
  }

  rows(sql: string, parameters: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return this.transact(() => this.#transaction.rows(sql, parameters));
  }

  /** Writes all or nothing, and no other process writes meanwhile. `work` may run more than once. */
  write<T>(work: (transaction: Transaction) => T): Promise<T> {
    // Immediate: a transaction that begins by reading fails where another process has written since.
    return this.transact((raw) => {
      raw.exec('BEGIN IMMEDIATE');
      // Not libsql's own transaction, which hides the error where SQLite has rolled back itself, as on a full disk.
      try {
        const value = work(this.#transaction);
        raw.exec('COMMIT');
        return value;
      } catch (error) {
        if (raw.inTransaction) raw.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /**
   * Runs `work`, which must leave no transaction open, again and again while another process holds the lock.
   * @throws store_busy at last; store_closed; store_replaced; what `libsqlFailureError` makes of SQLite's errors
   */
  async transact<T>(work: (raw: Libsql.Database) => T): Promise<T> {
    const started = performance.now();
    for (;;) {
      const connection = this.#open();
      this.#requireSameFiles();
      try {
        return work(connection);
      } catch (error) {
        if (!isBusy(error)) {
          const isSqlite = error instanceof Error && error.name === 'SqliteError';
          throw isSqlite ? libsqlFailureError(this.file, error) : error;
        }
        if (performance.now() - started > this.#patience) {
          const held = `${this.file} is held by another process: end it, or wait, then try again.`;
          throw storeError('store_busy', held, error);
        }
      }
      await sleep(1 + Math.random() * 20);
    }
  }

  /**
   * Writes the log into the file, as far as no other process is reading, so that a copy of the file alone has all of it,
   * and closes the connection. libsql frees it only when its statements have been collected as garbage: the file may stay
   * open until then, but nothing of it is locked or unwritten.
   */
  close(): void {
    const connection = this.#connection;
    if (connection === null) return;
    this.#statements.clear();
    this.#connection = null;
    try {
      connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (error) {
      // The disk is full or failing: the next start reads the log.
      if (!(error instanceof Error) || error.name !== 'SqliteError') throw error;
    } finally {
      connection.close();
    }
  }

  #open(): Libsql.Database {
    if (this.#connection === null) throw storeError('store_closed', 'The store was closed.');
    return this.#connection;
  }

  /**
   * A file that was moved away or put back from a backup stays open here, and what this connection writes is lost with
   * it: another process would not know what was sent. The same holds for the log (`-wal`) and for its index (`-shm`),
   * through which processes see each other's writes: SQLite removes neither while a connection is open.
   */
  #requireSameFiles(): void {
    if (this.#opened === null) return;
    for (const file of [this.file, `${this.file}-wal`, `${this.file}-shm`]) {
      const now = statSync(file, { bigint: true, throwIfNoEntry: false });
      const opened = this.#opened.get(file);
      if (opened === undefined) {
        if (now !== undefined) this.#opened.set(file, now);
      } else if (now?.ino !== opened.ino || now.dev !== opened.dev) {
        throw storeError(
          'store_replaced',
          `${file} was ${now === undefined ? 'removed' : 'replaced'} while this server had it open: end every host that uses it, put the right data folder there, then start the server again. What was under way is looked up by its clientMutationId.`,
        );
      }
    }
  }

  #statement(sql: string): Libsql.Statement {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const made = this.#open().prepare(sql);
    // A list of values has a text for each of its lengths.
    if (this.#statements.size >= 500) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }
}

/** The statements that both engines share, on a file. */
export function libsqlSql(database: Database): Sql {
  // A file has no schemas.
  const textOf = ({ text }: Statement) => text.replaceAll('artwork.', '');
  return {
    read: async (statement) => (await database.rows(textOf(statement), statement.values)).map(decoded),
    async write(...statements) {
      const results: (readonly SqlRow[])[] = [];
      try {
        await database.write((transaction) => {
          results.length = 0;
          for (const statement of statements) {
            const rows = transaction.rows(textOf(statement), statement.values).map(decoded);
            results.push(rows);
            if (statement.must === true && rows.length === 0) throw new Undone();
          }
        });
      } catch (error) {
        if (!(error instanceof Undone)) throw error;
      }
      return statements.map((_, at) => results[at] ?? []);
    },
  };
}

/** A statement that has to answer a row has answered none. */
class Undone extends Error {}

/** As bytes: on a TEXT that is damaged, and so not UTF-8, libsql ends the process. */
function bound(parameters: readonly SqlValue[]): unknown[] {
  return parameters.map((each) => (typeof each === 'string' ? Buffer.from(each) : each));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Blobs as the texts that they are. @throws store_unreadable where one is not UTF-8 */
function decoded(row: SqlRow): SqlRow {
  const texts = Object.entries(row).map(([column, value]) => {
    // libsql returns the blobs of a single row as Buffers, those of several rows as ArrayBuffers.
    if (!types.isArrayBuffer(value) && !Buffer.isBuffer(value)) return [column, value];
    try {
      return [column, utf8.decode(value)];
    } catch {
      throw unexpected(column);
    }
  });
  return Object.fromEntries(texts);
}

function asRow(value: unknown): SqlRow | null {
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

function unsupported(error: unknown): ArtworkError {
  const remedy =
    machineName === 'win32 on arm64'
      ? 'install the x64 build of Node.js, which Windows on ARM runs too'
      : 'install artwork-mcp again without leaving out its optional dependencies';
  const code = codeOf(error);
  return storeError(
    'store_unsupported',
    `The store needs libsql, which has no build here for ${machineName}${code === null ? '' : ` (${code})`}: ${remedy}.`,
    error,
  );
}
