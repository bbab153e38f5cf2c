import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { seeded } from '../simulation/random.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { type Call, describeJourney, follow } from '../support/follower.ts';
import { numberFrom } from '../support/number-from.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  countEffects,
  creationOf,
  type LongShow,
  plantLongShow,
  type TitleCard,
  writeCards,
} from './title-cards.ts';

/** How often a server is killed; ARTWORK_TEST_KILLS=100 for the long run. */
const kills = numberFrom('ARTWORK_TEST_KILLS', 10);
const seed = numberFrom('ARTWORK_TEST_SEED', randomBytes(4).readUInt32BE());
const random = seeded(seed).next;
const cards = 20;
/** Requests that a Set needs where nothing is lost: its admission, its files, its completion, and a look. */
const needed = cards + 3;
/** Bytes: one file in ten is long enough to be cut in the middle by a kill. */
const longFile = 6_000_000;

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let show: LongShow;
const running = new Set<StartedServer>();

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  show = plantLongShow(household.home, cards);
  const server = await start();
  await signInThrough(server, household);
  await stop(server);
});

afterAll(async () => {
  await Promise.all([...running].map((server) => server.stop()));
  await household.remove();
  await pictures.remove();
});

async function start(): Promise<StartedServer> {
  const server = await startServer(env);
  running.add(server);
  return server;
}

async function stop(server: StartedServer): Promise<void> {
  running.delete(server);
  await server.stop();
}

/**
 * Starts a server that makes the Set as an agent would, and kills it once the catalogue has seen so many requests,
 * or a moment after that. Answers whether it was still at work.
 */
async function killAfter(requests: number, call: Call): Promise<boolean> {
  const since = (await household.control.requests()).length;
  const server = await start();
  const made = { is: 'open' };
  const end = (is: string) => () => {
    made.is = is;
  };
  const followed = follow(server, call).then(end('ended'), end('killed'));
  while (made.is === 'open' && (await household.control.requests()).length - since < requests) await sleep(2);
  await sleep(random() * 30);
  process.kill(server.pid, 'SIGKILL');
  await followed;
  await stop(server);
  return made.is === 'killed';
}

const page = z.looseObject({
  outcome: z.string(),
  counts: z.record(z.string(), z.int()),
  items: z.array(z.looseObject({ filename: z.string(), status: z.string(), assetId: z.string() })),
  nextCursor: z.string().nullable().default(null),
});

/** Every item as the last server tells it. */
async function itemsOf(server: StartedServer, clientMutationId: string) {
  const items: z.infer<typeof page>['items'] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const args = { clientMutationId, items: true, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const answer = page.parse((await server.call('get_mutation_status', args)).structuredContent);
    expect(answer).toMatchObject({ outcome: 'succeeded', counts: { succeeded: cards } });
    items.push(...answer.items);
    cursor = answer.nextCursor;
  }
  return items;
}

/** Goes on in a new process to the end, and looks at what all of it has come to. */
async function finish(call: Call, clientMutationId: string, files: readonly TitleCard[]): Promise<string> {
  const server = await start();
  const journey = await follow(server, call);
  expect(journey.end, describeJourney(journey)).toBe('settled');
  const items = await itemsOf(server, clientMutationId);
  await stop(server);
  const nameOf = ({ file }: TitleCard) => path.basename(file);
  expect(items.map(({ filename }) => filename).sort()).toEqual(files.map(nameOf).sort());
  expect(countEffects(await household.control.effects(), clientMutationId)).toEqual({
    'set.create.admit': 1,
    'submission.file': cards,
    'submission.complete': 1,
    'set.create': 1,
    'asset.add': cards,
  });
  const { origin } = new URL(household.baseUrl);
  for (const { filename, assetId } of items) {
    const shown = await fetch(`${origin}/artwork/${assetId}.png`);
    const sent = files.find((one) => nameOf(one) === filename);
    expect(sent?.bytes.equals(Buffer.from(await shown.arrayBuffer())), filename).toBe(true);
  }
  return describeJourney(journey);
}

it(
  `a Set of ${cards} is finished whole, whenever its servers are killed: ${kills} times`,
  async () => {
    const told: string[] = [];
    let killed = 0;
    while (killed < kills) {
      const files = await writeCards(pictures.path, show.episodes, () => (random() < 0.1 ? longFile : 0));
      const args = creationOf(show, files);
      const { clientMutationId } = args;
      let call: Call = { tool: 'create_media_set', arguments: args };
      let isAtWork = true;
      const counts: number[] = [];
      for (let life = 0; life < 4 && isAtWork && killed < kills; life += 1) {
        isAtWork = await killAfter(Math.floor((random() * needed) / 2), call);
        if (!isAtWork) break;
        killed += 1;
        const effects = countEffects(await household.control.effects(), clientMutationId);
        counts.push(effects['submission.file'] ?? 0);
        if (effects['set.create.admit'] !== 1 || call.tool !== 'create_media_set') continue;
        // What was declared is kept: nobody needs the originals any more.
        await rm(path.dirname(files[0]?.file ?? ''), { recursive: true });
        call = { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt: null } };
      }
      told.push(`${counts.join(' ')}: ${await finish(call, clientMutationId, files)}`);
    }
    const sets = told.map((one) => `  files that had arrived at each kill: ${one}`);
    process.stdout.write([`kills: ${killed}, seed: ${seed}`, ...sets, ''].join('\n'));
  },
  120_000 + kills * 40_000,
);
