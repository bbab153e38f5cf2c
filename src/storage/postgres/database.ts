import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ArtworkError, codeOf } from '../../errors.ts';
import { type StoreErrorCode, storeError } from '../store-error.ts';

type Parameter = string | number | null | readonly string[];
export type Row = Readonly<Record<string, unknown>>;

/** How long a statement is tried again while the server is away, ms: it may only be starting anew. */
const patience = 15_000;
/** After which a connection that does not answer is given up, ms. */
const mostConnecting = 5_000;
const mostAnswering = 10_000;

/** Few: each takes a process of the server. One that is idle is given back. */
const mostConnections = 3;
const idleMs = 10_000;

/**
 * Statements of a PostgreSQL server. Each is one transaction and leaves nothing in its session, so that it runs behind
 * PgBouncer in transaction mode as well. Every statement that is given here may be run twice: after a lost connection it
 * is sent again, and its caller tells from what it finds then whether the first one was applied.
 */
export class Database {
  /** Host, port and database, for people; never the name or the password of the URL. */
  readonly place: string;
  readonly #pool: pg.Pool;
  #isClosed = false;
  /** A statement has waited in vain: until one succeeds, others don't wait. */
  #isAway = false;

  constructor(url: string) {
    this.place = placeOf(url);
    this.#pool = new pg.Pool({
      connectionString: url,
      max: mostConnections,
      idleTimeoutMillis: idleMs,
      connectionTimeoutMillis: mostConnecting,
      query_timeout: mostAnswering,
      application_name: 'artwork-mcp',
      keepAlive: true,
      allowExitOnIdle: true,
    });
    // A connection that the server ended: its statement is told, and the next one makes another. Without a listener this
    // process would end, be the connection idle or not.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** @throws what `explain` makes of the server's errors; `store_closed` */
  run(sql: string, parameters: readonly Parameter[] = []): Promise<readonly Row[]> {
    return this.#patiently(async (client) => (await client.query<Row>(sql, [...parameters])).rows);
  }

  /** Several statements in one transaction. `work` may run more than once, and has to find what it did before. */
  transact<Value>(work: (run: (sql: string) => Promise<readonly Row[]>) => Promise<Value>): Promise<Value> {
    return this.#patiently(async (client) => {
      await client.query('BEGIN');
      const value = await work(async (sql) => (await client.query<Row>(sql)).rows);
      await client.query('COMMIT');
      return value;
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pool.end().catch(() => undefined);
  }

  async #patiently<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
    const started = performance.now();
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      if (this.#isClosed) throw storeError('store_closed', 'The store was closed.');
      try {
        const value = await this.#once(work);
        this.#isAway = false;
        return value;
      } catch (error) {
        if (isFinal(error)) throw explain(this.place, error);
        if (this.#isAway || performance.now() - started > patience) {
          this.#isAway = true;
          throw explain(this.place, error);
        }
      }
      await sleep(pause * (0.5 + Math.random()));
    }
  }

  async #once<Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> {
    const client = await this.#pool.connect();
    let isUsable = false;
    try {
      const value = await work(client);
      isUsable = true;
      return value;
    } finally {
      // After an error the connection may be in a transaction, or gone.
      client.release(!isUsable);
    }
  }
}

function placeOf(url: string): string {
  const { host, searchParams, pathname } = new URL(url);
  const named = searchParams.get('host') ?? host;
  return `${named === '' ? 'localhost' : named}${decodeURIComponent(pathname)}`;
}

/** Whether trying a statement again would bring the same. */
function isFinal(error: unknown): boolean {
  if (error instanceof ArtworkError || isWithoutTls(error)) return true;
  // Else the connection has ended.
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '' } = error;
  // 08: the connection, also in PgBouncer's words; 57P: the server ends or starts.
  return !passing.has(code) && !code.startsWith('08') && !code.startsWith('57P');
}

/** `pg` has no code for it. */
function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

const passing: ReadonlySet<string> = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '53300', // too many connections
  '55P03', // a lock was not free
  '57014', // cancelled, by a limit of the server's
]);

/** What a person checks, by the server's code. Its messages are never repeated: they may quote what is stored. */
function explain(place: string, error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : null;
  const at = `The store at ${place}`;
  if (isWithoutTls(error)) {
    return unreachable(
      `${at} answers, but does not speak TLS, which ARTWORK_STORE asks for: give the server a certificate; or reach it through a VPN or ssh -L, and leave sslmode out.`,
    );
  }
  if (code === '53100')
    return storeError(
      'store_full',
      `${at} has no room left on its disk: free some space there, then try again.`,
    );
  if (code === '42501') {
    return storeError(
      'store_unreadable',
      `${at} lets this role not use the schema artwork: grant it what docs/several-machines.md lists.`,
    );
  }
  if (code === '42P01' || code === '3F000') return replaced(place);
  if (code !== null && (code.startsWith('28') || code === '3D000')) {
    return unreachable(
      `${at} refuses the sign-in (${code}): check the user, the password and the database in ARTWORK_STORE.`,
    );
  }
  if (code === '25006') {
    return unreachable(
      `${at} takes no writes now: it is a standby, or it was made read-only. Check which server ARTWORK_STORE names.`,
    );
  }
  if (code === null || !isFinal(error)) {
    const why = code ?? codeOf(error);
    return unreachable(
      `${at} can't be reached now${why === null ? '' : ` (${why})`}: check that PostgreSQL runs there, that this machine reaches it, and what ARTWORK_STORE says. The same call works again once it is back.`,
    );
  }
  return storeError('store_unreadable', `${at} failed (SQLSTATE ${code}): look into the log of PostgreSQL.`);
}

/** The store is away. Whoever gets this sends nothing that was not allowed before. */
export function unreachable(message: string): ArtworkError {
  const code: StoreErrorCode = 'store.unreachable';
  return new ArtworkError('internal', message, {
    code,
    next: {
      why: 'A person checks what the message says; then the same call can be made again, without a restart.',
    },
  });
}

/** Another database is where the store was. */
export function replaced(place: string): ArtworkError {
  return storeError(
    'store_replaced',
    `The store at ${place} was removed or replaced while this server had it open: end every host that uses it, put the right database there, then start again. What was under way is looked up by its clientMutationId.`,
  );
}

/** A column of text. @throws store_unreadable */
export function readText(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw unexpected(column);
}

/** A column with a whole number. @throws store_unreadable */
export function readInteger(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw unexpected(column);
}

function unexpected(column: string): ArtworkError {
  return storeError(
    'store_unreadable',
    `The store holds something unexpected in its column ${column}: another program has changed it; restore the database from a backup.`,
  );
}
