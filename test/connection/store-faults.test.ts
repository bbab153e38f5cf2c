import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allScopes } from '../../src/settings.ts';
import { storeError } from '../../src/store/errors.ts';
import { openStore, type Store } from '../../src/store/open.ts';
import { isOnPostgres } from '../support/test-store.ts';
import { codeOf, eachInItsWorld } from './setup.ts';

const world = eachInItsWorld();
const { connect, signIn } = world;

/** The rows as the store has them, in the order of their making. */
async function rows() {
  return world.home.storage.marks.scan('connection/', null, 10);
}

/** Another value under a key, whatever stands there. */
async function put(key: string, value: string) {
  const { marks } = world.home.storage;
  const { current } = await marks.putIfAbsent(key, value);
  await marks.compareAndSet(key, current.version, value);
}

describe('a connection that can not be read is never "not connected"', () => {
  it.each(['{}', '{"state":"new"}', 'gone'])('a damaged row: %s', async (value) => {
    const connections = connect();
    await signIn(connections);
    for (const { key } of await rows()) await put(key, value);
    const uses = [
      connections.bearer(),
      connections.status(),
      connections.disconnect(),
      connections.account(),
    ];
    for (const code of await Promise.all(uses.map(codeOf))) expect(code).toBe('store_unreadable');
  });

  it('tokens of another user, or of an earlier generation', async () => {
    const mira = connect({ user: 'mira' });
    await signIn(mira);
    const [mine] = await rows();
    if (mine === undefined) throw new Error('There is no row.');
    const sealed = (text: string): string => JSON.parse(text).sealed;
    const reseal = (text: string) => put(mine.key, mine.value.replace(sealed(mine.value), text));
    await signIn(connect({ user: 'noor' }), { subject: 'noor' });
    const theirs = (await rows()).find(({ key }) => key !== mine.key);
    await reseal(sealed(theirs?.value ?? ''));
    expect(await codeOf(mira.bearer())).toBe('record_tampered');
    expect(await codeOf(mira.status())).toBe('record_tampered');
    await reseal(sealed(mine.value));
    expect((await mira.bearer()).subject).toBe('mira');
    await put(mine.key, mine.value.replace('"generation":1', '"generation":2'));
    expect(await codeOf(mira.bearer())).toBe('record_tampered');
    // A sign-in takes the place of what can't be opened any more.
    expect(await signIn(mira)).toMatchObject({ leftOne: true });
    expect((await mira.bearer()).subject).toBe('mira');
  });
});

const leftOut = isOnPostgres ? ' (left out: PostgreSQL has no key of its own)' : '';

it.skipIf(isOnPostgres)(`a key that is lost is replaced only on a person’s word${leftOut}`, async () => {
  await signIn(connect());
  const key = (await readdir(world.home.path)).find((name) => name.startsWith('key-')) ?? '';
  await rm(path.join(world.home.path, key));
  const storage = await openStore({ home: world.home.path, keyring: null });
  const connections = connect({ storage: storage });
  expect(await codeOf(connections.bearer())).toBe('key_missing');
  expect(await codeOf(connections.signIn({ scopes: allScopes }))).toBe('key_missing');
  expect(await signIn(connections, { replace: true })).toMatchObject({ leftOne: true });
  expect((await connections.bearer()).subject).toBe('mira');
  storage.close();
});

describe('a disk that is full', () => {
  /** The store, which takes no writes from the given one on until it is freed. */
  function filling(from: number) {
    let written = 0;
    let isFull = true;
    const { marks } = world.home.storage;
    const fits = () => {
      written += 1;
      if (isFull && written >= from) throw storeError('store_full', 'The disk is full.');
    };
    const storage: Store = {
      ...world.home.storage,
      marks: {
        ...marks,
        async putIfAbsent(...given) {
          fits();
          return marks.putIfAbsent(...given);
        },
        async compareAndSet(...given) {
          fits();
          return marks.compareAndSet(...given);
        },
      },
    };
    return { storage, free: () => (isFull = false) };
  }

  it('sends no refresh token, and no code', async () => {
    const { storage } = filling(1);
    expect(await codeOf(signIn(connect({ storage: storage })))).toBe('store_full');
    await signIn(connect());
    const full = connect({ storage: filling(1).storage });
    expect(await codeOf(full.onUnauthorized(await full.bearer()))).toBe('store_full');
    expect(world.provider.requests.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
    expect((await connect().onUnauthorized(await connect().bearer())).generation).toBe(2);
  });

  it('costs no connection: what a renewal received is kept until it can be written', async () => {
    await signIn(connect());
    const { storage, free } = filling(2);
    const connections = connect({ storage: storage });
    const before = await connections.bearer();
    expect(await codeOf(connections.onUnauthorized(before))).toBe('store_full');
    free();
    expect((await connections.onUnauthorized(before)).generation).toBe(2);
    expect((await connect().bearer()).generation).toBe(2);
    expect(world.provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });
});
