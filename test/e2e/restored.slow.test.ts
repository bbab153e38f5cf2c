import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { stopSandbox } from '../../src/sandbox/launch.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { startServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { describeJourney, follow } from '../support/follower.ts';
import { itemOf, transfer } from '../support/submission-phases.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { creationOf, writeCards } from '../support/title-cards.ts';

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

const cards = 12;
const listed = z.object({ data: z.array(z.object({ id: z.int(), show: z.object({ id: z.int() }) })) });

let household: FailingHousehold;
let pictures: Folder;
let elsewhere: Folder;
let home: string;

beforeAll(async () => {
  [household, pictures, elsewhere] = await Promise.all([
    startFailingHousehold(),
    temporaryFolder(),
    temporaryFolder(),
  ]);
  home = path.join(elsewhere.path, 'restored');
});
afterAll(async () => {
  await stopSandbox({ home });
  await household.remove();
  await Promise.all([pictures.remove(), elsewhere.remove()]);
});

it('a data directory that was copied while nothing ran serves in another place, and goes on with what was left', async () => {
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  const server = await startConnected(household, env);
  const { data } = listed.parse((await server.call('list_episodes', { limit: 200 })).structuredContent);
  const showId = data[0]?.show.id ?? 0;
  const episodes = data.filter((one) => one.show.id === showId).map(({ id }) => id);
  const show = { showId, episodes: episodes.slice(0, cards) };
  expect(show.episodes.length).toBe(cards);
  const done = creationOf(show, (await writeCards(pictures.path, show.episodes)).slice(0, 2));
  const made = await server.call('create_media_set', done);
  expect(made.structuredContent).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 } });

  const files = await writeCards(pictures.path, show.episodes);
  const left = creationOf(show, files);
  const held = { itemId: files[cards / 2]?.itemId ?? '' };
  await household.control.fail({
    method: 'POST',
    path: transfer,
    query: held,
    do: 'delay',
    when: 'before',
    milliseconds: 60_000,
  });
  const call = server.call('create_media_set', left).then(JSON.stringify, () => 'killed');
  while (!(await household.control.requests()).some((one) => itemOf(one) === held.itemId)) await sleep(10);
  process.kill(server.pid, 'SIGKILL');
  expect(await call).toBe('killed');
  await server.stop();
  await household.killCatalogue();

  await cp(household.home, home, { recursive: true, preserveTimestamps: true });
  await rm(pictures.path, { recursive: true });
  const restored = await startServer({ ...env, ARTWORK_HOME: home });
  const account = await restored.call('account_status', {});
  expect(account.structuredContent).toMatchObject({ state: 'connected', unsettledMutations: 1 });
  const again = await restored.call('get_mutation_status', { clientMutationId: done.clientMutationId });
  expect(again.structuredContent).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 } });

  const { clientMutationId } = left;
  const resume = { clientMutationId, expectedUpdatedAt: null };
  const journey = await follow(restored, { tool: 'resume_mutation', arguments: resume });
  expect(journey.end, describeJourney(journey)).toBe('settled');
  const ended = await restored.call('get_mutation_status', { clientMutationId });
  expect(ended.structuredContent).toMatchObject({ outcome: 'succeeded', counts: { succeeded: cards } });
  await restored.stop();
});
