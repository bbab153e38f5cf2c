import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { seeded } from '../simulation/random.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { hurried, registered, signInThrough } from '../support/connected.ts';
import { describeJourney, follow } from '../support/follower.ts';
import { numberFrom } from '../support/number-from.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

const kills = numberFrom('ARTWORK_TEST_KILLS', 12);
const seed = numberFrom('ARTWORK_TEST_SEED', randomBytes(4).readUInt32BE());
/** Hosts that share the account, the ledger and the catalogue, each killed in its turn. */
const hosts = 2;
/** The longest that the catalogue waits before it reads a body, and before it answers, ms. */
const longestWait = 150;
const biggest = 4_000_000;

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0.3']),
    temporaryFolder(),
  ]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path, ...hurried() };
});

afterAll(async () => {
  await Promise.all([...running].map((server) => server.stop()));
  await household.remove();
  await pictures.remove();
});

/** A test that fails in the middle leaves no process behind. */
const running = new Set<StartedServer>();

async function start(): Promise<StartedServer> {
  const server = await startServer(env);
  running.add(server);
  return server;
}

async function stop(server: StartedServer): Promise<void> {
  running.delete(server);
  await server.stop();
}

const listed = z.object({
  data: z.array(z.looseObject({ clientMutationId: z.string(), outcome: z.string(), operation: z.string() })),
  nextCursor: z.string().nullable(),
});

/** Every mutation that the ledger knows, by its id. */
async function ledgerOf(server: StartedServer, state?: 'open'): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const args = { limit: 200, ...(state === undefined ? {} : { state }), ...(cursor ? { cursor } : {}) };
    const answer = await server.call('list_mutations', args);
    if (answer.isError === true) {
      const { error } = errorOf(answer);
      // A server was killed while it renewed the token: whether its answer was lost, only a sign-in can tell.
      if (error.category !== 'reconnect_required') throw new Error(JSON.stringify(error));
      await signInAgain(server);
      continue;
    }
    const page = listed.parse(answer.structuredContent);
    for (const { clientMutationId, outcome } of page.data) known.set(clientMutationId, outcome);
    cursor = page.nextCursor;
  }
  return known;
}

let signingIn: Promise<void> = Promise.resolve();

/** One after the other: if two hosts find that the connection has ended, the second one has nothing to do. */
function signInAgain(server: StartedServer): Promise<void> {
  signingIn = signingIn.then(async () => {
    const { structuredContent } = await server.call('account_status');
    if (connection.parse(structuredContent).state === 'connected') return;
    await signInThrough(server, household);
    signIns += 1;
  });
  return signingIn;
}

const connection = z.looseObject({ state: z.string() });
/** How often a person had to sign in again. */
let signIns = 0;

async function effectsById(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const { clientMutationId } of await household.control.effects()) {
    if (clientMutationId === null) throw new Error('An upload has no identity.');
    counted.set(clientMutationId, (counted.get(clientMutationId) ?? 0) + 1);
  }
  return counted;
}

/** Follows what is open, as far as the server lives. */
function followOpen(server: StartedServer, open: Iterable<string>): Promise<string[]> {
  const journeys = Array.from(open, async (clientMutationId) => {
    const first = { tool: 'get_mutation_status', arguments: { clientMutationId } };
    return follow(server, first).then(describeJourney, (error: unknown) => `killed: ${String(error)}`);
  });
  return Promise.all(journeys);
}

it(
  `${kills} kills in the middle of uploads: nothing twice, and nothing that nobody knows of`,
  async () => {
    const random = seeded(seed).next;
    const first = await start();
    await signInThrough(first, household);
    const feed = await first.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 1 });
    const change = z.object({ data: z.tuple([z.looseObject({ target: z.looseObject({ id: z.int() }) })]) });
    const { target } = change.parse(feed.structuredContent).data[0];
    await stop(first);

    /** Begins an upload that takes some time on the catalogue's side. Answers how long it may last, ms. */
    const upload = async (server: StartedServer, clientMutationId: string) => {
      const waits = [random() * longestWait, random() * longestWait].map(Math.floor);
      const post = { method: 'POST', path: '/me/assets', query: { clientMutationId }, do: 'delay' } as const;
      const [before, after] = ['before', 'after'].map((when, index) => ({
        ...post,
        when,
        milliseconds: waits[index],
      }));
      const text = randomBytes(Math.ceil((random() * biggest) / 2)).toString('hex');
      const args = {
        clientMutationId,
        expectedUpdatedAt: null,
        file: await writePoster(pictures.path, text),
        operation: 'add',
        slot: 'poster',
        targetKind: 'category',
        targetId: target.id,
      };
      // A new process loads what it needs, so that the kill meets the upload.
      const since = performance.now();
      await server.call('upload_asset', { ...args, dryRun: true });
      const own = performance.now() - since;
      if (before !== undefined && after !== undefined) await household.control.fail(before, after);
      return {
        call: server.call('upload_asset', args),
        lasts: waits.reduce((one, other) => one + other, own),
      };
    };

    const met = new Map<string, number>();
    const meant: string[] = [];
    const unknown: string[] = [];
    /** What the next process finds of an upload, before it does anything about it. */
    const find = async (server: StartedServer, id: string, ended: string) => {
      // Other hosts go on with what is open: the ledger is judged by what was there before it was read, and after.
      const before = (await effectsById()).get(id) ?? 0;
      const found = (await ledgerOf(server)).get(id) ?? 'unknown';
      const made = (await effectsById()).get(id) ?? 0;
      if (found === 'unknown') unknown.push(id);
      if (before > 0) expect(['succeeded', 'unresolved', 'processing'], found).toContain(found);
      if (found === 'succeeded') expect(made).toBe(1);
      const words = `${ended}, found as ${found}, ${made === 0 ? 'not there' : 'there'}`;
      met.set(words, (met.get(words) ?? 0) + 1);
    };
    const host = async (rounds: number) => {
      let server = await start();
      for (let round = 0; round < rounds; round += 1) {
        const following = followOpen(server, (await ledgerOf(server, 'open')).keys());
        const clientMutationId = randomUUID();
        meant.push(clientMutationId);
        const { call, lasts } = await upload(server, clientMutationId);
        const ended = call.then(
          () => 'answered',
          () => 'killed',
        );
        await sleep(random() * lasts);
        process.kill(server.pid, 'SIGKILL');
        await Promise.all([ended, following]);
        await stop(server);
        server = await start();
        await find(server, clientMutationId, await ended);
      }
      await stop(server);
    };
    const share = Math.ceil(kills / hosts);
    await Promise.all(
      Array.from({ length: hosts }, (_, number) => host(Math.min(share, kills - number * share))),
    );

    const last = await start();
    const journeys: string[] = [];
    for (let left = await ledgerOf(last, 'open'), tries = 0; left.size > 0 && tries < 3; tries += 1) {
      journeys.push(...(await followOpen(last, left.keys())));
      left = await ledgerOf(last, 'open');
    }
    // Looks of servers that were killed count too: after three that told nothing a person is asked.
    for (const clientMutationId of (await ledgerOf(last, 'open')).keys()) {
      const asked = await follow(last, { tool: 'get_mutation_status', arguments: { clientMutationId } });
      expect(asked.end, describeJourney(asked)).toBe('person');
    }
    const [known, made] = [await ledgerOf(last), await effectsById()];
    await stop(last);
    const table = [...met].sort().map(([words, count]) => `  ${count} × ${words}`);
    const told = [
      `kills: ${kills}, seed: ${seed}, signed in again: ${signIns}`,
      ...table,
      ...journeys.map((one) => `  ${one}`),
    ];
    process.stdout.write(`${told.join('\n')}\n`);

    expect(journeys.filter((one) => one.endsWith('astray') || one.startsWith('killed'))).toEqual([]);
    for (const [id, count] of made) {
      expect(count, id).toBe(1);
      expect(known.get(id), id).toBe('succeeded');
    }
    for (const id of meant) {
      expect(['succeeded', 'not_sent', 'unresolved', undefined], id).toContain(known.get(id));
      if (known.get(id) === 'succeeded') expect(made.get(id), id).toBe(1);
    }
    for (const id of unknown) expect(made.get(id), id).toBeUndefined();
  },
  120_000 + kills * 15_000,
);
