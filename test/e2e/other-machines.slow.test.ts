import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { mutationTools } from '../support/tool-files.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

/** One account of one catalogue, on two machines: each ledger knows nothing of the other. */
let household: Household;
let here: StartedServer;
let there: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  const settings = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  here = await startConnected(household, settings);
  const home = path.join(folder.path, 'elsewhere');
  there = await startConnected(household, {
    ...settings,
    ARTWORK_HOME: home,
    ARTWORK_BASE_URL: household.baseUrl,
  });
});
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()]);
  await household.remove();
  await folder.remove();
});

const saved = z.looseObject({
  outcome: z.literal('succeeded'),
  receipt: z.looseObject({ assetId: z.string() }),
});

it('an id that another machine has used is refused, and never succeeds with the other one’s Asset', async () => {
  const add = mutationTools(there, folder.path).find(({ name }) => name === 'upload_asset, add');
  const prepared = await add?.prepare();
  const args = prepared?.arguments ?? {};
  const { receipt } = saved.parse((await there.call('upload_asset', args)).structuredContent);
  const own = { ...args, file: await writePoster(folder.path) };
  const refused = errorOf(await here.call('upload_asset', own));
  expect(refused).toMatchObject({
    outcome: 'refused',
    error: {
      category: 'conflict',
      details: { earlierUpload: { outcome: 'succeeded', assetId: receipt.assetId } },
    },
    next: { tool: 'new_mutation_ids' },
  });
  expect(refused.error.message).toContain(receipt.assetId);
});

const submitted = z.looseObject({ receipt: z.looseObject({ submissionId: z.string(), setId: z.int() }) });
const episodes = z.object({ data: z.array(z.looseObject({ id: z.int(), show: z.object({ id: z.int() }) })) });

it('a Set that another machine has made is told by its submissionId', async () => {
  const { data } = episodes.parse((await there.call('list_episodes', { limit: 1 })).structuredContent);
  const [episode] = data;
  const clientMutationId = randomUUID();
  const file = await writePoster(folder.path);
  const args = {
    clientMutationId,
    expectedUpdatedAt: null,
    entryTargetKind: 'show',
    entryTargetId: episode?.show.id,
    titleBase: 'Made elsewhere',
    languageCode: 'en',
    finalised: false,
    declaredFiles: [{ file, targetKind: 'show', targetId: episode?.show.id, slot: 'poster' }],
  };
  const made = await there.call('create_media_set', args);
  const { receipt } = submitted.parse(made.structuredContent);

  const stranger = errorOf(await here.call('get_mutation_status', { clientMutationId }));
  expect(stranger.error.category).toBe('not_found');
  expect(JSON.stringify(stranger)).toContain('submissionId');
  expect(JSON.stringify(stranger)).not.toContain('never sent');
  const asked = { submissionId: receipt.submissionId, kind: 'creation' };
  expect((await here.call('get_mutation_status', asked)).structuredContent).toMatchObject({
    outcome: 'succeeded',
    clientMutationId,
    operation: 'create_media_set',
    target: { kind: 'set', id: receipt.setId },
    counts: { succeeded: 1 },
    items: [{ status: 'succeeded', assetId: expect.any(String) }],
    nextCursor: null,
  });
  expect((await here.call('list_mutations')).structuredContent).not.toMatchObject({
    data: [{ clientMutationId }],
  });
});

it('a Set that another machine has made is not made again of a plan: what is there is told', async () => {
  const cards = path.join(folder.path, 'cards');
  await mkdir(cards);
  const { data } = episodes.parse((await there.call('list_episodes', { limit: 1 })).structuredContent);
  const show = data[0]?.show.id;
  await rename(await writePoster(folder.path), path.join(cards, 'poster.png'));
  const planned = async (server: StartedServer) => {
    const asked = { folder: cards, entryTargetKind: 'show', entryTargetId: show };
    const plan = (await server.call('plan_set', asked)).structuredContent;
    return z.looseObject({ planId: z.string() }).parse(plan).planId;
  };
  const args = {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: 'none',
    entryTargetKind: 'show',
    entryTargetId: show,
    titleBase: 'Planned twice',
    languageCode: 'en',
    finalised: false,
  };
  const made = await there.call('create_media_set', { ...args, planId: await planned(there) });
  const { receipt } = submitted.parse(made.structuredContent);
  const refused = errorOf(await here.call('create_media_set', { ...args, planId: await planned(here) }));
  const next = {
    tool: 'get_mutation_status',
    arguments: { submissionId: receipt.submissionId, kind: 'creation' },
  };
  expect(refused).toMatchObject({ outcome: 'refused', error: { category: 'conflict' }, next });
  const { clientMutationId } = args;
  expect(errorOf(await here.call('get_mutation_status', { clientMutationId }))).toMatchObject({ next });
});

it.each([
  ['neither', {}],
  ['both', { clientMutationId: randomUUID(), submissionId: 'one', kind: 'edit' }],
  ['no kind', { submissionId: 'one' }],
  ['a kind alone', { kind: 'edit' }],
])('get_mutation_status given %s says what it takes', async (_, args) => {
  const { error } = errorOf(await here.call('get_mutation_status', args));
  expect(error.category).toBe('invalid_arguments');
  expect(error.message).toContain('either clientMutationId alone, or submissionId together with kind');
});
