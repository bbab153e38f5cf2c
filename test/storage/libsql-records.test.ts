import path from 'node:path';
import { prepareHome } from '../../src/storage/home.ts';
import type { Database } from '../../src/storage/libsql/database.ts';
import { openStoreFile } from '../../src/storage/libsql/store-file.ts';
import { libsqlRecordStore } from '../../src/storage/records.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { recordsContract } from './records.contract.ts';

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
    async end() {
      breakDown();
      await folder.remove();
    },
  };
});
