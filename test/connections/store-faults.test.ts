import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Connections } from '../../src/connections/connections.ts';
import { connectionKey } from '../../src/connections/grant.ts';
import { allScopes } from '../../src/settings.ts';
import { storeError } from '../../src/store/errors.ts';
import { openStore } from '../../src/store/open.ts';
import { isOnPostgres } from '../support/test-store.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import {
  codeOf,
  connectTo,
  type Home,
  openHome,
  type Storage,
  signInAt,
  storageOf,
  type TestClock,
  testClock,
} from './setup.ts';

let home: Home;
let provider: ScriptedProvider;
let clock: TestClock;
const opened: Connections[] = [];

beforeEach(async () => {
  home = await openHome();
  clock = testClock();
  provider = await startScriptedProvider();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
  await provider.close();
  await home.remove();
});

function connect(user = 'default', storage: Storage = home.storage): Connections {
  const connections = connectTo(provider, home, { clock, user, storage });
  opened.push(connections);
  return connections;
}

const pointerOf = (user = 'default') => connectionKey(provider.baseUrl, 'app', user).pointer;
const record = z.looseObject({ pointer: z.string(), sealed: z.string() });

async function tokenRecord(user = 'default') {
  const records = home.storage.records('tokens');
  for await (const [name, value] of records.iterator?.(undefined) ?? []) {
    const parsed = record.parse(value);
    if (parsed.pointer === pointerOf(user)) return { name: z.string().parse(name), value: parsed };
  }
  throw new Error(`${user} has no record.`);
}

describe('a store that can not be read is never "not connected"', () => {
  it.each([
    ['nothing known', '{}'],
    [
      'another state',
      JSON.stringify({ service: '', clientId: '', user: '', since: '', pointer: { state: 'new' } }),
    ],
  ])('a pointer that is damaged: %s', async (_what, value) => {
    const connections = connect();
    await signInAt(provider, connections);
    const { current } = await home.storage.atomic.putIfAbsent(pointerOf(), value);
    await home.storage.atomic.compareAndSet(pointerOf(), current.version, value);
    const uses = [
      connections.bearer(),
      connections.status(),
      connections.disconnect(),
      connections.account(),
    ];
    for (const code of await Promise.all(uses.map(codeOf))) expect(code).toBe('store_unreadable');
    expect(await codeOf(signInAt(provider, connections, { replace: true }))).toBe('store_unreadable');
  });

  it('a record of another user, or one that was changed', async () => {
    const mira = connect('mira');
    await signInAt(provider, mira);
    await signInAt(provider, connect('noor'), { subject: 'noor' });
    const [mine, theirs] = [await tokenRecord('mira'), await tokenRecord('noor')];
    const records = home.storage.records('tokens');
    await records.set(mine.name, { ...mine.value, sealed: theirs.value.sealed });
    expect(await codeOf(mira.bearer())).toBe('record_tampered');
    const changed = mine.value.sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    await records.set(mine.name, { ...mine.value, sealed: changed });
    expect(await codeOf(mira.bearer())).toBe('record_tampered');
    expect(await codeOf(mira.status())).toBe('record_tampered');
    await records.set(mine.name, mine.value);
    expect((await mira.bearer()).subject).toBe('mira');
    // One that is damaged beyond recognition is its own user's trouble alone.
    await records.set(theirs.name, 'gone');
    expect(await mira.status()).toMatchObject({ state: 'connected' });
    expect(await codeOf(connect('noor').bearer())).toBe('store_unreadable');
  });
});

const leftOut = isOnPostgres
  ? ' (left out: PostgreSQL has no key of its own, see slow/storage-postgres)'
  : '';

describe.skipIf(isOnPostgres)(`a key that is lost${leftOut}`, () => {
  async function loseKey(): Promise<Storage> {
    const files = await readdir(home.path);
    const key = files.find((name) => name.startsWith('key-'));
    if (key === undefined) throw new Error('There is no key file.');
    await rm(path.join(home.path, key));
    return storageOf(await openStore({ home: home.path, keyring: null }));
  }

  it('is told before a sign-in begins, and replaced only on a person’s word', async () => {
    await signInAt(provider, connect());
    const storage = await loseKey();
    const connections = connect('default', storage);
    expect(await codeOf(connections.bearer())).toBe('key_missing');
    expect(await codeOf(connections.signIn({ scopes: allScopes }))).toBe('key_missing');
    expect(await signInAt(provider, connections, { replace: true })).toMatchObject({ replaced: 'forgotten' });
    expect((await connections.bearer()).subject).toBe('mira');
    storage.close();
  });
});

describe('a disk that is full', () => {
  /** The store, whose records can't be written the first so many times. */
  function full(times: number): Storage {
    let left = 0;
    const records = home.storage.records('tokens');
    const set = records.set.bind(records);
    records.set = async (...given: Parameters<typeof set>) => {
      left += 1;
      if (left <= times) throw storeError('store_full', 'The disk is full.');
      return set(...given);
    };
    return { ...home.storage, records: () => records };
  }

  it('for long, is told, and nothing is presented twice', async () => {
    provider.script.toldSeconds = 0;
    await signInAt(provider, connect());
    expect(await codeOf(connect('default', full(1000)).bearer())).toBe('store_full');
    const connections = connect();
    expect(await connections.status()).toMatchObject({ state: 'connected' });
    // Waited for in vain; then the old token is what there is.
    expect((await connections.bearer()).generation).toBe(1);
    expect(await connections.status()).toMatchObject({ state: 'uncertain' });
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });

  it('at a sign-in, revokes what can not be kept', async () => {
    expect(await codeOf(signInAt(provider, connect('default', full(1000))))).toBe('store_full');
    expect(provider.living()).toBe(0);
  });
});
