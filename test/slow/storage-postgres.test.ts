import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AtomicStore } from '../../src/store/kv.ts';
import { openStorage, type Storage } from '../../src/store/open.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { type PostgresServer, postgresMissing, startPostgres, storePassword } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { keyFileFor } from '../support/test-store.ts';
import { atomicStoreContract } from '../storage/atomic-store.contract.ts';
import { type Actors, buildActors } from '../storage/processes.ts';

let server: PostgresServer;
let actors: Actors;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const opened: Storage[] = [];

beforeAll(async () => {
  if (postgresMissing !== null) return;
  [actors, server] = await Promise.all([buildActors(), startPostgres()]);
});
afterAll(() => Promise.all([actors?.end(), server?.end()]));
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const storage of opened.splice(0)) storage.close();
  await folder.remove();
});

const homeOf = (name: string) => path.join(folder.path, name);

interface Opening {
  readonly home?: string;
  readonly keyFile?: string;
}

async function open(url: string, { home = 'one', keyFile = keyFileFor(folder.path) }: Opening = {}) {
  const shared = { url: () => url, keyFile };
  const storage = await openStorage({ home: homeOf(home), keyring: null, indexOf: () => [], shared });
  opened.push(storage);
  return storage;
}

const named = `a store on PostgreSQL${postgresMissing === null ? '' : ` (left out: ${postgresMissing})`}`;
const databaseOf = (url: string) => new URL(url).pathname.slice(1);

describe.skipIf(postgresMissing !== null)(named, () => {
  it('is made once by eight processes that come first at once, with the rights of a role that owns one schema', async () => {
    const url = await server.database();
    const env = { ARTWORK_TEST_URL: url };
    const keyFile = keyFileFor(folder.path);
    const starting = Array.from({ length: 8 }, (_, at) =>
      actors.start(['first', homeOf(`home-${at % 2}`)], { env: { ...env, ARTWORK_TEST_KEY: keyFile } }),
    );
    for (const actor of starting) expect(await actor.next()).toEqual({ ready: true });
    for (const actor of starting) actor.begin();
    const said = (await Promise.all(starting.map((actor) => actor.rest()))).flat();
    expect(said).toEqual(said.map(() => expect.objectContaining({ sealed: expect.any(String) })));
    expect(said).toHaveLength(8);
    const storage = await open(url);
    for (const line of said) {
      const { sealed } = z.object({ sealed: z.string() }).parse(line);
      expect(await storage.seal.open('record', '1', sealed)).toMatch(/^from \d+$/);
    }
    const { rows } = await server.admin(databaseOf(url), 'SELECT count(*)::int AS stores FROM artwork.store');
    expect(rows).toEqual([{ stores: 1 }]);
  });

  it('with another schema is refused in one line, and stays as it is', async () => {
    const url = await server.database();
    await open(url);
    await server.admin(databaseOf(url), 'UPDATE artwork.store SET number = 7');
    const refused = { category: 'internal', code: 'store_other_schema', message: /^[^\n]*schema 7[^\n]*$/ };
    await expect(open(url, { home: 'two' })).rejects.toMatchObject(refused);
  });

  it('is refused where an acknowledged write could be lost, or texts would change', async () => {
    const url = await server.database();
    await server.admin('postgres', `ALTER DATABASE ${databaseOf(url)} SET synchronous_commit = off`);
    await expect(open(url)).rejects.toMatchObject({ code: 'store_refused', message: /synchronous_commit/ });
    await server.admin('postgres', "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const latin = new URL(url);
    latin.pathname = '/latin';
    await expect(open(latin.href)).rejects.toMatchObject({ code: 'store_refused', message: /UTF8/ });
  });

  it('tells what a person checks, and never the password', async () => {
    const url = new URL(await server.database());
    const wrong = new URL(url);
    wrong.password = 'canary-wrong';
    const nowhere = new URL(url);
    nowhere.port = '1';
    const unknown = new URL(url);
    unknown.pathname = '/nothing';
    const encrypted = new URL(url);
    encrypted.searchParams.set('sslmode', 'verify-full');
    for (const [asked, says] of [
      [encrypted, /does not speak TLS/],
      [wrong, /refuses the sign-in.*password/],
      [nowhere, /can't be reached.*ECONNREFUSED.*127\.0\.0\.1|127\.0\.0\.1.*ECONNREFUSED/],
      [unknown, /database in ARTWORK_STORE/],
    ] as const) {
      const error = await open(asked.href).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ category: 'internal', code: 'store.unreachable', message: says });
      expect(JSON.stringify([String(error), error])).not.toMatch(new RegExp(`${storePassword}|canary-wrong`));
    }
  });

  it('that is away is told at the call that needs it, and works once it is back', async () => {
    const storage = await open(await server.database());
    await storage.atomic.putIfAbsent('a', 'one');
    await server.crash();
    const away = { category: 'internal', code: 'store.unreachable' };
    await expect(storage.atomic.get('a')).rejects.toMatchObject(away);
    await expect(storage.atomic.compareAndSet('a', 1, 'two')).rejects.toMatchObject(away);
    await expect(storage.records('r').get('a')).rejects.toMatchObject(away);
    await server.start();
    expect(await storage.atomic.get('a')).toMatchObject({ value: 'one', version: 1 });
    expect(await storage.atomic.compareAndSet('a', 1, 'two')).toMatchObject({ outcome: 'swapped' });
  });

  it('that was removed, replaced or emptied since takes no claim', async () => {
    const url = await server.database();
    const storage = await open(url);
    await storage.atomic.putIfAbsent('a', 'one');
    await server.admin(
      databaseOf(url),
      'DROP SCHEMA artwork CASCADE; CREATE SCHEMA artwork AUTHORIZATION artwork',
    );
    const replaced = { code: 'store_replaced' };
    await expect(storage.atomic.putIfAbsent('a', 'one')).rejects.toMatchObject(replaced);
    // This folder knows another store; one that never knew any makes it anew.
    await open(url, { home: 'two' });
    await expect(storage.atomic.putIfAbsent('a', 'one')).rejects.toMatchObject(replaced);
    await expect(storage.atomic.get('a')).rejects.toMatchObject(replaced);
    await expect(open(url)).rejects.toMatchObject({ ...replaced, message: /store\.shared\.json/ });
  });

  it('seals with the key that the machines share, and with no other', async () => {
    const url = await server.database();
    const sealed = await (await open(url)).seal.seal('n', '1', 'secret');
    const other = await open(url, { home: 'two' });
    expect(await other.seal.open('n', '1', sealed)).toBe('secret');
    expect(await other.keyLocation()).toEqual({ kind: 'file', path: keyFileFor(folder.path) });
    const keyFile = path.join(folder.path, 'other-key');
    const third = await open(url, { home: 'three', keyFile });
    await expect(third.seal.open('n', '1', sealed)).rejects.toMatchObject({ code: 'key_missing' });
    await writeFile(keyFile, `${randomBytes(32).toString('base64url')}\n`);
    const uses = [() => third.seal.open('n', '1', sealed), () => third.seal.seal('n', '2', 'x')];
    for (const use of uses) {
      await expect(use()).rejects.toMatchObject({ code: 'key_wrong', message: /ARTWORK_STORE_KEY_FILE/ });
    }
    await writeFile(keyFile, 'short');
    await expect(third.seal.open('n', '1', sealed)).rejects.toMatchObject({ code: 'key_wrong' });
    await rm(keyFile);
  });

  it('makes no write twice and loses none whose answer was lost, and tells each claim truly, with two writers', async () => {
    const url = new URL(await server.database());
    const proxy = await startCuttingProxy(server.port);
    url.port = String(proxy.port);
    const stores = [(await open(url.href)).atomic, (await open(url.href, { home: 'two' })).atomic] as const;
    let counted = 0;
    const count = async (store: AtomicStore, steps: number) => {
      for (let done = 0; done < steps; ) {
        const now = await store.get('counter');
        if (now === null) throw new Error('It vanished.');
        try {
          const next = String(Number(now.value) + 1);
          const swap = await store.compareAndSet('counter', now.version, next);
          if (swap.outcome === 'swapped') counted += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: 'store.unreachable' });
        }
        done += 1;
      }
    };
    const won: string[][] = [[], []];
    const claim = async (store: AtomicStore, mine: string[]) => {
      for (let key = 0; key < 150; key += 1) {
        // Both claim with the same words: only the store can tell them apart.
        if ((await store.putIfAbsent(`claim/${key}`, 'same')).won) mine.push(`claim/${key}`);
      }
    };
    await stores[0].putIfAbsent('counter', '0');
    proxy.cutEvery(5);
    await Promise.all(stores.map((store) => count(store, 150)));
    await Promise.all(stores.map((store, at) => claim(store, won[at] ?? [])));
    proxy.cutEvery(0);
    const { value = '' } = (await stores[0].get('counter')) ?? {};
    expect(Number(value)).toBeGreaterThanOrEqual(counted);
    expect(Number(value)).toBeLessThanOrEqual(2 * 150);
    expect(won.flat().toSorted()).toEqual(Array.from({ length: 150 }, (_, key) => `claim/${key}`).toSorted());
    await proxy.close();
  });
});

atomicStoreContract('PostgreSQL behind PgBouncer', { missing: postgresMissing }, async () => {
  const url = await server.throughBouncer(await server.database());
  const keyFile = keyFileFor(folder.path);
  const home = homeOf('behind');
  return {
    handle: async () => (await open(url, { home: 'behind' })).atomic,
    actor: (mode, ...rest) =>
      actors.start([mode, home, ...rest], { env: { ARTWORK_TEST_URL: url, ARTWORK_TEST_KEY: keyFile } }),
    end: async () => {},
  };
});
