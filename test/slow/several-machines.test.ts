import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { keyFileFor } from '../support/test-store.ts';
import { countEffects, creationOf, type LongShow, plantLongShow, writeCards } from './title-cards.ts';

const cards = 8;
const transfer = '/me/set-uploads/*/assets';

const named = `two machines of one account${postgresMissing === null ? '' : ` (left out: ${postgresMissing})`}`;

describe.skipIf(postgresMissing !== null)(named, () => {
  let database: PostgresServer;
  let household: FailingHousehold;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let common: Record<string, string>;
  let show: LongShow;
  const running = new Set<StartedServer>();
  const inFolder = (name: string) => path.join(folder.path, name);
  /** The settings of a machine: a data folder and a folder of pictures of its own. */
  const machine = (name: string): Record<string, string> => ({
    ...common,
    ARTWORK_HOME: inFolder(name),
    ARTWORK_UPLOAD_ROOTS: inFolder(`pictures of ${name}`),
  });
  const start = async (env: Record<string, string>): Promise<StartedServer> => {
    const server = await startServer(env);
    running.add(server);
    return server;
  };
  const kill = async (server: StartedServer) => {
    process.kill(server.pid, 'SIGKILL');
    running.delete(server);
    await server.stop();
  };

  beforeAll(async () => {
    [household, folder, database] = await Promise.all([
      startFailingHousehold(['--publication-lag', '0']),
      temporaryFolder(),
      startPostgres(),
    ]);
    const { ARTWORK_HOME: _, ...app } = await registered(household);
    common = {
      ...app,
      ARTWORK_BASE_URL: household.baseUrl,
      ARTWORK_STORE: await database.database(),
      ARTWORK_STORE_KEY_FILE: keyFileFor(folder.path),
    };
    for (const name of ['desk', 'laptop']) await mkdir(inFolder(`pictures of ${name}`));
    show = plantLongShow(household.home, cards);
    const desk = await start(machine('desk'));
    await signInThrough(desk, household);
  });
  afterEach(async () => {
    await household.control.heal();
    for (const server of running) await server.stop();
    running.clear();
  });
  afterAll(async () => {
    await household?.remove();
    await database?.end();
    await folder?.remove();
  });

  const effectsOf = async (clientMutationId: string) =>
    (await household.control.effects()).filter((one) => one.clientMutationId === clientMutationId);

  /** Begins a Set on the desk, and kills its server once some files have arrived and not all. */
  const beginSet = async () => {
    const files = await writeCards(inFolder('pictures of desk'), show.episodes);
    const args = creationOf(show, files);
    const { clientMutationId } = args;
    const desk = await start(machine('desk'));
    const slow = { do: 'delay', when: 'before', milliseconds: 400, count: 1_000 } as const;
    await household.control.fail({ method: 'POST', path: transfer, ...slow });
    const call = desk.call('create_media_set', args).catch(() => null);
    const arrived = async () =>
      countEffects(await effectsOf(clientMutationId), clientMutationId)['submission.file'] ?? 0;
    while ((await arrived()) < 2) await sleep(20);
    return { args, files, desk, call, arrived };
  };
  const requireWhole = async (clientMutationId: string) =>
    expect(countEffects(await effectsOf(clientMutationId), clientMutationId)).toEqual({
      'set.create.admit': 1,
      'submission.file': cards,
      'submission.complete': 1,
      'set.create': 1,
      'asset.add': cards,
    });

  it('name the one that has the copies of a Set, and finish it there', async () => {
    const { args, desk, call } = await beginSet();
    await kill(desk);
    await call;
    await household.control.heal();
    const { clientMutationId } = args;
    const resume = { clientMutationId, expectedUpdatedAt: null };
    const laptop = await start(machine('laptop'));
    const told = await laptop.call('resume_mutation', resume);
    expect(told.structuredContent).toMatchObject({ outcome: 'interrupted' });
    expect(JSON.stringify(told)).toContain(`data folder ${inFolder('desk')}`);
    const finished = await (await start(machine('desk'))).call('resume_mutation', resume);
    expect(finished.structuredContent).toMatchObject({ outcome: 'succeeded', counts: { succeeded: cards } });
    await requireWhole(clientMutationId);
  });

  it('send nothing twice of a Set in whose middle the store goes away', async () => {
    const { args, call, desk } = await beginSet();
    await database.crash();
    await sleep(2_000);
    await database.start();
    await call;
    await household.control.heal();
    const { clientMutationId } = args;
    const resume = { clientMutationId, expectedUpdatedAt: null };
    for (let tries = 0; ; tries += 1) {
      const seen = await desk.call('get_mutation_status', { clientMutationId });
      if (z.object({ outcome: z.literal('succeeded') }).safeParse(seen.structuredContent).success) break;
      expect(tries).toBeLessThan(30);
      await desk.call('resume_mutation', resume);
    }
    await requireWhole(clientMutationId);
  });

  it('are not started without the key', async () => {
    const { ARTWORK_STORE_KEY_FILE: _, ...withoutKey } = machine('desk');
    const refused = await runCli(['status'], withoutKey);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^[^\n]*ARTWORK_STORE_KEY_FILE[^\n]*\n$/),
    });
  });
});
