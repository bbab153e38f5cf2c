import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ArtworkError, codeOf } from '../errors.ts';
import { storeError, storeReplaced, storeUnreachable } from './errors.ts';
import type { Sql, SqlRow, Statement } from './sql.ts';

/** How long a statement is tried again while the server is away, ms: it may only be starting anew. */
const patience = 15_000;

/** A database of a PostgreSQL server. */
export interface Postgres extends Sql {
  /** Host, port and database, for people; never the name or the password of the URL. */
  readonly place: string;
  close(): void;
}

/**
 * The statements that both engines share, on a PostgreSQL server. Nothing stays in a session, so that they run behind
 * PgBouncer in transaction mode as well. After a lost connection they are run again: each list has to bear that, and its
 * caller tells from what it finds then whether the first one was applied.
 */
export function connectPostgres(url: string): Postgres {
  const pool = new pg.Pool({
    connectionString: url,
    // Few: each takes a process of the server. One that is idle is given back.
    ...{ max: 3, idleTimeoutMillis: 10_000, allowExitOnIdle: true, keepAlive: true },
    ...{ connectionTimeoutMillis: 5_000, query_timeout: 10_000, application_name: 'artwork-mcp' },
    types: { getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // A connection that the server ended: its statement is told, and the next one makes another. Without a listener this
  // process would end, be the connection idle or not.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const place = placeOf(url);
  let isClosed = false;
  /** A statement has waited in vain: until one succeeds, others don't wait. */
  let isAway = false;

  const once = async <Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> => {
    const client = await pool.connect();
    let isUsable = false;
    try {
      const value = await work(client);
      isUsable = true;
      return value;
    } finally {
      // After an error the connection may be in a transaction, or gone.
      client.release(!isUsable);
    }
  };

  const patiently = async <Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> => {
    const started = performance.now();
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      if (isClosed) throw storeError('store_closed', 'The store was closed.');
      try {
        const value = await once(work);
        isAway = false;
        return value;
      } catch (error) {
        const isOver = isAway || performance.now() - started > patience;
        if (isOver && !isFinal(error)) isAway = true;
        if (isOver || isFinal(error)) throw explained(place, error);
      }
      await sleep(pause * (0.5 + Math.random()));
    }
  };

  return {
    place,
    read: (statement) => patiently((client) => run(client, statement)),
    write: (...statements) =>
      patiently(async (client) => {
        const [only] = statements;
        if (only !== undefined && statements.length === 1) return [await run(client, only)];
        const results: (readonly SqlRow[])[] = [];
        await client.query('BEGIN');
        for (const statement of statements) {
          const rows = await run(client, statement);
          results.push(rows);
          if (statement.must !== true || rows.length > 0) continue;
          await client.query('ROLLBACK');
          return statements.map((_, at) => results[at] ?? []);
        }
        await client.query('COMMIT');
        return results;
      }),
    close() {
      if (isClosed) return;
      isClosed = true;
      pool.end().catch(() => undefined);
    },
  };
}

/** Node would take it for a text; all of ours stay below 2^53. */
const int8 = 20;

async function run(client: pg.PoolClient, { text, values }: Statement): Promise<readonly SqlRow[]> {
  let place = 0;
  const numbered = text.replaceAll('?', () => {
    place += 1;
    return `$${place}`;
  });
  return (await client.query<SqlRow>(numbered, [...values])).rows;
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

/** Serialization failure, deadlock, too many connections, a lock was not free, cancelled by a limit of the server's. */
const passing: ReadonlySet<string> = new Set(['40001', '40P01', '53300', '55P03', '57014']);

/** What a person checks, by the server's code. Its messages are never repeated: they may quote what is stored. */
function explained(place: string, error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : null;
  const at = `The store at ${place}`;
  if (isWithoutTls(error)) {
    return storeUnreachable(
      `${at} answers, but does not speak TLS, which ARTWORK_STORE asks for: give the server a certificate; or reach it through a VPN or ssh -L, and leave sslmode out.`,
    );
  }
  if (code === '53100') {
    return storeError(
      'store_full',
      `${at} has no room left on its disk: free some space there, then try again.`,
    );
  }
  if (code === '42501') {
    const needs = 'grant it what docs/several-machines.md lists';
    return storeError('store_unreadable', `${at} lets this role not use the schema artwork: ${needs}.`);
  }
  if (code === '42P01' || code === '3F000') return storeReplaced(place);
  if (code !== null && (code.startsWith('28') || code === '3D000')) {
    const checked = 'check the user, the password and the database in ARTWORK_STORE';
    return storeUnreachable(`${at} refuses the sign-in (${code}): ${checked}.`);
  }
  if (code === '25006') {
    const checked = 'it is a standby, or it was made read-only. Check which server ARTWORK_STORE names';
    return storeUnreachable(`${at} takes no writes now: ${checked}.`);
  }
  if (code === null || !isFinal(error)) {
    const why = code ?? codeOf(error);
    return storeUnreachable(
      `${at} can't be reached now${why === null ? '' : ` (${why})`}: check that PostgreSQL runs there, that this machine reaches it, and what ARTWORK_STORE says. The same call works again once it is back.`,
    );
  }
  return storeError('store_unreadable', `${at} failed (SQLSTATE ${code}): look into the log of PostgreSQL.`);
}
