import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Keyring, systemKeyring } from '../../src/store/keyring.ts';
import { openStore, type Store } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/temporary.ts';

const posix = process.platform !== 'win32';

/** A keyring whose state a test can see and whose behaviour it can spoil. */
function memoryKeyring() {
  const secrets = new Map<string, string>();
  const spoilt: { failure: Error | null; answer: string | null } = { failure: null, answer: null };
  let calls = 0;
  const called = () => {
    calls += 1;
    if (spoilt.failure !== null) throw spoilt.failure;
  };
  const keyring: Keyring = {
    async write(account, secret) {
      called();
      secrets.set(account, secret);
    },
    async read(account) {
      called();
      return spoilt.answer ?? secrets.get(account) ?? null;
    },
  };
  return { keyring, secrets, spoilt, calls: () => calls };
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let memory: ReturnType<typeof memoryKeyring>;
const opened: Store[] = [];
const open = async (keyring: Keyring | null = memory.keyring): Promise<Store> => {
  const store = await openStore({ home, keyring });
  opened.push(store);
  return store;
};
const keyFiles = () => readdirSync(home).filter((name) => name.startsWith('key-'));
const firstKeyFile = () => path.join(home, keyFiles()[0] ?? 'none');

beforeEach(async () => {
  folder = await temporaryFolder();
  home = path.join(folder.path, 'home');
  memory = memoryKeyring();
});
afterEach(async () => {
  for (const store of opened.splice(0)) store.close();
  await folder.remove();
  vi.unstubAllEnvs();
});

describe('the key of the store', () => {
  it('lies in the keyring where that gives back what it was given', async () => {
    const sealed = await (await open()).seal.seal('n', '1', 'plain');
    const calls = memory.calls();
    const again = await open();
    expect(await again.seal.keyLocation()).toEqual({ kind: 'keyring' });
    expect(memory.calls()).toBe(calls);
    expect(await again.seal.open('n', '1', sealed)).toBe('plain');
    await again.seal.seal('n', '2', 'plain');
    expect(memory.calls()).toBe(calls + 1);
    expect(keyFiles()).toEqual([]);
  });

  it.each([
    ['refuses', { failure: new Error('no keyring here') }],
    ['gives back something else', { answer: 'another' }],
  ])('lies in a file, for good, where the keyring %s', async (_, spoilt) => {
    Object.assign(memory.spoilt, spoilt);
    const sealed = await (await open()).seal.seal('n', '1', 'plain');
    const well = await open(memoryKeyring().keyring);
    expect(await well.seal.open('n', '1', sealed)).toBe('plain');
    expect(await well.seal.keyLocation()).toEqual({ kind: 'file', path: firstKeyFile() });
    expect(keyFiles().length).toBe(1);
    if (posix) expect(statSync(firstKeyFile()).mode & 0o777).toBe(0o600);
  });

  it('is never replaced because the keyring can not be reached', async () => {
    const sealed = await (await open()).seal.seal('n', '1', 'plain');
    const [secret = ''] = memory.secrets.values();
    memory.spoilt.failure = new Error(`locked, and here is ${secret}`);
    const store = await open();
    for (const act of [() => store.seal.open('n', '1', sealed), () => store.seal.seal('n', '2', 'more')]) {
      const error = await act().catch((caught: unknown) => caught);
      expect(error).toMatchObject({ failure: 'internal', code: 'key_unreachable' });
      expect(String(error)).not.toContain(secret);
      expect(error).not.toHaveProperty('cause');
    }
    const without = await open(null);
    await expect(without.seal.open('n', '1', sealed)).rejects.toMatchObject({ code: 'key_unreachable' });
    expect(keyFiles()).toEqual([]);
    memory.spoilt.failure = null;
    expect(await store.seal.open('n', '1', sealed)).toBe('plain');
  });

  it('is missed where its file is gone, and known where the file is another, until a person says it is lost', async () => {
    const sealed = await (await open(null)).seal.seal('n', '1', 'plain');
    const file = firstKeyFile();
    const content = readFileSync(file, 'utf8');
    const attempt = async () => (await open(null)).seal.open('n', '1', sealed);
    for (const wrong of ['', 'x\n', content.slice(0, 20), `${Buffer.alloc(32, 1).toString('base64url')}\n`]) {
      writeFileSync(file, wrong);
      await expect(attempt()).rejects.toMatchObject({ code: 'key_missing' });
    }
    rmSync(file);
    await expect(attempt()).rejects.toMatchObject({ code: 'key_missing' });
    expect(keyFiles()).toEqual([]);
    mkdirSync(file);
    await expect(attempt()).rejects.toMatchObject({ code: 'home_not_private' });
    rmSync(file, { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, 0o644);
    expect(await attempt()).toBe('plain');
    if (posix) expect(statSync(file).mode & 0o777).toBe(0o600);
    const store = await open(null);
    await store.seal.replaceKey();
    await expect(store.seal.open('n', '1', sealed)).rejects.toMatchObject({ code: 'record_tampered' });
    expect(await store.seal.open('n', '1', await store.seal.seal('n', '1', 'new'))).toBe('new');
  });
});

describe('sealed records', () => {
  const tampered = { failure: 'internal', code: 'record_tampered' };

  it('open to what was sealed, under their own name and generation alone', async () => {
    const { seal } = await open(null);
    for (const plain of ['', 'token', 'ü'.repeat(500_000), '\u{1F3DE}\0']) {
      expect(await seal.open('n', 'g', await seal.seal('n', 'g', plain))).toBe(plain);
    }
    const sealed = await seal.seal('alice', '12', 'token');
    expect(sealed).not.toContain('token');
    for (const [name, generation] of [
      ['bob', '12'],
      ['alice', '11'],
      ['alice1', '2'],
      ['alice","12', ''],
    ] as const) {
      await expect(seal.open(name, generation, sealed)).rejects.toMatchObject(tampered);
    }
  });

  it('do not open once any character was changed, added or taken away', async () => {
    const { seal } = await open(null);
    const sealed = await seal.seal('n', '1', 'a secret of some length');
    const spoiled = [...sealed].flatMap((character, at) => [
      sealed.slice(0, at) + (character === 'A' ? 'Q' : 'A') + sealed.slice(at + 1),
      sealed.slice(0, at) + sealed.slice(at + 1),
      `${sealed.slice(0, at)}A${sealed.slice(at)}`,
    ]);
    for (const text of [...spoiled, '', 'v1', `${sealed}\n`, ` ${sealed}`]) {
      const outcome = await seal.open('n', '1', text).catch((error: unknown) => error);
      expect(outcome, text).toMatchObject(tampered);
      expect(String(outcome)).not.toContain('secret');
    }
  });
});

describe("the system's keyring", () => {
  it.runIf(process.platform === 'linux')('is given up where it never answers', async () => {
    const socket = path.join(folder.path, 'bus');
    const silent = createServer();
    silent.listen(socket);
    await once(silent, 'listening');
    const asked = once(silent, 'connection');
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${socket}`);
    // On a busy machine the process may not even have asked within the first limit.
    let outcome: Promise<unknown>;
    for (let limit = 1500; ; limit *= 2) {
      outcome = systemKeyring(limit)
        .read('test')
        .catch((caught: unknown) => caught);
      const hasAsked = await Promise.race([asked.then(() => true), outcome.then(() => false)]);
      if (hasAsked) break;
    }
    const [connection] = await asked;
    const gone = once(connection.resume(), 'close');
    expect(await outcome).toMatchObject({ code: 'key_unreachable' });
    await gone; // Its process has ended too.
    silent.close();
  });
});
