import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SendOutcome } from '../../../src/catalogue/client.ts';
import {
  findRelationship,
  readReceipt,
  revisionOf,
  type Saved,
  stateOfRelationship,
} from '../../../src/catalogue/records/owned.ts';
import { type JsonRequest, sendFile, sendJson } from '../../../src/catalogue/request.ts';
import { assignGroupingAssets } from '../../../src/mutations/operations/assign-grouping-assets.ts';
import { changeRelationship } from '../../../src/mutations/operations/change-relationship.ts';
import { createGroup } from '../../../src/mutations/operations/create-group.ts';
import { createGroupingSet } from '../../../src/mutations/operations/create-grouping-set.ts';
import { editAssetMetadata } from '../../../src/mutations/operations/edit-asset-metadata.ts';
import { editGroup } from '../../../src/mutations/operations/edit-group.ts';
import { selectPreviewFrame } from '../../../src/mutations/operations/select-preview-frame.ts';
import { uploadAsset } from '../../../src/mutations/operations/upload-asset.ts';
import { handOut, ownedAt } from '../../catalogue/owned-access.ts';
import { catalogueAt } from '../../catalogue/scripted-server.ts';
import { type OwnersCatalogue, startCatalogue } from '../../sandbox/me-catalogue.ts';
import { animation, poster } from '../../sandbox/me-pictures.ts';
import { groups, plantWorks, sets, works } from '../../sandbox/me-works.ts';
import { fileRequestOf, jsonRequestOf } from './request-of.ts';

// What is built here, and most of all what is only assumed, must be what the embedded catalogue takes, which
// was made from the interface document alone.
let catalogue: OwnersCatalogue;
let token: string;

beforeAll(async () => {
  catalogue = await startCatalogue();
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
});
afterAll(() => catalogue.stop());

const owned = () => ownedAt(catalogue.baseUrl, handOut({ tokens: [token] }));
const send = (request: JsonRequest) => catalogueAt(catalogue.baseUrl).send(sendJson(request, token));

/** The receipt of what was surely applied, and saved. */
function applied(outcome: SendOutcome, saved: Saved, clientMutationId: string) {
  if (outcome.outcome !== 'applied') throw new Error(`${outcome.outcome}: ${outcome.error.message}`);
  const receipt = readReceipt(outcome.body, saved, clientMutationId);
  expect(receipt).toMatchObject({ state: 'succeeded', savedId: expect.any(String) });
  return receipt;
}

const movie = { targetKind: works.movie.kind, targetId: works.movie.id };

async function upload(changes: object = movie, bytes?: Buffer, contentType = 'image/png') {
  const file = bytes ?? (await poster());
  const order = {
    clientMutationId: randomUUID(),
    operation: 'add',
    slot: 'poster',
    languageCode: 'en',
    file: {
      filename: 'Plakat 1.png',
      contentType,
      contentLength: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    },
    ...changes,
  };
  const again = () =>
    catalogueAt(catalogue.baseUrl).send(sendFile(fileRequestOf(uploadAsset, order), file, token));
  const { clientMutationId } = order;
  return { clientMutationId, again, receipt: applied(await again(), 'asset', clientMutationId) };
}

const assetRevision = async (id: string | null) => revisionOf(await owned().readAsset(id ?? ''));

test('an Asset is added once per identity, replaced, and looked up', async () => {
  const { clientMutationId, again, receipt } = await upload();
  expect(receipt.updatedAt).toBe(await assetRevision(receipt.savedId));
  expect(await again()).toMatchObject({ outcome: 'applied', body: { data: receipt.record } });
  expect(await owned().findAssetUpload(clientMutationId)).toMatchObject({
    state: 'succeeded',
    assetId: receipt.savedId,
    mutationId: clientMutationId,
    retryable: false,
  });
  const previousAssetId = receipt.savedId ?? '';
  const next = await upload({
    ...movie,
    operation: 'replace',
    previousAssetId,
    expectedUpdatedAt: receipt.updatedAt,
  });
  expect(await owned().readAsset(next.receipt.savedId ?? '')).toMatchObject({ previousAssetId });
});

test('an Asset goes into a Set and onto a group', async () => {
  const inSet = await upload({ setId: sets.movie, expectedUpdatedAt: 'r1' });
  expect(await owned().readAsset(inSet.receipt.savedId ?? '')).toMatchObject({ setId: sets.movie });
  const onGroup = await upload({ groupId: groups.empty, expectedUpdatedAt: 'r1' });
  expect(await owned().readGroup(groups.empty)).toMatchObject({ poster: { id: onGroup.receipt.savedId } });
});

test('an upload that is no picture is refused in words that say so', async () => {
  const bytes = Buffer.from('no picture');
  await expect(upload(movie, bytes)).rejects.toThrow(/^refused: The service answered 4/);
});

test('metadata is edited under its revision, and under no other', async () => {
  const { savedId } = (await upload()).receipt;
  const edit = async (expectedUpdatedAt: string) =>
    send(
      jsonRequestOf(editAssetMetadata, {
        clientMutationId: randomUUID(),
        assetId: savedId,
        expectedUpdatedAt,
        languageCode: null,
        editionId: 2,
      }),
    );
  const before = await assetRevision(savedId);
  applied(await edit(before), 'asset', randomUUID());
  expect(await owned().readAsset(savedId ?? '')).toMatchObject({ languageCode: null, editionId: 2 });
  expect(await edit(before)).toMatchObject({
    outcome: 'refused',
    status: 409,
    error: { category: 'conflict' },
  });
});

test('a preview frame is selected', async () => {
  const bytes = await animation(400, 600, 3, 'webp');
  const { savedId } = (await upload(movie, bytes, 'image/webp')).receipt;
  const clientMutationId = randomUUID();
  const selection = {
    clientMutationId,
    assetId: savedId,
    expectedUpdatedAt: await assetRevision(savedId),
    selectedSourceFrame: 2,
  };
  applied(await send(jsonRequestOf(selectPreviewFrame, selection)), 'asset', clientMutationId);
  expect(await owned().readAsset(savedId ?? '')).toMatchObject({ selectedSourceFrame: 2 });
});

test('a group is created and edited', async () => {
  const clientMutationId = randomUUID();
  const group = {
    clientMutationId,
    kind: 'boxset',
    title: 'Assumed',
    description: null,
    languageCode: 'en',
    setIds: [sets.movie],
  };
  const { savedId, updatedAt } = applied(
    await send(jsonRequestOf(createGroup, group)),
    'group',
    clientMutationId,
  );
  const groupId = Number(savedId);
  const created = await owned().readGroup(groupId);
  expect(created).toMatchObject({ title: 'Assumed', sets: [{ id: sets.movie }], updatedAt });

  const edited = randomUUID();
  const edit = {
    clientMutationId: edited,
    groupId,
    expectedUpdatedAt: revisionOf(created),
    setIds: [sets.collection, sets.movie],
  };
  applied(await send(jsonRequestOf(editGroup, edit)), 'group', edited);
  const after = await owned().readGroup(groupId);
  expect(after).toMatchObject({ title: 'Assumed', sets: [{ id: sets.collection }, { id: sets.movie }] });
  expect(revisionOf(after)).not.toBe(revisionOf(created));
});

test('a Brand Set is created, and artwork is assigned to it', async () => {
  const id = catalogue.database.only('SELECT id FROM networks LIMIT 1').integer('id');
  const target = { targetKind: 'network', targetId: id };
  const clientMutationId = randomUUID();
  const set = {
    clientMutationId,
    setKind: 'brand_set',
    titleBase: 'Brands',
    description: null,
    networkIds: [id],
    companyIds: [],
  };
  const { savedId } = applied(await send(jsonRequestOf(createGroupingSet, set)), 'set', clientMutationId);
  const setId = Number(savedId);
  const asset = (await upload(target)).receipt;
  const assigned = randomUUID();
  const assignment = {
    clientMutationId: assigned,
    setId,
    expectedUpdatedAt: revisionOf(await owned().readSet(setId)),
    items: [
      {
        itemId: randomUUID(),
        position: 0,
        ...target,
        slot: 'poster',
        existingAssetId: asset.savedId,
        expectedAssetUpdatedAt: await assetRevision(asset.savedId),
      },
    ],
  };
  applied(await send(jsonRequestOf(assignGroupingAssets, assignment)), 'set', assigned);
  expect(await owned().readSet(setId)).toMatchObject({ assets: [{ id: asset.savedId }] });
});

test('a Talent Set is created', async () => {
  const person = catalogue.database.only('SELECT id FROM people LIMIT 1').integer('id');
  const clientMutationId = randomUUID();
  const set = {
    clientMutationId,
    setKind: 'talent_set',
    entryTargetKind: 'person',
    entryTargetId: person,
    titleBase: 'Talent',
    description: 'Words',
    languageCode: 'en',
    editionId: null,
  };
  const { savedId } = applied(await send(jsonRequestOf(createGroupingSet, set)), 'set', clientMutationId);
  expect(await owned().readSet(Number(savedId))).toMatchObject({ title: 'Talent', kind: 'talent_set' });
});

test('a relationship is made, changed and cleared, and read back each time', async () => {
  const target = { targetKind: 'user', targetId: 2 };
  for (const relationship of ['follow', 'hide', 'clear'] as const) {
    const clientMutationId = randomUUID();
    const change = { clientMutationId, ...target, relationship };
    const outcome = await send(jsonRequestOf(changeRelationship, change));
    if (outcome.outcome !== 'applied') throw new Error(outcome.outcome);
    expect(readReceipt(outcome.body, 'relationship', clientMutationId).state).toBe('succeeded');
    const { items } = await owned().readRelationships(null);
    const found = findRelationship(items, target);
    expect(found === null ? 'clear' : stateOfRelationship(found)).toBe(relationship);
  }
});
