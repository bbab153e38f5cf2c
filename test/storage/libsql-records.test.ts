import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { prepareHome } from '../../src/storage/home.ts';
import type { Database } from '../../src/storage/libsql/database.ts';
import { openStoreFile } from '../../src/storage/libsql/store-file.ts';
import { libsqlRecordStore } from '../../src/storage/records.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Actors, buildActors } from './processes.ts';
import { recordsContract } from './records.contract.ts';

let actors: Actors;
beforeAll(async () => {
  actors = await buildActors();
});
afterAll(() => actors.end());

recordsContract('libsql', { missing: null }, async () => {
  const folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  await prepareHome(home);
  const opened: Database[] = [];
  const breakDown = () => {
    for (const database of opened) database.close();
  };
  return {
    async handle(namespace) {
      const database = await openStoreFile(home);
      opened.push(database);
      return libsqlRecordStore(database, namespace);
    },
    breakDown,
    actor: (mode, ...rest) => actors.start([mode, home, ...rest]),
    async end() {
      breakDown();
      await folder.remove();
    },
  };
});
