import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { hurried, registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writeAnimation, writePoster } from '../support/unique-pictures.ts';
import { Workshop } from '../support/workshop.ts';

let household: FailingHousehold;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let workshop: Workshop;
let env: Record<string, string>;

beforeAll(async () => {
  [household, folder] = await Promise.all([
    startFailingHousehold(['--publication-lag', '4']),
    temporaryFolder(),
  ]);
  env = {
    ...(await registered(household)),
    ARTWORK_UPLOAD_ROOTS: folder.path,
    ARTWORK_BASE_URL: household.baseUrl,
  };
  server = await startConnected(household, env);
  workshop = new Workshop(server, folder.path);
});
afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

const shown = z.looseObject({
  pending: z
    .array(
      z.looseObject({
        operation: z.string(),
        outcome: z.string(),
        next: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), why: z.string() }),
      }),
    )
    .optional(),
});

function structured(answer: CallToolResult): unknown {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent;
}

const pendingIn = async (tool: string, args: Record<string, unknown>, by = server) =>
  shown.parse(structured(await by.call(tool, args))).pending;

/** Replaces a picture of a film in a Set of one's own. */
async function replacement() {
  const { id: setId, target } = await workshop.ownSet();
  const record = z.object({
    data: z.looseObject({
      assets: z.array(
        z.looseObject({ id: z.string(), slot: z.string(), updatedAt: z.string(), target: z.unknown() }),
      ),
    }),
  });
  const { data } = record.parse(structured(await server.call('get_owned', { type: 'set', id: setId })));
  const poster = data.assets.find(({ slot }) => slot === 'poster');
  if (poster === undefined) throw new Error('The Set has no poster.');
  const clientMutationId = randomUUID();
  const args = {
    clientMutationId,
    expectedUpdatedAt: poster.updatedAt,
    operation: 'replace',
    previousAssetId: poster.id,
    slot: 'poster',
    setId,
    targetKind: target.kind,
    targetId: target.id,
    file: await writePoster(folder.path),
  };
  return { args, clientMutationId, setId, target };
}

const next = (clientMutationId: string) => ({
  tool: 'get_mutation_status',
  arguments: { clientMutationId },
  why: expect.any(String),
});

it('get_set and get_entity say of an upload that is not public so far, and stop once it is', async () => {
  const { args, clientMutationId, setId, target } = await replacement();
  expect(await pendingIn('get_set', { kind: 'movie_set', id: setId })).toBeUndefined();
  const done = structured(await server.call('upload_asset', args));
  expect(done).toMatchObject({ outcome: 'succeeded', publicationStatus: 'pending' });
  const told = [
    {
      operation: 'upload_asset',
      outcome: 'succeeded',
      publicationStatus: 'pending',
      next: next(clientMutationId),
    },
  ];
  expect(await pendingIn('get_set', { kind: 'movie_set', id: setId })).toMatchObject(told);
  expect(await pendingIn('get_entity', { kind: 'movie', id: target.id })).toMatchObject(told);
  expect(await pendingIn('get_entity', { kind: 'movie', id: target.id, include: ['assets'] })).toMatchObject(
    told,
  );
  // Of nothing else.
  const elsewhere = await server.call('get_entity', { kind: 'category', id: await workshop.category() });
  expect(shown.parse(structured(elsewhere)).pending).toBeUndefined();

  const published = z.looseObject({ publicationStatus: z.string() });
  await expect
    .poll(async () => {
      const asked = await server.call('get_mutation_status', { clientMutationId });
      return published.parse(structured(asked)).publicationStatus;
    })
    .toBe('succeeded');
  expect(await pendingIn('get_set', { kind: 'movie_set', id: setId })).toBeUndefined();
});

it('get_set and get_entity say of one whose outcome is not known, in another process too', async () => {
  const { args, clientMutationId, setId, target } = await replacement();
  await household.control.fail(
    { method: 'POST', path: '/me/sets/*/assets', do: 'cut', when: 'received' },
    {
      method: 'GET',
      path: '/me/asset-uploads/*',
      do: 'answer',
      status: 503,
      when: 'before',
      count: 1_000,
      skip: 1,
    },
  );
  const hurrying = await startServer({ ...env, ...hurried });
  await hurrying.call('upload_asset', args);
  // On a busy machine the call may answer before it knows.
  await expect
    .poll(async () => (await pendingIn('get_set', { kind: 'movie_set', id: setId }, hurrying))?.[0]?.outcome)
    .toBe('unresolved');
  await hurrying.stop();
  await household.control.heal();
  const told = { operation: 'upload_asset', outcome: 'unresolved', next: next(clientMutationId) };
  const second = await startServer(env);
  for (const by of [server, second]) {
    const [inSet] = (await pendingIn('get_set', { kind: 'movie_set', id: setId }, by)) ?? [];
    expect(inSet).toMatchObject(told);
    const [inFilm] = (await pendingIn('get_entity', { kind: target.kind, id: target.id }, by)) ?? [];
    expect(inFilm).toMatchObject(told);
  }
  await second.stop();
});

/** An Asset of an own Set, with its revision. */
async function assetInSet() {
  const { id: setId, target } = await workshop.ownSet();
  const record = z.object({
    data: z.looseObject({
      assets: z.array(z.looseObject({ id: z.string(), slot: z.string(), updatedAt: z.string() })),
    }),
  });
  const { data } = record.parse(structured(await server.call('get_owned', { type: 'set', id: setId })));
  const asset = data.assets.find(({ slot }) => slot === 'backdrop') ?? data.assets[0];
  if (asset === undefined) throw new Error('The Set has no Asset.');
  return { asset, setId, target };
}

/** A change of an Asset whose answer is lost, and what the reads say of it. */
async function pendingAfterLost(
  { tool, path, args }: { tool: string; path: string; args: Record<string, unknown> },
  reads: readonly (readonly [string, Record<string, unknown>])[],
) {
  await household.control.fail(
    { method: 'POST', path, do: 'cut', when: 'received', count: 1_000 },
    { method: 'GET', path: '/me/assets/*', do: 'answer', status: 503, when: 'before', count: 1_000, skip: 1 },
  );
  const hurrying = await startServer({ ...env, ...hurried });
  const clientMutationId = randomUUID();
  await hurrying.call(tool, { clientMutationId, ...args });
  await hurrying.stop();
  await household.control.heal();
  for (const [read, asked] of reads) {
    const [told] = (await pendingIn(read, asked)) ?? [];
    expect(told).toMatchObject({ operation: tool, outcome: 'unresolved', next: next(clientMutationId) });
  }
}

it('get_owned and get_entity say of an edit of an Asset whose outcome is not known, wherever they list it', async () => {
  const { asset, setId, target } = await assetInSet();
  await pendingAfterLost(
    {
      tool: 'edit_asset_metadata',
      path: '/me/assets/*/metadata',
      args: { assetId: asset.id, expectedUpdatedAt: asset.updatedAt, languageCode: 'de' },
    },
    [
      ['get_owned', { type: 'asset', id: asset.id.toUpperCase() }],
      ['get_owned', { type: 'set', id: setId }],
      ['get_entity', { kind: target.kind, id: target.id, include: ['assets'] }],
    ],
  );
});

it('get_owned says of a choice of a preview frame whose outcome is not known', async () => {
  const { assetId, updatedAt } = await workshop.newAsset(await writeAnimation(folder.path));
  await pendingAfterLost(
    {
      tool: 'select_preview_frame',
      path: '/me/assets/*/preview',
      args: { assetId, expectedUpdatedAt: updatedAt, selectedSourceFrame: 1 },
    },
    [['get_owned', { type: 'asset', id: assetId }]],
  );
});

it('get_mutation_status says when public reads have caught up with an edit of an Asset', async () => {
  const { assetId, updatedAt } = await workshop.newAsset();
  const clientMutationId = randomUUID();
  const edit = { clientMutationId, expectedUpdatedAt: updatedAt, assetId, languageCode: 'de' };
  const done = structured(await server.call('edit_asset_metadata', edit));
  expect(done).toMatchObject({ outcome: 'succeeded', publicationStatus: 'pending' });
  const told = { operation: 'edit_asset_metadata', publicationStatus: 'pending' };
  const edits = async () =>
    (await pendingIn('get_owned', { type: 'asset', id: assetId }))?.filter(
      ({ operation }) => operation === told.operation,
    );
  expect(await edits()).toMatchObject([told]);
  const published = z.looseObject({ publicationStatus: z.string() });
  await expect
    .poll(async () => {
      const asked = await server.call('get_mutation_status', { clientMutationId });
      return published.parse(structured(asked)).publicationStatus;
    })
    .toBe('succeeded');
  expect(await edits()).toBeUndefined();
});

it('get_owned says no more of an edit once the record itself says that it is public', async () => {
  const { assetId, updatedAt } = await workshop.newAsset();
  const edit = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, assetId, languageCode: 'de' };
  expect(structured(await server.call('edit_asset_metadata', edit))).toMatchObject({ outcome: 'succeeded' });
  const owned = z.looseObject({
    data: z.looseObject({ publicationStatus: z.string() }),
    pending: z.array(z.looseObject({ operation: z.string() })).default([]),
  });
  const read = async () =>
    owned.parse(structured(await server.call('get_owned', { type: 'asset', id: assetId })));
  const before = await read();
  expect(before.data.publicationStatus).toBe('pending');
  expect(before.pending.map(({ operation }) => operation)).toContain('edit_asset_metadata');
  await expect.poll(async () => (await read()).data.publicationStatus).toBe('succeeded');
  expect((await read()).pending).toEqual([]);
});

it('a read needs no account, and says nothing of another user’s changes', async () => {
  const { id } = await workshop.ownSet();
  const stranger = await startServer({ ...env, ARTWORK_USER: 'somebody-else' });
  expect(await pendingIn('get_set', { kind: 'movie_set', id }, stranger)).toBeUndefined();
  await stranger.stop();
});
