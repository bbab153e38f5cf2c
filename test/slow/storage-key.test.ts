import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Keyring } from '../../src/store/keys.ts';
import { openStorage, type Storage } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type MemoryKeyring, memoryKeyring } from '../storage/memory-keyring.ts';
import { type Actors, buildActors } from '../storage/processes.ts';

const firstStart = z.object({
  sealed: z.string(),
  location: z.object({ kind: z.literal('file'), path: z.string() }),
});

describe('the key of the store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let home: string;
  let keyring: MemoryKeyring;
  const opened: Storage[] = [];
  const open = async (asked: Keyring | null = keyring): Promise<Storage> => {
    const storage = await openStorage({ home, keyring: asked, indexOf: () => [] });
    opened.push(storage);
    return storage;
  };
  const keyFiles = () => readdirSync(home).filter((name) => name.startsWith('key-'));
  const firstKeyFile = () => path.join(home, keyFiles()[0] ?? 'none');

  beforeEach(async () => {
    folder = await temporaryFolder();
    home = path.join(folder.path, 'home');
    keyring = memoryKeyring();
  });
  afterEach(async () => {
    for (const storage of opened.splice(0)) storage.close();
    await folder.remove();
  });

  it('lies in the keyring where that gives back what it was given', async () => {
    const sealed = await (await open()).seal.seal('n', '1', 'plain');
    const calls = keyring.calls;
    const again = await open();
    expect(await again.keyLocation()).toEqual({ kind: 'keyring' });
    expect(keyring.calls).toBe(calls);
    expect(await again.seal.open('n', '1', sealed)).toBe('plain');
    await again.seal.seal('n', '2', 'plain');
    expect(keyring.calls).toBe(calls + 1);
    expect(keyFiles()).toEqual([]);
  });

  it.each([
    ['refuses', () => ({ failure: new Error('no keyring here') })],
    ['gives back something else', () => ({ answer: 'another' })],
  ])('lies in a file, for good, where the keyring %s', async (_, spoil) => {
    const spoiled = Object.assign(keyring, spoil());
    const sealed = await (await open(spoiled)).seal.seal('n', '1', 'plain');
    const well = await open(memoryKeyring());
    expect(await well.seal.open('n', '1', sealed)).toBe('plain');
    expect(await well.keyLocation()).toEqual({ kind: 'file', path: firstKeyFile() });
    expect(keyFiles().length).toBe(1);
    if (process.platform !== 'win32') expect(statSync(firstKeyFile()).mode & 0o777).toBe(0o600);
  });

  it('is never replaced because the keyring can not be reached', async () => {
    const sealed = await (await open()).seal.seal('n', '1', 'plain');
    const secret = [...keyring.secrets.values()][0] ?? '';
    keyring.failure = new Error(`locked, and here is ${secret}`);
    const storage = await open();
    for (const act of [
      () => storage.seal.open('n', '1', sealed),
      () => storage.seal.seal('n', '2', 'more'),
    ]) {
      const error = await act().catch((caught: unknown) => caught);
      expect(error).toMatchObject({ category: 'internal', code: 'key_unreachable', message: /unlock/ });
      expect(String(error)).not.toContain(secret);
      expect(error).not.toHaveProperty('cause');
    }
    await expect((await open(null)).seal.open('n', '1', sealed)).rejects.toMatchObject({
      code: 'key_unreachable',
    });
    expect(keyFiles()).toEqual([]);
    expect(await storage.keyLocation()).toEqual({ kind: 'keyring' });
    keyring.failure = null;
    expect(await storage.seal.open('n', '1', sealed)).toBe('plain');
  });

  it('is missed where its file is gone, and known where the file is another or damaged', async () => {
    const sealed = await (await open(null)).seal.seal('n', '1', 'plain');
    const file = firstKeyFile();
    const content = readFileSync(file, 'utf8');
    const attempt = async () => (await open(null)).seal.open('n', '1', sealed);

    for (const wrong of ['', 'x\n', content.slice(0, 20), `${Buffer.alloc(32, 1).toString('base64url')}\n`]) {
      writeFileSync(file, wrong);
      await expect(attempt()).rejects.toMatchObject({ code: 'key_wrong' });
    }
    rmSync(file);
    await expect(attempt()).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining(file),
    });
    expect(keyFiles()).toEqual([]);
    mkdirSync(file);
    await expect(attempt()).rejects.toMatchObject({ code: 'store_unreadable' });
    rmSync(file, { recursive: true });
    writeFileSync(file, content, { mode: 0o644 });
    chmodSync(file, 0o644);
    expect(await attempt()).toBe('plain');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  describe('in processes', () => {
    let actors: Actors;
    beforeAll(async () => {
      actors = await buildActors();
    });
    afterAll(() => actors.end());

    it('is one among eight that start for the first time at once', async () => {
      for (let round = 0; round < 3; round += 1) {
        home = path.join(folder.path, `round-${round}`);
        const starting = Array.from({ length: 8 }, () => actors.start(['first', home]));
        for (const actor of starting) expect(await actor.next()).toEqual({ ready: true });
        for (const actor of starting) actor.begin();
        const said = (await Promise.all(starting.map((actor) => actor.rest()))).flat();
        const starts = said.map((line) => firstStart.parse(line));
        expect(starts.length).toBe(8);
        const storage = await open(null);
        for (const { sealed, location } of starts) {
          expect(await storage.seal.open('record', '1', sealed)).toMatch(/^from \d+$/);
          expect(location.path).toBe(firstKeyFile());
        }
        expect(keyFiles().length).toBe(1);
      }
    });
  });
});
