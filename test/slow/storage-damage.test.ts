import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ArtworkError } from '../../src/errors.ts';
import { openStorage, type Storage } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Actors, buildActors } from '../storage/processes.ts';

const unreadable = { category: 'internal', code: 'store_unreadable' };
const acknowledged = z.object({ i: z.number() });

describe('a damaged store', () => {
  let actors: Actors;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let home: string;
  const opened: Storage[] = [];
  const open = async (): Promise<Storage> => {
    const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
    opened.push(storage);
    return storage;
  };
  const at = (name: string) => path.join(home, name);

  /** A store of several hundred pages, left by a process that ended: nothing of it is open here. */
  const fillStore = async (): Promise<void> => {
    const writer = actors.start(['write', home, 'k']);
    for (let last = 0; last < 300; ) last = acknowledged.parse(await writer.next()).i;
    await writer.kill();
  };
  /** The same, with everything in the one file. */
  const fillFile = async (): Promise<Buffer> => {
    await fillStore();
    const database = new Libsql(at('store.db'));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const whole = readFileSync(at('store.db'));
    expect(whole.length).toBeGreaterThan(30 * 4096);
    return whole;
  };
  /** What became of every read: only an error, or what was written, will do. */
  const readAll = async (): Promise<'whole' | 'error'> => {
    try {
      const storage = await open();
      for (let i = 0; i <= 300; i += 1) {
        const entry = await storage.atomic.get(`k/${i}`);
        expect(entry?.value).toBe(`${i}:${'x'.repeat(i % 3000)}`);
        expect(await storage.records('kept').get(`k/${i}`)).toEqual({ i, text: 'y'.repeat(i % 3000) });
      }
      return 'whole';
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      expect(error).toMatchObject(unreadable);
      expect(error.message).toMatch(/restore|check that|move|choose another/i);
      return 'error';
    }
  };

  beforeAll(async () => {
    actors = await buildActors();
  });
  afterAll(() => actors.end());
  beforeEach(async () => {
    folder = await temporaryFolder();
    home = path.join(folder.path, 'home');
  });
  afterEach(async () => {
    for (const storage of opened.splice(0)) storage.close();
    await folder.remove();
  });

  it('is an error, never a new one, where the file was emptied or is gone', async () => {
    await fillStore();
    const saved = path.join(folder.path, 'saved');
    cpSync(home, saved, { recursive: true });
    const attempts: (() => void)[] = [
      () => truncateSync(at('store.db')),
      () => rmSync(at('store.db')),
      () => {
        for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) rmSync(at(name), { force: true });
      },
      () => {
        for (const name of ['store.db', 'store.json']) rmSync(at(name));
        expect(existsSync(at('store.db-wal'))).toBe(true);
      },
      () => writeFileSync(at('store.json'), '{"store":'),
      () => writeFileSync(at('store.json'), '{"store":"00000000-0000-4000-8000-000000000000"}\n'),
      () => {
        rmSync(at('store.db-wal'));
        truncateSync(at('store.db'));
        const empty = new Libsql(at('store.db'));
        empty.exec('VACUUM');
        empty.close();
      },
    ];
    for (const spoil of attempts) {
      rmSync(home, { recursive: true });
      cpSync(saved, home, { recursive: true });
      spoil();
      const names = readdirSync(home).sort();
      await expect(open(), String(spoil)).rejects.toMatchObject(unreadable);
      expect(readdirSync(home).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(
        names.filter((name) => !/-(wal|shm)$/.test(name)),
      );
    }
    rmSync(home, { recursive: true });
    renameSync(saved, home);
    expect(await readAll()).toBe('whole');
  });

  it('gives what was written or an error wherever it was cut off', async () => {
    const whole = await fillFile();
    const saved = path.join(folder.path, 'saved');
    cpSync(home, saved, { recursive: true });
    const seen: string[] = [];
    for (const length of [
      1,
      50,
      100,
      2048,
      4096,
      8192,
      whole.length >> 1,
      whole.length - 4096,
      whole.length - 1,
    ]) {
      rmSync(home, { recursive: true });
      cpSync(saved, home, { recursive: true });
      truncateSync(at('store.db'), length);
      seen.push(await readAll());
    }
    expect(seen).toEqual(seen.map(() => 'error'));
  });
});
