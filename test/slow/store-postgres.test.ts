import { afterAll, beforeAll, describe } from 'vitest';
import { connectPostgres } from '../../src/store/postgres.ts';
import { makePostgresTables, requireStore } from '../../src/store/schema.ts';
import { ledgerContract, type LedgerStore } from '../ledger/ledger.contract.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';

describe.skipIf(postgresMissing !== null)('PostgreSQL', () => {
  let server: PostgresServer;
  let close = () => {};
  let store: LedgerStore;

  beforeAll(async () => {
    server = await startPostgres();
    const sql = connectPostgres(await server.throughBouncer(await server.database()));
    close = sql.close;
    await makePostgresTables(sql, sql.place);
    store = { id: await requireStore(sql, sql.place), place: sql.place, sql };
  });
  afterAll(async () => {
    close();
    await server.end();
  });

  ledgerContract('PostgreSQL, behind PgBouncer', async () => store);
});
