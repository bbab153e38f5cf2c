import { afterAll, beforeAll } from 'vitest';
import { Database } from '../../src/storage/postgres/database.ts';
import { postgresRecordStore } from '../../src/storage/postgres/records.ts';
import { requireSchema } from '../../src/storage/postgres/schema.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { sharedStoreOf } from '../support/test-store.ts';
import { type Actors, buildActors } from '../storage/processes.ts';
import { recordsContract } from '../storage/records.contract.ts';

let actors: Actors;
let server: PostgresServer;
beforeAll(async () => {
  if (postgresMissing !== null) return;
  [actors, server] = await Promise.all([buildActors(), startPostgres()]);
});
afterAll(() => Promise.all([actors?.end(), server?.end()]));

recordsContract('PostgreSQL', { missing: postgresMissing }, async () => {
  const folder = await temporaryFolder();
  const { url } = await sharedStoreOf(folder.path, server.url);
  const opened: Database[] = [];
  const breakDown = () => {
    for (const database of opened) database.close();
  };
  return {
    async handle(namespace) {
      const database = new Database(url());
      await requireSchema(database);
      opened.push(database);
      return postgresRecordStore(database, namespace);
    },
    async pass(milliseconds) {
      const passing = `UPDATE artwork.records SET expires = expires - interval '${milliseconds} ms'`;
      await server.admin(new URL(url()).pathname.slice(1), passing);
    },
    breakDown,
    actor: (mode, ...rest) =>
      actors.start([mode, folder.path, ...rest], { env: { ARTWORK_TEST_STORE: server.url } }),
    async end() {
      breakDown();
      await folder.remove();
    },
  };
});
