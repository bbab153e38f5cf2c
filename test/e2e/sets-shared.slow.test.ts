import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { heartbeatLimit } from '../../src/storage/lease.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { SeenRequest } from '../support/catalogue-control.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { follow, read } from '../support/follower.ts';
import { itemOf, transfer } from '../support/submission-phases.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  countEffects,
  creationOf,
  type LongShow,
  plantLongShow,
  type TitleCard,
  writeCards,
} from '../support/title-cards.ts';

const cards = 24;
/** How long the catalogue takes for each file, so that others come while one server is at work. ms */
const slowMs = 250;
/** More than an owner may be silent for. ms */
const nightMs = 8 * 60 * 60_000;

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let dates: string;
let show: LongShow;
const running = new Set<StartedServer>();

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  dates = path.join(pictures.path, 'dates-ahead');
  const preload = pathToFileURL(path.join(import.meta.dirname, '../support/dates-ahead.mjs')).href;
  env = {
    ...(await registered(household)),
    ARTWORK_UPLOAD_ROOTS: pictures.path,
    NODE_OPTIONS: `--import=${preload}`,
    TEST_DATES_AHEAD: dates,
  };
  show = plantLongShow(household.home, cards);
  await writeFile(dates, '0');
  const server = await start();
  await signInThrough(server, household);
});

beforeEach(async () => {
  await household.control.heal();
  await writeFile(dates, '0');
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

const slowly = (count = 1_000) =>
  household.control.fail({
    method: 'POST',
    path: transfer,
    do: 'delay',
    when: 'before',
    milliseconds: slowMs,
    count,
  });

async function effectsOf(clientMutationId: string): Promise<Record<string, number>> {
  return countEffects(await household.control.effects(), clientMutationId);
}

/** Waits until so many files of it have arrived. Answers how many then have. */
async function arrived(clientMutationId: string, atLeast: number): Promise<number> {
  for (;;) {
    const files = (await effectsOf(clientMutationId))['submission.file'] ?? 0;
    if (files >= atLeast) return files;
    await sleep(10);
  }
}

const posts = async () => (await household.control.requests()).filter(({ method }) => method === 'POST');

/**
 * What has become of a whole Set: each thing once, and no transfer was made again that had been answered, but
 * for one of which nobody could tell for a while.
 */
async function expectWhole(
  clientMutationId: string,
  files: readonly TitleCard[],
  doubtful: string | null = null,
): Promise<void> {
  expect(await effectsOf(clientMutationId)).toEqual({
    'set.create.admit': 1,
    'submission.file': files.length,
    'submission.complete': 1,
    'set.create': 1,
    'asset.add': files.length,
  });
  const certain = new Set(files.map(({ itemId }) => itemId).filter((itemId) => itemId !== doubtful));
  const answered = (await posts()).filter((one) => certain.has(itemOf(one)) && one.status !== null);
  expect(answered.length).toBe(new Set(answered.map(itemOf)).size);
}

function outcomeOf(result: CallToolResult) {
  return read({ tool: 'resume_mutation', arguments: {} }, result);
}

/** A Set whose server is killed once some of its files have arrived. */
async function leftBehind() {
  const files = await writeCards(pictures.path, show.episodes);
  const args = creationOf(show, files);
  const { clientMutationId } = args;
  await slowly();
  const server = await start();
  const call = server.call('create_media_set', args).catch(() => 'killed');
  await arrived(clientMutationId, 4);
  process.kill(server.pid, 'SIGKILL');
  expect(await call).toBe('killed');
  return { files, clientMutationId, resume: { clientMutationId, expectedUpdatedAt: null } };
}

/** Two servers go on with it at the same moment: which one does, and what the other one is told. */
async function bothResume(resume: { clientMutationId: string; expectedUpdatedAt: null }) {
  const hosts = await Promise.all([start(), start()]);
  // Both have found their account and the ledger before.
  for (const host of hosts) await host.call('get_mutation_status', { clientMutationId: randomUUID() });
  const calls = hosts.map(async (host) => ({ host, result: await host.call('resume_mutation', resume) }));
  const { host: waiting, result } = await Promise.race(calls);
  const index = hosts.indexOf(waiting);
  const carrying = hosts[1 - index];
  const carried = calls[1 - index];
  if (carrying === undefined || carried === undefined) throw new Error('There are two hosts.');
  return { waiting, told: outcomeOf(result), carrying, carried: carried.then((one) => one.result) };
}

it('is carried on by one of two hosts, and the other one waits for it', async () => {
  const { files, clientMutationId, resume } = await leftBehind();
  const { waiting, told, carried } = await bothResume(resume);
  expect(told).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
  const { next } = told;
  const journey = await follow(waiting, { tool: next?.tool ?? '', arguments: next?.arguments ?? {} });
  expect(journey).toMatchObject({ end: 'settled', steps: [{ told: { outcome: 'succeeded' } }] });
  expect(outcomeOf(await carried)).toMatchObject({ outcome: 'succeeded' });
  await expectWhole(clientMutationId, files);
});

it('is gone on with at once by the other host when the first one is killed', async () => {
  const { files, clientMutationId, resume } = await leftBehind();
  const { waiting, told, carrying, carried } = await bothResume(resume);
  expect(told).toMatchObject({ outcome: 'processing' });
  const dead = carried.catch(() => 'killed');
  const before = (await effectsOf(clientMutationId))['submission.file'] ?? 0;
  const then = await arrived(clientMutationId, before + 3);
  process.kill(carrying.pid, 'SIGKILL');
  expect(await dead).toBe('killed');
  expect(then).toBeLessThan(cards);
  expect(outcomeOf(await waiting.call('resume_mutation', resume))).toMatchObject({ outcome: 'succeeded' });
  await expectWhole(clientMutationId, files);
});

it('is taken over from a server that a closed laptop has stopped, which sends no more when it wakes', async () => {
  const long = 5;
  const files = await writeCards(pictures.path, show.episodes, (index) => (index === long ? 12_000_000 : 0));
  const args = creationOf(show, files);
  const { clientMutationId } = args;
  const resume = { clientMutationId, expectedUpdatedAt: null };
  const itemId = files[long]?.itemId ?? '';
  const where = { method: 'POST', path: transfer, do: 'delay', when: 'before' } as const;
  // The first server stops in the middle of this one's body, which the catalogue does not read at once.
  await household.control.fail({ ...where, query: { itemId }, milliseconds: 500 });
  await slowly();
  const asleep = await start();
  const other = await start();
  // The host sleeps as well: it must not give the call up meanwhile.
  const call = asleep.client
    .callTool({ name: 'create_media_set', arguments: { ...args } }, undefined, { timeout: 170_000 })
    .then((result) => CallToolResultSchema.parse(result));
  const isUnderWay = (one: SeenRequest) => itemOf(one) === itemId && one.status === null;
  while (!(await posts()).some(isUnderWay)) await sleep(5);
  process.kill(asleep.pid, 'SIGSTOP');
  const before = await arrived(clientMutationId, 1);
  let carried: Promise<CallToolResult>;
  try {
    // So soon it may only be slow.
    expect(outcomeOf(await other.call('resume_mutation', resume))).toMatchObject({
      outcome: 'processing',
      next: { tool: 'get_mutation_status' },
    });
    // A clock that jumps says nothing of the holder; its counter that stands still for a minute does.
    await writeFile(dates, String(nightMs));
    expect(outcomeOf(await other.call('resume_mutation', resume))).toMatchObject({ outcome: 'processing' });
    await sleep(heartbeatLimit + 1_000);
    carried = other.call('resume_mutation', resume);
    await arrived(clientMutationId, before + 6);
  } finally {
    process.kill(asleep.pid, 'SIGCONT');
  }
  expect(outcomeOf(await call)).toMatchObject({
    outcome: 'processing',
    next: { tool: 'get_mutation_status' },
  });
  expect(outcomeOf(await carried)).toMatchObject({ outcome: 'succeeded' });
  await expectWhole(clientMutationId, files, itemId);
  const sent = (await posts()).map(itemOf);
  for (const file of files) {
    if (file.itemId !== itemId) expect(sent.filter((one) => one === file.itemId)).toHaveLength(1);
  }
});
