import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientMutationId } from '../../src/catalogue/request.ts';
import { systemClock } from '../../src/clock.ts';
import { holdersOfMachine } from '../../src/ledger/lease.ts';
import { createLedger } from '../../src/ledger/open-ledger.ts';
import { Database } from '../../src/store/libsql.ts';
import { openStore, type Store } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';

const posix = process.platform !== 'win32';
const mode = (file: string) => statSync(file).mode & 0o777;
const unreadable = { failure: 'internal', code: 'store_unreadable' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
const opened: Store[] = [];
const at = (name: string) => path.join(home, name);

async function open(): Promise<Store> {
  const store = await openStore({ home, keyring: null });
  opened.push(store);
  return store;
}

beforeEach(async () => {
  folder = await temporaryFolder();
  home = path.join(folder.path, 'deep', 'home');
});
afterEach(async () => {
  for (const store of opened.splice(0)) store.close();
  await folder.remove();
});

describe('the data folder', () => {
  it.runIf(posix)('is made private, and every file in it, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await (await open()).seal.seal('n', '1', 'x');
    } finally {
      process.umask(before);
    }
    expect([mode(home), mode(path.dirname(home))]).toEqual([0o700, 0o700]);
    const files = readdirSync(home);
    expect(files).toEqual(expect.arrayContaining(['store.db', 'store.db-wal', 'store.db-shm', 'store.json']));
    for (const file of files) expect([file, mode(at(file))]).toEqual([file, 0o600]);
  });

  it.runIf(posix)('is taken from others who could use it', async () => {
    mkdirSync(home, { recursive: true });
    chmodSync(home, 0o777);
    await open();
    expect(mode(home)).toBe(0o700);
  });

  it.runIf(posix)('follows no link in the place of a file', async () => {
    const elsewhere = path.join(folder.path, 'elsewhere');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, at('store.db'));
    await expect(open()).rejects.toMatchObject({ code: 'home_not_private' });
    expect(readdirSync(folder.path)).not.toContain('elsewhere');
  });

  it('of another program, or of another schema, stays as it is', async () => {
    (await open()).close();
    const whole = readFileSync(at('store.db'));
    for (const [change, code] of [
      ['UPDATE store SET number = 2', 'store_other_schema'],
      ['ALTER TABLE store RENAME TO shop', 'store_unreadable'],
    ] as const) {
      writeFileSync(at('store.db'), whole);
      const database = new Libsql(at('store.db'));
      database.exec(`${change}; PRAGMA wal_checkpoint(TRUNCATE)`);
      database.close();
      const before = readFileSync(at('store.db'));
      await expect(open()).rejects.toMatchObject({ code });
      expect(readFileSync(at('store.db'))).toEqual(before);
    }
  });

  it('is busy for as long as another program holds it, and no longer', async () => {
    await open();
    const impatient = await Database.connect(at('store.db'), { patience: 200 });
    const holder = new Libsql(at('store.db'));
    holder.exec('BEGIN IMMEDIATE');
    await expect(impatient.write((sql) => sql.run('DELETE FROM kv', []))).rejects.toMatchObject({
      code: 'store_busy',
    });
    const patient = await open();
    const waiting = patient.marks.put('b', null, 'y');
    holder.exec('COMMIT');
    expect(await waiting).toBe(true);
    holder.close();
    impatient.close();
  });
});

describe('a store that was lost or damaged', () => {
  const losses: [string, () => void][] = [
    ['emptied', () => truncateSync(at('store.db'))],
    ['removed', () => rmSync(at('store.db'))],
    [
      'removed with its log',
      () => {
        for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) rmSync(at(name), { force: true });
      },
    ],
    ['left without a mark that can be read', () => writeFileSync(at('store.json'), '{"store":')],
    ['given the mark of another', () => writeFileSync(at('store.json'), `{"store":"${randomUUID()}"}\n`)],
    [
      'made anew by another program',
      () => {
        for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) rmSync(at(name), { force: true });
        const empty = new Libsql(at('store.db'));
        empty.exec('VACUUM');
        empty.close();
      },
    ],
  ];

  it.each(losses)('is an error, never a first start: %s', async (_, spoil) => {
    const store = await open();
    for (let i = 0; i < 50; i += 1) await store.marks.put(`k/${i}`, null, 'x'.repeat(2000));
    store.close();
    const saved = path.join(folder.path, 'saved');
    cpSync(home, saved, { recursive: true });
    spoil();
    await expect(open()).rejects.toMatchObject(unreadable);
    rmSync(home, { recursive: true });
    renameSync(saved, home);
    expect((await (await open()).marks.get('k/49'))?.value).toBe('x'.repeat(2000));
  });

  it.each([
    ['cut in its middle', (whole: Buffer) => whole.subarray(0, 20_480)],
    ['without its second half', (whole: Buffer) => whole.fill(0, whole.length / 2)],
  ])('is noticed where what is damaged is read: %s', async (_, spoil) => {
    const store = await open();
    for (let i = 0; i < 50; i += 1) await store.marks.put(`k/${i}`, null, 'x'.repeat(2000));
    store.close();
    writeFileSync(at('store.db'), spoil(readFileSync(at('store.db'))));
    await expect(open().then(({ marks }) => marks.get('k/49'))).rejects.toMatchObject(unreadable);
  });
});

describe('a store that is replaced while it is open', () => {
  const account = { service: 'https://service.test', user: 'default', subject: 's', connection: 'c' };
  const change = () => ({
    ...{
      id: clientMutationId.parse(randomUUID()),
      operation: 'create_group',
      expectedUpdatedAt: null,
      intent: '{}',
    },
    ...{ target: null, names: {}, earlier: null, noticed: null, admission: null, file: null, machine: null },
    ...{ keeper: null, keys: [], items: [] },
  });
  const backUp = () => cpSync(home, path.join(folder.path, 'backup'), { recursive: true });
  /** Into the files that are open, so that each stays the same file. */
  const putBack = (...names: string[]) => {
    for (const name of names) writeFileSync(at(name), readFileSync(path.join(folder.path, 'backup', name)));
  };

  const ways: [string, () => void][] = [
    ['moved away', () => renameSync(home, path.join(folder.path, 'away'))],
    ['left without its log', () => rmSync(at('store.db-wal'))],
    ['left without the index of its log', () => rmSync(at('store.db-shm'))],
    [
      'put back from a backup, file by file',
      () => {
        for (const name of ['store.db-wal', 'store.db-shm']) rmSync(at(name));
        rmSync(at('store.db'));
        copyFileSync(path.join(folder.path, 'backup', 'store.db'), at('store.db'));
      },
    ],
    ['put back into its files', () => putBack('store.db', 'store.db-wal', 'store.db-shm')],
  ];

  it.each(ways)('claims nothing, and sends nothing, once it was %s', async (_, replace) => {
    const store = await open();
    const ledger = createLedger({ store, holders: holdersOfMachine(), clock: systemClock });
    backUp();
    const before = await ledger.claim(account, change(), await ledger.sequence());
    if (before.claim !== 'leased') throw new Error(`The claim is ${before.claim}.`);
    replace();
    await expect(ledger.claim(account, change(), 0)).rejects.toMatchObject({ failure: 'internal' });
    await expect(ledger.send(before.lease)).rejects.toThrow();
  });
});
