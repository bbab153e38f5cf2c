import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openStorage } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Actors, buildActors } from '../storage/processes.ts';

const failed = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const written = z.object({ i: z.number() });

describe('a disk that fails', () => {
  let actors: Actors;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let home: string;
  beforeAll(async () => {
    actors = await buildActors();
  });
  afterAll(() => actors.end());
  beforeEach(async () => {
    folder = await temporaryFolder();
    home = path.join(folder.path, 'home');
  });
  afterEach(() => folder.remove());

  /** Writes until it is stopped; answers how many writes were acknowledged, and the error that stopped it. */
  const fillUp = async () => {
    const said = await actors.start(['fill', home]).rest();
    const { error } = failed.parse(said.pop());
    return { acknowledged: said.map((line) => written.parse(line)).length, error };
  };
  const survives = async (acknowledged: number) => {
    const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
    for (let i = 0; i < acknowledged; i += 1) {
      expect((await storage.atomic.get(`fill/${i}`))?.value).toBe('z'.repeat(4000));
    }
    storage.close();
  };

  it('that is full is said to be full, and nothing that was written is lost', async ({ skip }) => {
    mkdirSync(home, { mode: 0o700 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600k,mode=0700', 'tmpfs', home], { stdio: 'ignore' });
    } catch {
      skip('a small file system can not be mounted here');
    }
    try {
      const { acknowledged, error } = await fillUp();
      expect(error).toMatchObject({ code: 'store_full', message: /free some space/ });
      expect(acknowledged).toBeGreaterThan(10);
      await survives(acknowledged);
      try {
        writeFileSync(path.join(home, 'ballast'), Buffer.alloc(600_000));
      } catch (caught) {
        expect(caught).toMatchObject({ code: 'ENOSPC' });
      }
      const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
      await expect(storage.seal.seal('n', '1', 'x')).rejects.toMatchObject({ code: 'store_full' });
      expect(readdirSync(home).filter((name) => name.startsWith('key-'))).toEqual([]);
      execFileSync('mount', ['-o', 'remount,size=2m', home]);
      expect(await storage.seal.open('n', '1', await storage.seal.seal('n', '1', 'x'))).toBe('x');
      storage.close();
    } finally {
      execFileSync('umount', ['-l', home]);
    }
  });
});
