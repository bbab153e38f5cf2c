import { randomUUID } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { type PostgresServer, postgresMissing, startPostgres, storePassword } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { keyFileFor } from '../support/test-store.ts';
import {
  countEffects,
  creationOf,
  type LongShow,
  plantLongShow,
  writeCards,
} from '../support/title-cards.ts';
import { writePoster } from '../support/unique-pictures.ts';

const cards = 8;
const transfer = '/me/set-uploads/*/assets';

const named = `two machines of one account${postgresMissing === null ? '' : ` (left out: ${postgresMissing})`}`;

describe.skipIf(postgresMissing !== null)(named, () => {
  let database: PostgresServer;
  let household: FailingHousehold;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let common: Record<string, string>;
  let show: LongShow;
  let target: number;
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
    for (const name of ['desk', 'laptop', 'attic']) await mkdir(inFolder(`pictures of ${name}`));
    show = plantLongShow(household.home, cards);
    const desk = await start(machine('desk'));
    await signInThrough(desk, household);
    const feed = await desk.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 1 });
    const change = z.object({ data: z.tuple([z.looseObject({ target: z.looseObject({ id: z.int() }) })]) });
    target = change.parse(feed.structuredContent).data[0].target.id;
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

  const posterOf = async (name: string, more: object = {}) => ({
    clientMutationId: randomUUID(),
    expectedUpdatedAt: null,
    file: await writePoster(inFolder(`pictures of ${name}`)),
    operation: 'add',
    slot: 'poster',
    targetKind: 'category',
    targetId: target,
    ...more,
  });
  const effectsOf = async (clientMutationId: string) =>
    (await household.control.effects()).filter((one) => one.clientMutationId === clientMutationId);

  /** Makes the call, and kills its server while the request is held and not read: it never arrives whole. */
  const killWhileHeld = async (server: StartedServer, args: { readonly clientMutationId: string }) => {
    const held = { do: 'delay', when: 'before', milliseconds: 5_000 } as const;
    await household.control.fail({ method: 'POST', path: '/me/assets', ...held });
    const call = server.call('upload_asset', { ...args }).catch(() => null);
    const isHeld = async () =>
      (await household.control.requests()).some(({ query }) => query.includes(args.clientMutationId));
    while (!(await isHeld())) await sleep(20);
    await kill(server);
    await call;
    await household.control.heal();
  };

  it('share one sign-in, plans, watches and the ledger', async () => {
    const [desk, laptop] = await Promise.all([start(machine('desk')), start(machine('laptop'))]);
    expect((await laptop.call('account_status')).structuredContent).toMatchObject({ state: 'connected' });
    const made = await posterOf('desk');
    expect((await desk.call('upload_asset', made)).structuredContent).toMatchObject({ outcome: 'succeeded' });
    const { clientMutationId } = made;
    const seen = await laptop.call('get_mutation_status', { clientMutationId });
    expect(seen.structuredContent).toMatchObject({ outcome: 'succeeded', clientMutationId });
    await desk.call('watch', { add: [{ kind: 'show', id: show.showId }] });
    const watched = (await laptop.call('watch')).structuredContent;
    expect(JSON.stringify(watched)).toContain(String(show.showId));
  });

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

  it('finish a Set on the other one, with the same bytes, which lie elsewhere there', async () => {
    const { args, files, desk, call } = await beginSet();
    await kill(desk);
    await call;
    await household.control.heal();
    const { clientMutationId } = args;
    const resume = { clientMutationId, expectedUpdatedAt: null };
    const laptop = await start(machine('laptop'));
    const refused = errorOf(await laptop.call('resume_mutation', resume));
    expect(refused.error).toMatchObject({
      category: 'upload_refused',
      details: { reason: 'kept_bytes_missing' },
    });
    expect(refused.error.message).toContain(`data folder ${inFolder('desk')}`);
    const here = path.join(inFolder('pictures of laptop'), 'deep', 'down');
    await mkdir(here, { recursive: true });
    for (const [at, { bytes }] of files.entries())
      await writeFile(path.join(here, `other name ${at}.png`), bytes);
    const finished = await laptop.call('resume_mutation', resume);
    expect(finished.structuredContent).toMatchObject({
      outcome: 'succeeded',
      counts: { succeeded: cards },
      warnings: [
        { code: 'bytes_found_here', message: expect.stringMatching(/of (\d+) files .* \1 lie below/) },
      ],
    });
    await requireWhole(clientMutationId);
  });

  it('go on with an upload on the other one, where the same relative name leads to the same bytes', async () => {
    const args = await posterOf('desk');
    const { clientMutationId, file } = args;
    const desk = await start(machine('desk'));
    await killWhileHeld(desk, args);
    const laptop = await start(machine('laptop'));
    const resume = { clientMutationId, expectedUpdatedAt: null };
    const refused = errorOf(await laptop.call('resume_mutation', resume));
    expect(refused.error.message).toContain(`data folder ${inFolder('desk')}`);
    await cp(file, path.join(inFolder('pictures of laptop'), path.basename(file)));
    await rm(file);
    const done = await laptop.call('resume_mutation', resume);
    expect(done.structuredContent).toMatchObject({ outcome: 'succeeded' });
    expect((await effectsOf(clientMutationId)).length).toBe(1);
  });

  it('send nothing while the store is away, and go on without a restart once it is back', async () => {
    const desk = await start(machine('desk'));
    const args = await posterOf('desk');
    await desk.call('upload_asset', { ...args, dryRun: true });
    await database.crash();
    const away = errorOf(await desk.call('upload_asset', args));
    expect(away.error).toMatchObject({ category: 'internal', code: 'store.unreachable' });
    expect(away.error.message).toMatch(/check that PostgreSQL runs there/);
    expect(JSON.stringify(away)).not.toContain(storePassword);
    expect(await effectsOf(args.clientMutationId)).toEqual([]);
    const read = await desk.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 1 });
    expect(read.isError ?? false).toBe(false);
    await database.start();
    expect((await desk.call('upload_asset', args)).structuredContent).toMatchObject({ outcome: 'succeeded' });
    expect(desk.stderr()).not.toContain(storePassword);
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

  it('are not started without the key, and are told what they left in a store of their own', async () => {
    const { ARTWORK_STORE_KEY_FILE: _, ...withoutKey } = machine('desk');
    const refused = await runCli(['status'], withoutKey);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^[^\n]*ARTWORK_STORE_KEY_FILE[^\n]*\n$/),
    });
    const attic = machine('attic');
    const { ARTWORK_STORE: _url, ARTWORK_STORE_KEY_FILE: _key, ...alone } = attic;
    const before = await start(alone);
    await signInThrough(before, household);
    const args = await posterOf('attic');
    await killWhileHeld(before, args);
    const says = /One change is not settled in .*attic\/store\.db.*without ARTWORK_STORE/;
    for (const command of ['status', 'doctor']) expect((await runCli([command], attic)).stdout).toMatch(says);
    const server = await start(attic);
    const first = await server.call('upload_asset', await posterOf('attic'));
    expect(first.structuredContent).toMatchObject({
      outcome: 'succeeded',
      warnings: expect.arrayContaining([{ code: 'left_behind', message: expect.stringMatching(says) }]),
    });
    const second = await server.call('upload_asset', await posterOf('attic'));
    expect(JSON.stringify(second)).not.toContain('left_behind');
  });

  it('never read what is another person’s', async () => {
    const canary = `canary-${randomUUID()}`;
    const mine = { ...machine('desk'), ARTWORK_USER: 'mira' };
    const desk = await start(mine);
    await signInThrough(desk, household);
    const file = path.join(inFolder('pictures of desk'), `${canary}.png`);
    await cp(await writePoster(inFolder('pictures of desk')), file);
    const args = await posterOf('desk', { file });
    await desk.call('upload_asset', args);
    await desk.call('watch', { add: [{ kind: 'show', id: show.showId }] });
    const own = path.join(inFolder('pictures of desk'), canary);
    await mkdir(own);
    await cp(file, path.join(own, 'poster.png'));
    const planned = {
      folder: own,
      entryTargetKind: 'show',
      entryTargetId: show.showId,
    };
    const { planId } = z
      .looseObject({ planId: z.string() })
      .parse((await desk.call('plan_set', planned)).structuredContent);
    const noor = await start({ ...machine('laptop'), ARTWORK_USER: 'noor' });
    await signInThrough(noor, household, { account: 1 });
    const { clientMutationId } = args;
    const answers = [
      await noor.call('account_status'),
      await noor.call('list_mutations', { limit: 200 }),
      await noor.call('get_mutation_status', { clientMutationId }),
      await noor.call('resume_mutation', { clientMutationId, expectedUpdatedAt: null }),
      await noor.call('watch'),
      await noor.call('plan_set', { planId }).catch((error: unknown) => error),
      (await runCli(['mutations'], { ...machine('laptop'), ARTWORK_USER: 'noor' })).stdout,
    ];
    const told = JSON.stringify(answers);
    expect(told).not.toContain(canary);
    expect(told).not.toContain('mira');
    expect((await noor.call('list_mutations', { limit: 200 })).structuredContent).toMatchObject({ data: [] });
    expect(JSON.stringify((await noor.call('watch')).structuredContent)).not.toContain(String(show.showId));
  });
});
