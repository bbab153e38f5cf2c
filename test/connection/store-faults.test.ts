import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allScopes } from '../../src/settings.ts';
import { storeError } from '../../src/store/errors.ts';
import { openStore, type Store } from '../../src/store/open.ts';
import { sql, textIn } from '../../src/store/sql.ts';
import { isOnPostgres } from '../support/test-store.ts';
import { codeOf, eachInItsWorld } from './setup.ts';

const world = eachInItsWorld();
const { connect, signIn } = world;

/** The rows as the store has them, by their persons. */
async function rows() {
  const found = await world.home.storage.sql.read(sql`SELECT person, record FROM artwork.connection`);
  return found.map((row) => ({ person: textIn(row, 'person'), record: textIn(row, 'record') }));
}

/** Another record of a person, whatever stands there. */
async function put(person: string, record: string) {
  await world.home.storage.sql.write(
    sql`UPDATE artwork.connection SET record = ${record}, version = version + 1 WHERE person = ${person}`,
  );
}

describe('a connection that can not be read is never "not connected"', () => {
  it.each(['{}', '{"state":"new"}', 'gone'])('a damaged row: %s', async (value) => {
    const connections = connect();
    await signIn(connections);
    for (const { person } of await rows()) await put(person, value);
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
    const reseal = (text: string) => put('mira', mine.record.replace(sealed(mine.record), text));
    await signIn(connect({ user: 'noor' }), { subject: 'noor' });
    const theirs = (await rows()).find(({ person }) => person === 'noor');
    await reseal(sealed(theirs?.record ?? ''));
    expect(await codeOf(mira.bearer())).toBe('record_tampered');
    expect(await codeOf(mira.status())).toBe('record_tampered');
    await reseal(sealed(mine.record));
    expect((await mira.bearer()).subject).toBe('mira');
    await put('mira', mine.record.replace('"generation":1', '"generation":2'));
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
    const { sql: database } = world.home.storage;
    const storage: Store = {
      ...world.home.storage,
      sql: {
        read: database.read,
        async write(...statements) {
          written += 1;
          if (isFull && written >= from) throw storeError('store_full', 'The disk is full.');
          return database.write(...statements);
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
