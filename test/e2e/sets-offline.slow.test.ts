import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { describeJourney, follow } from '../support/follower.ts';
import { transfer } from '../support/submission-phases.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { countEffects, creationOf, plantLongShow, writeCards } from '../support/title-cards.ts';

const cards = 16;

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  server = await startConnected(household, {
    ...(await registered(household)),
    // Somebody else's catalogue: nobody here starts it.
    ARTWORK_BASE_URL: household.baseUrl,
    ARTWORK_UPLOAD_ROOTS: pictures.path,
  });
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

it('a Set goes on by itself once the service can be reached again', async () => {
  const show = plantLongShow(household.home, cards);
  const args = creationOf(show, await writeCards(pictures.path, show.episodes));
  const effects = async () => countEffects(await household.control.effects(), args.clientMutationId);
  const slowly = { method: 'POST', path: transfer, do: 'delay', when: 'before', count: 1_000 } as const;
  await household.control.fail({ ...slowly, milliseconds: 150 });
  const journey = follow(server, { tool: 'create_media_set', arguments: args });
  while (((await effects())['submission.file'] ?? 0) < 4) await sleep(10);
  await household.killCatalogue();
  await sleep(1_500);
  await household.restartCatalogue();
  const { end, steps } = await journey;
  expect(end, describeJourney({ end, steps })).toBe('settled');
  expect(steps.at(-1)?.told.outcome).toBe('succeeded');
  expect(steps.map(({ tool }) => tool)).not.toContain('resume_mutation');
  expect(await effects()).toEqual({
    'set.create.admit': 1,
    'submission.file': cards,
    'submission.complete': 1,
    'set.create': 1,
    'asset.add': cards,
  });
});
