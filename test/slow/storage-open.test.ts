import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';

const posix = process.platform !== 'win32';
const root = process.getuid?.() === 0;
const mode = (file: string) => statSync(file).mode & 0o777;

describe('the data folder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let home: string;
  const opened: Storage[] = [];
  const open = async (): Promise<Storage> => {
    const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
    opened.push(storage);
    return storage;
  };
  beforeEach(async () => {
    folder = await temporaryFolder();
    home = path.join(folder.path, 'deep', 'home');
  });
  afterEach(async () => {
    for (const storage of opened.splice(0)) storage.close();
    await folder.remove();
  });

  it.runIf(posix)('is made private, and every file in it, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const storage = await open();
      await storage.seal.seal('n', '1', 'x');
    } finally {
      process.umask(before);
    }
    expect(mode(home)).toBe(0o700);
    expect(mode(path.dirname(home))).toBe(0o700);
    const files = readdirSync(home);
    expect(files).toEqual(expect.arrayContaining(['store.db', 'store.db-wal', 'store.db-shm', 'store.json']));
    for (const file of files) expect([file, mode(path.join(home, file))]).toEqual([file, 0o600]);
  });

  it.runIf(posix)('is refused where others could have written to it, unless it is empty', async () => {
    mkdirSync(home, { recursive: true });
    chmodSync(home, 0o777);
    await open();
    expect(mode(home)).toBe(0o700);
    chmodSync(home, 0o770);
    await expect(open()).rejects.toMatchObject({ code: 'home_not_private', message: /chmod 700/ });
    expect(mode(home)).toBe(0o770);
  });

  it.runIf(posix)("is refused where it is another user's", async ({ skip }) => {
    if (!root) skip('only root can give a folder away');
    mkdirSync(home, { recursive: true });
    chownSync(home, 65534, 65534);
    await expect(open()).rejects.toMatchObject({ code: 'home_not_private', message: /another user/ });
    chownSync(home, 0, 0);
    (await open()).close();
    chownSync(path.join(home, 'store.db'), 65534, 65534);
    await expect(open()).rejects.toMatchObject({ code: 'home_not_private', message: /store\.db/ });
  });

  it.runIf(posix)('follows no link in the place of a file', async () => {
    const elsewhere = path.join(folder.path, 'elsewhere');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, path.join(home, 'store.db'));
    await expect(open()).rejects.toMatchObject({ code: 'store_unreadable', message: /not a regular file/ });
    expect(existsSync(elsewhere)).toBe(false);
    expect(lstatSync(path.join(home, 'store.db')).isSymbolicLink()).toBe(true);
  });
});
