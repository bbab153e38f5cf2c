import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { describeJourney, follow } from '../support/follower.ts';
import { keptFilesOf } from '../support/kept-files.ts';
import { numberFrom, seededRandom } from '../support/seeded.ts';
import { halves, itemOf, type Phase, type Seen, toward, transfer } from '../support/submission-phases.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  countEffects,
  creationOf,
  type LongShow,
  plantLongShow,
  type TitleCard,
  writeCards,
} from '../support/title-cards.ts';

/** How often a server is killed; ARTWORK_TEST_KILLS=100 for the long run. */
const kills = numberFrom('ARTWORK_TEST_KILLS', 10);
const seed = numberFrom('ARTWORK_TEST_SEED', randomBytes(4).readUInt32BE());
const random = seededRandom(seed);
const cards = 40;
/** One file in so many is long enough to be cut in the middle by a kill. */
const rareLong = 10;
/** Bytes. */
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

async function see(clientMutationId: string, since: number): Promise<Seen> {
  const [requests, all] = await Promise.all([household.control.requests(), household.control.effects()]);
  const own = all.filter((one) => one.clientMutationId === clientMutationId);
  const files = own.filter(({ operation }) => operation === 'submission.file');
  return {
    requests: requests.slice(since),
    effects: countEffects(own, clientMutationId),
    arrived: new Set(files.map(({ resource }) => resource.id)),
  };
}

/** Starts a server, makes the call, and kills the server once the phase is met. */
async function killWhen(phase: Phase, tool: string, args: { clientMutationId: string }): Promise<Seen> {
  const { control } = household;
  const since = (await control.requests()).length;
  await control.fail(...phase.faults);
  const server = await start();
  let heard = phase.hears === undefined;
  const kill = () => process.kill(server.pid, 'SIGKILL');
  const onprogress = ({ message = '' }: { message?: string | undefined }) => {
    if (heard || phase.hears?.(message) !== true) return;
    heard = true;
    kill();
  };
  let ended = false;
  const call = server.client
    .callTool({ name: tool, arguments: args }, undefined, { onprogress })
    .then(JSON.stringify, () => 'killed')
    .finally(() => {
      ended = true;
    });
  if (phase.hears === undefined) {
    while (!ended && !phase.isMet(await see(args.clientMutationId, since))) await sleep(5);
    kill();
  }
  expect(await call, phase.name).toBe('killed');
  await stop(server);
  await control.heal();
  return see(args.clientMutationId, since);
}

const page = z.looseObject({
  outcome: z.string(),
  counts: z.record(z.string(), z.int()),
  items: z.array(z.looseObject({ itemId: z.string(), status: z.string(), assetId: z.string() })),
  nextCursor: z.string().nullable(),
});

/** Every item as the last server tells it. */
async function itemsOf(server: StartedServer, clientMutationId: string) {
  const items: z.infer<typeof page>['items'] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const args = { clientMutationId, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const answer = page.parse((await server.call('get_mutation_status', args)).structuredContent);
    expect(answer).toMatchObject({ outcome: 'succeeded', counts: { succeeded: cards } });
    items.push(...answer.items);
    cursor = answer.nextCursor;
  }
  return items;
}

/** Goes on in a new process to the end, and looks at what all of it has come to. */
async function finish(clientMutationId: string, files: readonly TitleCard[], since: number): Promise<string> {
  const server = await start();
  const resume = { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt: null } };
  const journey = await follow(server, resume);
  expect(journey.end, describeJourney(journey)).toBe('settled');
  const items = await itemsOf(server, clientMutationId);
  await stop(server);
  expect(items.map(({ itemId }) => itemId).sort()).toEqual(files.map(({ itemId }) => itemId).sort());

  const all = await see(clientMutationId, since);
  expect(all.effects).toEqual({
    'set.create.admit': 1,
    'submission.file': cards,
    'submission.complete': 1,
    'set.create': 1,
    'asset.add': cards,
  });
  expect(all.arrived.size).toBe(cards);
  const submissions = all.requests.flatMap(
    ({ path: where }) => /^\/me\/set-uploads\/([^/]+)/.exec(where)?.[1] ?? [],
  );
  expect(new Set(submissions).size).toBe(1);
  const answered = toward(all, 'POST', transfer).filter((one) => one.status === 200 || one.status === 201);
  expect(answered.length).toBe(new Set(answered.map(itemOf)).size);
  const { origin } = new URL(household.baseUrl);
  for (const { itemId, assetId } of items) {
    const shown = await fetch(`${origin}/artwork/${assetId}.png`);
    const sent = files.find((one) => one.itemId === itemId);
    expect(sent?.bytes.equals(Buffer.from(await shown.arrayBuffer())), itemId).toBe(true);
  }
  return describeJourney(journey);
}

it(
  `a Set of ${cards} is finished whole, whenever its servers are killed: ${kills} times`,
  async () => {
    const met = new Map<string, number>();
    const told: string[] = [];
    let killed = 0;
    let unclaimed = 0;
    for (let life = 0; killed < kills; life += 1) {
      const files = await writeCards(pictures.path, show.episodes, (index) =>
        index % rareLong === life % rareLong ? longFile : 0,
      );
      const args = creationOf(show, files);
      const { clientMutationId } = args;
      const resume = { clientMutationId, expectedUpdatedAt: null };
      const waitedFor = files[Math.floor((random() * cards) / 2)]?.itemId ?? '';
      const phases = halves[life % halves.length]?.(waitedFor, random, cards) ?? [];
      const since = (await household.control.requests()).length;
      const arrived: number[] = [];
      let claimed = false;
      for (const phase of phases.slice(0, kills - killed)) {
        const seen = claimed
          ? await killWhen(phase, 'resume_mutation', resume)
          : await killWhen(phase, 'create_media_set', args);
        if (phase.hears !== undefined && !phase.isMet(seen)) {
          // Its admission left before the host could kill it. It is finished as it is, and the kill does not count.
          claimed = true;
          break;
        }
        expect(phase.isMet(seen), `${phase.name}: ${JSON.stringify(seen)}`).toBe(true);
        killed += 1;
        met.set(phase.name, (met.get(phase.name) ?? 0) + 1);
        arrived.push(seen.arrived.size);
        if (phase.name === 'its files are read or kept') unclaimed += 1;
        else if (!claimed) {
          claimed = true;
          // What was declared is kept: nobody needs the originals any more.
          await rm(path.dirname(files[0]?.file ?? ''), { recursive: true });
        }
      }
      if (claimed) told.push(`${arrived.join(' ')}: ${await finish(clientMutationId, files, since)}`);
    }
    // What a server kept that was killed before it could claim is swept a day later.
    expect((await readdir(keptFilesOf(household.home))).length).toBeLessThanOrEqual(unclaimed);
    const table = [...met].map(([name, times]) => `  ${times} × ${name}`);
    const sets = told.map((one) => `  files that had arrived at each kill: ${one}`);
    process.stdout.write([`kills: ${killed}, seed: ${seed}`, ...table, ...sets, ''].join('\n'));
    if (kills >= 10) expect(met.size).toBe(10);
  },
  120_000 + kills * 40_000,
);
