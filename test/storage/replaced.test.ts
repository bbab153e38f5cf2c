import { copyFile, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { identifyProcess, processMayRun } from '../../src/storage/lease.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { newId, scope } from '../ledger/machine.ts';
import { indexOf } from '../support/ledger-index.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let storage: Storage;
beforeEach(async () => {
  folder = await temporaryFolder();
  home = path.join(folder.path, 'data');
  await mkdir(home, { mode: 0o700 });
  storage = await openStorage({ home, keyring: null, indexOf });
});
afterEach(async () => {
  storage.close();
  await folder.remove();
});

function ledgerOf({ atomic }: Storage) {
  const self = identifyProcess();
  return openLedger({ store: atomic, clock: systemClock, self, mayRun: processMayRun(self) });
}

function meant(clientMutationId: string) {
  return { clientMutationId, operation: 'create_group', target: null, intent: { name: 'Doors' } };
}

const ways: [string, () => Promise<void>][] = [
  ['moved away', () => rename(home, path.join(folder.path, 'away'))],
  [
    'overwritten with a backup, file by file',
    async () => {
      const backup = path.join(folder.path, 'backup');
      await cp(home, backup, { recursive: true });
      for (const name of await readdir(home)) {
        if (/-(wal|shm)$/.test(name)) await rm(path.join(home, name));
        else await copyFile(path.join(backup, name), path.join(home, name));
      }
    },
  ],
  ['left without its log', () => rm(path.join(home, 'store.db-wal'))],
  ['left without the index of its log', () => rm(path.join(home, 'store.db-shm'))],
];

it.each(ways)(
  'claims nothing, and sends nothing that is claimed, once the store was %s',
  async (_, change) => {
    const ledger = ledgerOf(storage);
    const before = await ledger.claim(scope, meant(newId()));
    if (before.claim !== 'leased') throw new Error(`The claim is ${before.claim}.`);
    await change();
    const replaced = { category: 'internal', code: 'store_replaced' };
    await expect(ledger.claim(scope, meant(newId()))).rejects.toMatchObject(replaced);
    await expect(ledger.send(before.lease)).rejects.toMatchObject(replaced);
    await expect(ledger.isHolder(before.lease)).rejects.toMatchObject(replaced);
  },
);
