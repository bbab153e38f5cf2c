import { afterAll, beforeAll } from 'vitest';
import { openStorage, type Storage } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { atomicStoreContract } from '../storage/atomic-store.contract.ts';
import { type Actors, buildActors } from '../storage/processes.ts';

let actors: Actors;
beforeAll(async () => {
  actors = await buildActors();
});
afterAll(() => actors.end());

atomicStoreContract('libsql', { missing: null }, async () => {
  const folder = await temporaryFolder();
  const opened: Storage[] = [];
  return {
    async handle() {
      const storage = await openStorage({ home: folder.path, keyring: null, indexOf: () => [] });
      opened.push(storage);
      return storage.atomic;
    },
    actor: (mode, ...rest) => actors.start([mode, folder.path, ...rest]),
    async end() {
      for (const storage of opened) storage.close();
      await folder.remove();
    },
  };
});
