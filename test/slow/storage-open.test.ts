import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../../src/storage/open.ts';
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

  it('keeps what was written from one run to the next', async () => {
    const first = await open();
    await first.atomic.putIfAbsent('a', 'b');
    await first.records('r').set('c', { d: 1 });
    first.close();
    const second = await open();
    expect(await second.atomic.get('a')).toEqual({ key: 'a', value: 'b', version: 1 });
    expect(await second.records('r').get('c')).toEqual({ d: 1 });
  });

  it.runIf(process.platform === 'linux')('is refused where no folder can be made', async () => {
    home = '/proc/artwork/home';
    await expect(open()).rejects.toMatchObject({ code: 'store_unreadable' });
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

  it.runIf(posix)('is taken away from those who could only read it', async () => {
    (await open()).close();
    chmodSync(home, 0o755);
    for (const file of readdirSync(home)) chmodSync(path.join(home, file), 0o644);
    const storage = await open();
    await storage.atomic.putIfAbsent('a', 'b');
    expect(mode(home)).toBe(0o700);
    for (const file of readdirSync(home)) expect([file, mode(path.join(home, file))]).toEqual([file, 0o600]);
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

  it('is an error where a file is in its place, or it can not be made', async () => {
    mkdirSync(path.dirname(home));
    writeFileSync(home, '');
    await expect(open()).rejects.toMatchObject({ category: 'internal', code: 'store_unreadable' });
    home = path.join(home, 'below');
    await expect(open()).rejects.toMatchObject({ code: 'store_unreadable', message: /check that/ });
  });

  it.runIf(posix)('follows no link in the place of a file', async () => {
    const elsewhere = path.join(folder.path, 'elsewhere');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, path.join(home, 'store.db'));
    await expect(open()).rejects.toMatchObject({ code: 'store_unreadable', message: /not a regular file/ });
    expect(existsSync(elsewhere)).toBe(false);
    expect(lstatSync(path.join(home, 'store.db')).isSymbolicLink()).toBe(true);
  });

  it('can not be used once it was closed', async () => {
    const storage = await open();
    const sealed = await storage.seal.seal('n', '1', 'x');
    const records = storage.records('r');
    storage.close();
    storage.close();
    const closed = { category: 'internal', code: 'store_closed' };
    await expect(storage.atomic.get('a')).rejects.toMatchObject(closed);
    await expect(storage.atomic.putIfAbsent('a', 'b')).rejects.toMatchObject(closed);
    await expect(storage.seal.open('n', '1', sealed)).rejects.toMatchObject(closed);
    await expect(storage.keyLocation()).rejects.toMatchObject(closed);
    await expect(records.get('a')).rejects.toMatchObject(closed);
  });

  it.runIf(process.platform === 'linux')('holds no file and little memory once it was closed', async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    if (typeof collect !== 'function') throw new Error('the collector is out of reach');
    const held = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        const link = path.join('/proc/self/fd', fd);
        return existsSync(link) && readlinkSync(link).startsWith(home);
      }).length;
    const sweep = async () => {
      for (let i = 0; i < 3; i += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        collect();
      }
    };
    const rounds = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i += 1) {
        const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
        await storage.atomic.putIfAbsent(`a/${i}`, 'b');
        await storage.records('r').set('a', 'b');
        storage.close();
        if (i % 20 === 19) await sweep();
      }
      return process.memoryUsage().rss;
    };
    const storage = await open();
    expect(held()).toBeGreaterThan(0);
    storage.close();
    const before = await rounds(100);
    const after = await rounds(400);
    expect(held()).toBe(0);
    // Connections that stayed would take more than twice as much.
    expect(after - before).toBeLessThan(30_000_000);
    expect(readFileSync(path.join(home, 'store.db')).subarray(0, 15).toString()).toBe('SQLite format 3');
  });
});
