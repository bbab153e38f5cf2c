import { afterAll, beforeAll, describe } from 'vitest';
import { createMarks } from '../../src/store/kv.ts';
import { connectPostgres, postgresDialect } from '../../src/store/postgres.ts';
import { makeTables, requireStore } from '../../src/store/schema.ts';
import { ledgerContract } from '../ledger/ledger.contract.ts';
import { storeContract } from '../store/store.contract.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';

async function connect(url: string) {
  const sql = connectPostgres(url);
  await makeTables(sql, postgresDialect);
  return { id: await requireStore(sql, sql.place), place: sql.place, sql, marks: createMarks(sql) };
}

describe.skipIf(postgresMissing !== null)('PostgreSQL', () => {
  let server: PostgresServer;
  let store: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    server = await startPostgres();
    store = await connect(await server.throughBouncer(await server.database()));
  });
  afterAll(async () => {
    store.sql.close();
    await server.end();
  });

  storeContract('PostgreSQL, behind PgBouncer', async () => store);
  ledgerContract('PostgreSQL, behind PgBouncer', async () => store);
});
