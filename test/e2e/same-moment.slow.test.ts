import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { follow, read, type Told } from '../support/follower.ts';
import { share } from '../support/share.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  creationOf,
  type LongShow,
  plantLongShow,
  type TitleCard,
  writeCards,
} from '../support/title-cards.ts';

const pairs = share(40, 1_000);
/** Of whole Sets. */
const setPairs = share(4, 40);
/** So many take a minute on a quiet machine. */
const hangsAfterMs = share(180_000, 1_800_000);

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let servers: readonly [StartedServer, StartedServer];
let show: LongShow;
let cards: readonly TitleCard[];

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  show = plantLongShow(household.home, pairs + setPairs);
  cards = await writeCards(pictures.path, show.episodes);
  servers = await Promise.all([startServer(env), startServer(env)]);
  await signInThrough(servers[0], household);
  // Both have found their account and the ledger before.
  for (const server of servers) await server.call('list_relationships');
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await household.remove();
  await pictures.remove();
});

interface Side {
  readonly clientMutationId: string;
  readonly told: Told;
}

/** The same call under two ids, by two processes at the same moment. */
async function twice(tool: string, args: Record<string, unknown>): Promise<readonly Side[]> {
  const calls = servers.map((server) => ({ server, args: { ...args, clientMutationId: randomUUID() } }));
  return Promise.all(
    calls.map(async ({ server, args: own }) => {
      const told = read({ tool, arguments: own }, await server.call(tool, own));
      return { clientMutationId: own.clientMutationId, told };
    }),
  );
}

it(
  'sends one of two uploads of the same bytes to the same place, and leads the other one to it',
  async () => {
    const seen = { oneSent: 0, bothSent: 0, noneSent: 0 };
    const found: (readonly Side[])[] = [];
    for (const { file, targetKind, targetId, slot } of cards.slice(0, pairs)) {
      const add = { expectedUpdatedAt: 'none', operation: 'add', file, targetKind, targetId, slot };
      const sides = await twice('upload_asset', add);
      found.push(sides);
      const sent = sides.filter(({ told }) => told.outcome === 'succeeded').length;
      seen[sent === 1 ? 'oneSent' : sent === 0 ? 'noneSent' : 'bothSent'] += 1;
    }
    process.stdout.write(`${JSON.stringify({ pairs, ...seen })}\n`);

    const saved = new Set<string | null>();
    let assets = 0;
    for (const { operation, clientMutationId } of await household.control.effects()) {
      if (operation !== 'asset.add') continue;
      saved.add(clientMutationId);
      assets += 1;
    }
    const perPair = found.map((sides) => sides.filter((side) => saved.has(side.clientMutationId)).length);
    expect(seen).toEqual({ oneSent: pairs, bothSent: 0, noneSent: 0 });
    expect(perPair).toEqual(found.map(() => 1));
    expect(assets).toBe(pairs);

    for (const [at, sides] of found.entries()) {
      const sent = sides.find(({ told }) => told.outcome === 'succeeded');
      const other = sides.find((side) => side !== sent);
      expect(other?.told).toMatchObject({
        error: { category: 'conflict', details: { heldBy: sent?.clientMutationId } },
        outcome: 'not_sent',
        next: { tool: 'get_mutation_status', arguments: { clientMutationId: sent?.clientMutationId } },
      });
      const { tool = '', arguments: args = {} } = other?.told.next ?? {};
      const journey = await follow(servers[at % 2 === 0 ? 0 : 1], { tool, arguments: args });
      expect(journey).toMatchObject({ end: 'settled', steps: [{ told: { outcome: 'succeeded' } }] });
    }
  },
  hangsAfterMs,
);

it('makes one of two Sets of the same files, and leads the other one to it', async () => {
  const made = async () =>
    (await household.control.effects()).filter(({ operation }) => operation === 'set.create').length;
  const before = await made();
  for (const card of cards.slice(pairs)) {
    const sides = await twice('create_media_set', creationOf(show, [card]));
    const sent = sides.find(({ told }) => told.outcome === 'succeeded');
    const other = sides.find((side) => side !== sent);
    expect(other?.told).toMatchObject({
      error: { category: 'conflict', details: { heldBy: sent?.clientMutationId } },
      outcome: 'not_sent',
    });
    const { tool = '', arguments: args = {} } = other?.told.next ?? {};
    const journey = await follow(servers[0], { tool, arguments: args });
    expect(journey.end).toBe('settled');
    expect(journey.steps.at(-1)?.told.outcome).toBe('succeeded');
  }
  expect((await made()) - before).toBe(setPairs);
});
