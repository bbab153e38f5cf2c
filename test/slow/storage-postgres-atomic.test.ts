import { afterAll, beforeAll } from 'vitest';
import type { Storage } from '../../src/storage/open.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTestStorage } from '../support/test-store.ts';
import { atomicStoreContract } from '../storage/atomic-store.contract.ts';
import { type Actors, buildActors } from '../storage/processes.ts';

let actors: Actors;
let server: PostgresServer;
beforeAll(async () => {
  if (postgresMissing !== null) return;
  [actors, server] = await Promise.all([buildActors(), startPostgres()]);
});
afterAll(() => Promise.all([actors?.end(), server?.end()]));

atomicStoreContract('PostgreSQL', { missing: postgresMissing }, async () => {
  const folder = await temporaryFolder();
  const opened: Storage[] = [];
  return {
    async handle() {
      const storage = await openTestStorage(folder.path, undefined, server.url);
      opened.push(storage);
      return storage.atomic;
    },
    actor: (mode, ...rest) =>
      actors.start([mode, folder.path, ...rest], { env: { ARTWORK_TEST_STORE: server.url } }),
    async end() {
      for (const storage of opened) storage.close();
      await folder.remove();
    },
  };
});
