import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientMutationId } from '../../src/catalogue/request.ts';
import { systemClock } from '../../src/clock.ts';
import { holdersOfMachine } from '../../src/ledger/lease.ts';
import { createLedger } from '../../src/ledger/open-ledger.ts';
import { standingOf } from '../../src/ledger/rows.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTestStore, sharedStoreOf } from '../support/test-store.ts';
import { type Actor, type Actors, buildActors } from './processes.ts';

const user = { service: 'https://service.test', user: 'default' };
const claims = z.object({ id: z.string(), same: z.string(), place: z.string() });
const written = z.object({ i: z.number() });
const firstStart = z.object({ sealed: z.string(), location: z.object({ path: z.string() }) });

/** The same on both engines: processes that begin at once, and processes that are killed. */
describe.each(['SQLite', 'PostgreSQL'])('processes on one store, on %s', (engine) => {
  const isLeftOut = engine === 'PostgreSQL' && postgresMissing !== null;
  let server: PostgresServer | null = null;
  let actors: Actors;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let env: Readonly<Record<string, string>> = {};
  const open = () => openTestStore(folder.path, server?.url ?? null);
  const ready = async (mode: string, ...args: readonly string[]): Promise<Actor> => {
    const actor = actors.start([mode, folder.path, ...args], { env });
    expect(await actor.next()).toEqual({ ready: true });
    return actor;
  };

  beforeAll(async () => {
    actors = await buildActors('test/store/actor.ts');
    if (engine === 'PostgreSQL' && !isLeftOut) server = await startPostgres();
  });
  afterAll(async () => {
    await actors.end();
    await server?.end();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    if (server === null) return;
    const shared = await sharedStoreOf(folder.path, server.url);
    env = { ARTWORK_TEST_URL: shared.url(), ARTWORK_TEST_KEY: shared.keyFile };
  });
  afterEach(() => folder.remove());

  it.skipIf(isLeftOut)('give each of 40 ids, and each place, to one of eight', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const all = await Promise.all(Array.from({ length: 8 }, () => ready('claim', ...ids)));
    for (const actor of all) actor.begin();
    const said = (await Promise.all(all.map((actor) => actor.rest())))
      .flat()
      .map((line) => claims.parse(line));
    expect(said.length).toBe(8 * 40);
    for (const id of ids) {
      const ofId = said.filter((line) => line.id === id);
      expect(ofId.filter(({ same }) => same === 'leased').length).toBeGreaterThanOrEqual(1);
      expect(ofId.every(({ same }) => same === 'leased' || same === 'known')).toBe(true);
    }
    const store = await open();
    const ledger = createLedger({ store, holders: holdersOfMachine(), clock: systemClock });
    const epochs = await Promise.all(
      ids.map(async (id) => (await ledger.row(user, clientMutationId.parse(id)))?.epoch),
    );
    // A process that has ended without sending leaves its id to the next: each claim is an epoch.
    const leased = ids.map((id) => said.filter((line) => line.id === id && line.same === 'leased').length);
    expect(epochs).toEqual(leased);
    store.close();
  });

  it.skipIf(isLeftOut)('know at once what a killed one had not sent, and what it may have', async () => {
    const [unsent, perhaps] = [randomUUID(), randomUUID()];
    const holders = [
      actors.start(['send', folder.path, unsent, 'claimed'], { env }),
      actors.start(['send', folder.path, perhaps, 'sending'], { env }),
    ];
    for (const holder of holders) expect(await holder.next()).toEqual({ claim: 'leased' });
    const store = await open();
    const ledger = createLedger({ store, holders: holdersOfMachine(), clock: systemClock });
    const standing = async () =>
      Promise.all(
        [unsent, perhaps].map(async (id) => {
          const row = await ledger.row(user, clientMutationId.parse(id));
          return row === null ? null : standingOf(row);
        }),
      );
    expect(await standing()).toEqual(['processing', 'processing']);
    await Promise.all(holders.map((holder) => holder.kill()));
    expect(await standing()).toEqual(['not_sent', 'unresolved']);
    store.close();
  });

  it.skipIf(isLeftOut)('lose nothing that was acknowledged when they are killed', async () => {
    for (let round = 0; round < 10; round += 1) {
      const writer = actors.start(['write', folder.path, `round ${round}`], { env });
      let last = -1;
      while (last < 5 + round) last = written.parse(await writer.next()).i;
      await writer.kill();
      const store = await open();
      for (let i = 0; i <= last; i += 1) expect(await store.marks.get(`round ${round}/${i}`)).not.toBeNull();
      store.close();
    }
  });

  it.skipIf(isLeftOut)(
    'agree on one key and one store when they start for the first time at once',
    async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => ready('first')));
      for (const actor of all) actor.begin();
      const said = (await Promise.all(all.map((actor) => actor.rest()))).flat();
      const starts = said.map((line) => firstStart.parse(line));
      expect(new Set(starts.map(({ location }) => location.path)).size).toBe(1);
      const store = await open();
      for (const { sealed } of starts)
        expect(await store.seal.open('record', '1', sealed)).toMatch(/^from \d+$/);
      store.close();
    },
  );

  it.skipIf(isLeftOut || engine === 'SQLite')('go on where a server has crashed and is back', async () => {
    const store = await open();
    await store.marks.put('before', null, 'x');
    await server?.crash();
    const waiting = store.marks.put('meanwhile', null, 'y');
    await server?.start();
    expect(await waiting).toBe(true);
    expect((await store.marks.get('before'))?.value).toBe('x');
    await server?.crash();
    await expect(store.marks.get('before')).rejects.toMatchObject({ code: 'store.unreachable' });
    await server?.start();
    expect((await store.marks.get('meanwhile'))?.value).toBe('y');
    store.close();
  });
});

describe('a disk', () => {
  it('that is full is said to be full, and nothing that was acknowledged is lost', async ({ skip }) => {
    const folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    mkdirSync(home, { mode: 0o700 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600k,mode=0700', 'tmpfs', home], { stdio: 'ignore' });
    } catch {
      skip('a small file system can not be mounted here');
    }
    const actors = await buildActors('test/store/actor.ts');
    try {
      const said = await actors.start(['write', home, 'fill']).rest();
      expect(said.pop()).toEqual({ error: 'store_full' });
      expect(said.length).toBeGreaterThan(10);
      const store = await openTestStore(home);
      for (const line of said) expect(await store.marks.get(`fill/${written.parse(line).i}`)).not.toBeNull();
      await expect(store.seal.seal('n', '1', 'x')).rejects.toMatchObject({ code: 'store_full' });
      expect(readdirSync(home).filter((name) => name.startsWith('key-'))).toEqual([]);
      execFileSync('mount', ['-o', 'remount,size=2m', home]);
      expect(await store.seal.open('n', '1', await store.seal.seal('n', '1', 'x'))).toBe('x');
      store.close();
    } finally {
      execFileSync('umount', ['-l', home]);
      await actors.end();
      await folder.remove();
    }
  });
});
