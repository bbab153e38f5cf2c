import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openStorage } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Actors, type ActorOptions, buildActors } from '../storage/processes.ts';

const posix = process.platform !== 'win32';
const root = process.getuid?.() === 0;
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
  const fillUp = async (options: ActorOptions = {}) => {
    const said = await actors.start(['fill', home], options).rest();
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

  it('that is full at the first start is said to be full', async ({ skip }) => {
    mkdirSync(home, { mode: 0o700 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k,mode=0700', 'tmpfs', home], { stdio: 'ignore' });
    } catch {
      skip('a small file system can not be mounted here');
    }
    try {
      await expect(openStorage({ home, keyring: null, indexOf: () => [] })).rejects.toMatchObject({
        category: 'internal',
      });
      execFileSync('mount', ['-o', 'remount,size=2m', home]);
      const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
      expect((await storage.atomic.putIfAbsent('a', 'b')).won).toBe(true);
      storage.close();
    } finally {
      execFileSync('umount', ['-l', home]);
    }
  });

  it('whose files may grow no further is an error, and nothing that was written is lost', async ({
    skip,
  }) => {
    try {
      execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    } catch {
      skip('there is no prlimit here');
    }
    const { acknowledged, error } = await fillUp({ prefix: ['prlimit', '--fsize=400000'] });
    expect(error.code).toMatch(/^store_(full|unreadable)$/);
    expect(error.message).toMatch(/free some space|disk is well/);
    expect(acknowledged).toBeGreaterThan(10);
    await survives(acknowledged);
  });

  it.runIf(posix)('whose file can not be read is an error that names the file', async () => {
    const storage = await openStorage({ home, keyring: null, indexOf: () => [] });
    await storage.atomic.putIfAbsent('a', 'b');
    storage.close();
    // Root reads everything, so the attempt is made by the user with the least rights.
    const uid = 65534;
    const as: ActorOptions = root ? { uid } : {};
    const own = (file: string) => root && chownSync(file, uid, uid);
    chmodSync(folder.path, 0o755);
    own(home);
    for (const name of readdirSync(home)) own(path.join(home, name));
    expect(await actors.start(['open', home], as).rest()).toEqual([{ entries: 1 }]);
    for (const [name, bits, act] of [
      ['store.db', 0o000, 'open'],
      ['store.db', 0o400, 'fill'],
      ['store.json', 0o000, 'open'],
      ['.', 0o000, 'open'],
    ] as const) {
      const file = path.join(home, name);
      const usual = name === '.' ? 0o700 : 0o600;
      chmodSync(file, bits);
      const said = await actors.start([act, home], as).rest();
      chmodSync(file, usual);
      expect([name, bits, said]).toEqual([
        name,
        bits,
        [{ error: { code: 'store_unreadable', message: expect.stringContaining(home) } }],
      ]);
    }
    expect(await actors.start(['open', home], as).rest()).toEqual([{ entries: 1 }]);
  });

  it('without a build of libsql is one clear sentence', async () => {
    const preload = path.join(folder.path, 'preload.cjs');
    writeFileSync(
      preload,
      `const Module = require('node:module');
       const find = Module._resolveFilename;
       Module._resolveFilename = function (request, ...rest) {
         if (request.startsWith('@libsql/')) {
           throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
         }
         return find.call(this, request, ...rest);
       };
       Object.defineProperty(process, 'platform', { value: 'win32' });
       Object.defineProperty(process, 'arch', { value: 'arm64' });`,
    );
    const said = await actors.start(['open', home], { node: ['--require', preload] }).rest();
    expect(said).toEqual([
      {
        error: {
          code: 'store_unsupported',
          message:
            'The store needs libsql, which has no build here for win32 on arm64 (MODULE_NOT_FOUND): install the x64 build of Node.js, which Windows on ARM runs too.',
        },
      },
    ]);
  });
});
