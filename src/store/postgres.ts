import pg from 'pg';
import { sleep } from '../clock.ts';
import { isPassingFailure, postgresFailureError, storeError } from './errors.ts';
import type { Dialect } from './schema.ts';
import { type Sql, type SqlRow, type Statement, sql } from './sql.ts';

/** How long a statement is tried again while the server is away, ms: it may only be starting anew. */
const patience = 15_000;

/**
 * The statements that both engines share, on a PostgreSQL server. Nothing stays in a session, so that they run behind
 * PgBouncer in transaction mode as well. After a lost connection they are run again: each list has to bear that, and its
 * caller tells from what it finds then whether the first one was applied.
 */
export function connectPostgres(url: string): Sql & { readonly place: string; close(): void } {
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

  const patiently = async <Value>(work: (client: pg.PoolClient) => Promise<Value>): Promise<Value> => {
    const until = performance.now() + (isAway ? 0 : patience);
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      if (isClosed) throw storeError('store_closed', 'The store was closed.');
      let client: pg.PoolClient | null = null;
      try {
        client = await pool.connect();
        const value = await work(client);
        client.release();
        isAway = false;
        return value;
      } catch (error) {
        // The connection may be in a transaction, or gone.
        client?.release(true);
        const isPassing = isPassingFailure(error);
        const isOver = performance.now() > until;
        if (isPassing && isOver) isAway = true;
        if (!isPassing || isOver) throw postgresFailureError(place, error);
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

/** Host, port and database, for people; never the name or the password of the URL. */
function placeOf(url: string): string {
  const { host, searchParams, pathname } = new URL(url);
  const named = searchParams.get('host') ?? host;
  return `${named === '' ? 'localhost' : named}${decodeURIComponent(pathname)}`;
}

export const postgresDialect: Dialect = {
  // The table of tables: `to_regclass` would answer from the memory of a connection that has asked before.
  made: sql`SELECT 1 AS made FROM pg_tables WHERE schemaname = 'artwork' AND tablename = 'store'`,
  before: [
    // Any number: of several processes that come at once one makes the tables. The lock ends with the transaction.
    sql`SELECT pg_advisory_xact_lock(4175279479)`,
    // Not IF NOT EXISTS, which a role without the right to make schemas may not even ask.
    sql`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'artwork') THEN CREATE SCHEMA artwork; END IF;
    END $$`,
  ],
  spelt: (statement) =>
    statement.replaceAll(/\bTEXT\b/g, 'text COLLATE "C"').replaceAll(/\bINTEGER\b/g, 'bigint'),
};
