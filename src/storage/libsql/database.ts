import { type BigIntStats, statSync } from 'node:fs';
import { types } from 'node:util';
import type Libsql from 'libsql';
import { sleep } from '../../clock.ts';
import { type ArtworkError, codeOf } from '../../errors.ts';
import { machineName } from '../../machine.ts';
import { isBusy, libsqlFailureError, storeError } from '../store-error.ts';

/** A string is bound as the UTF-8 that the tables keep. */
type Parameter = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

/** Statements within one transaction. */
export interface Sql {
  /** The number of rows that it changed; what triggers change is not counted. */
  run(sql: string, parameters: readonly Parameter[]): number;
  row(sql: string, parameters: readonly Parameter[]): Row | null;
  rows(sql: string, parameters: readonly Parameter[]): readonly Row[];
}

/** Loads the native package. */
type LoadLibsql = () => Promise<{ readonly default: typeof Libsql }>;

const loadLibsql: LoadLibsql = () => import('libsql');

/** How long SQLite itself waits for a lock, ms. Short, since the event loop stands still meanwhile. */
const lockWait = 50;
/** How long an operation is tried again, ms. */
const defaultPatience = 15_000;

export interface ConnectOptions {
  readonly load?: LoadLibsql | undefined;
  /** In ms; 15 s where left out. */
  readonly patience?: number | undefined;
  /** Whether every operation asks for the file that was opened to be still the one at its path. */
  readonly isGuarded?: boolean | undefined;
}

/**
 * One connection to the database file, with WAL and synchronous=FULL: a write that returned is on the disk. libsql is
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
  /** SQLite's log, and its index. */
  #sidecars: readonly string[] = [];
  readonly #statements = new Map<string, Libsql.Statement>();
  readonly #sql: Sql = {
    run: (sql, parameters) => this.#statement(sql).run(bound(parameters)).changes,
    row: (sql, parameters) => asRow(this.#statement(sql).get(bound(parameters))),
    // `all`, never `iterate`: an iterator that is not read to its end keeps its snapshot, and later reads of this
    // connection would see old data.
    rows: (sql, parameters) =>
      this.#statement(sql)
        .all(bound(parameters))
        .map((row) => asRow(row) ?? {}),
  };

  private constructor(file: string, connection: Libsql.Database, options: ConnectOptions) {
    this.file = file;
    this.#connection = connection;
    this.#patience = options.patience ?? defaultPatience;
    const opened = options.isGuarded === true ? fileAt(file) : undefined;
    this.#opened = opened === undefined ? null : new Map([[file, opened]]);
  }

  /** @throws store_unsupported, store_unreadable, store_busy, store_full */
  static async connect(file: string, options: ConnectOptions = {}): Promise<Database> {
    const { load = loadLibsql } = options;
    const { default: Constructor } = await load().catch((error: unknown) => {
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
    // Only now: what a killed program had left of the other two may have been removed by the opening itself.
    database.#sidecars = [`${file}-wal`, `${file}-shm`];
    return database;
  }

  /** Runs one writing statement; resolves to the number of rows it changed. */
  run(sql: string, parameters: readonly Parameter[]): Promise<number> {
    return this.transact(() => this.#sql.run(sql, parameters));
  }

  row(sql: string, parameters: readonly Parameter[]): Promise<Row | null> {
    return this.transact(() => this.#sql.row(sql, parameters));
  }

  rows(sql: string, parameters: readonly Parameter[]): Promise<readonly Row[]> {
    return this.transact(() => this.#sql.rows(sql, parameters));
  }

  /** Reads as of one moment. `work` may run more than once. */
  read<T>(work: (sql: Sql) => T): Promise<T> {
    return this.transact((raw) => this.#within(raw, 'BEGIN', work));
  }

  /** Writes all or nothing, and no other process writes meanwhile. `work` may run more than once. */
  write<T>(work: (sql: Sql) => T): Promise<T> {
    // Immediate: a transaction that begins by reading fails where another process has written since.
    return this.transact((raw) => this.#within(raw, 'BEGIN IMMEDIATE', work));
  }

  /**
   * Runs `work`, which must leave no transaction open, again and again while another process holds the lock.
   * @throws store_busy at last; store_closed; store_replaced; what `libsqlFailure` makes of SQLite's errors
   */
  async transact<T>(work: (raw: Libsql.Database) => T): Promise<T> {
    const started = performance.now();
    for (;;) {
      if (this.#connection === null) throw storeError('store_closed', 'The store was closed.');
      this.#requireSameFiles();
      try {
        return work(this.#connection);
      } catch (error) {
        if (!isBusy(error)) throw this.#explain(error);
        if (performance.now() - started > this.#patience) {
          throw storeError(
            'store_busy',
            `${this.file} is held by another process: end it, or wait, then try again.`,
            error,
          );
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

  /** Not libsql's own transaction, which hides the error where SQLite has rolled back itself, as on a full disk. */
  #within<T>(raw: Libsql.Database, begin: string, work: (sql: Sql) => T): T {
    raw.exec(begin);
    try {
      const value = work(this.#sql);
      raw.exec('COMMIT');
      return value;
    } catch (error) {
      if (raw.inTransaction) raw.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * A file that was moved away or put back from a backup stays open here, and what this connection writes is lost with
   * it: another process would not know what was sent. The same holds for the log (`-wal`) and for its index (`-shm`),
   * through which processes see each other's writes: SQLite removes neither while a connection is open.
   */
  #requireSameFiles(): void {
    if (this.#opened === null) return;
    for (const file of [this.file, ...this.#sidecars]) {
      const now = fileAt(file);
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
    if (this.#connection === null) throw storeError('store_closed', 'The store was closed.');
    const made = this.#connection.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #explain(error: unknown): unknown {
    return error instanceof Error && error.name === 'SqliteError'
      ? libsqlFailureError(this.file, error)
      : error;
  }
}

/** Undefined where there is none. */
function fileAt(file: string): BigIntStats | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false });
}

function bound(parameters: readonly Parameter[]): unknown[] {
  return parameters.map((each) => (typeof each === 'string' ? Buffer.from(each) : each));
}

function asRow(value: unknown): Row | null {
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

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a row's column.
 * @throws store_unreadable where the column holds no UTF-8.
 */
export function readTextColumn(row: Row, column: string): string {
  const value = row[column];
  // libsql returns the blobs of a single row as Buffers, those of several rows as ArrayBuffers.
  const bytes = types.isArrayBuffer(value) ? Buffer.from(value) : value;
  if (!Buffer.isBuffer(bytes)) throw unexpected(column);
  try {
    return utf8.decode(bytes);
  } catch {
    throw unexpected(column); // Not UTF-8, so not what was written.
  }
}

/**
 * The whole number in a row's column.
 * @throws store_unreadable where the column holds no whole number.
 */
export function readIntegerColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpected(column);
  return value;
}

function unexpected(column: string) {
  return storeError(
    'store_unreadable',
    `The store is damaged (its column ${column} holds something unexpected): restore the whole data folder from a backup.`,
  );
}
