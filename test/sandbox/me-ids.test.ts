import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { dataOf, type Heard, type OwnersCatalogue, startCatalogue, textOf } from './me-catalogue.ts';
import { poster } from './me-pictures.ts';
import { groups, plantWorks, sets, works } from './me-works.ts';
import { declare, fileOf, submissionOf } from './submissions-client.ts';

/*
 * "Metadata entity ids and Set ids are integers. Asset ids, mutation ids, item ids and snapshot ids are UUID
 * strings" (the interface document, Conventions): in every answer of the protected side.
 */

let catalogue: OwnersCatalogue;
let token: string;
beforeAll(async () => {
  catalogue = await startCatalogue();
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
});
afterAll(() => catalogue.stop());

const isUuid = (value: unknown) => z.uuid().safeParse(value).success;
const integers = ['setId', 'groupId', 'targetId', 'editionId'];
const uuids = [
  'assetId',
  'clientMutationId',
  'itemId',
  'submissionId',
  'previousAssetId',
  'replacedByAssetId',
  'existingAssetId',
];

/** Every member that is called an id, as `path: kind of value`; an Asset's own `id` stands beside its `slot`. */
function idsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one, `${path}[]`));
  if (!(value instanceof Object)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    if (name !== 'id' && !name.endsWith('Id')) return idsIn(member, at);
    if (member === null) return [];
    const kind = Number.isSafeInteger(member) ? 'integer' : isUuid(member) ? 'UUID' : 'neither';
    const wanted = (name === 'id' ? 'slot' in value : uuids.includes(name)) ? 'UUID' : 'integer';
    expect([...integers, ...uuids, 'id'], `${at} is known`).toContain(name);
    expect(kind, `${at}: ${String(member)}`).toBe(wanted);
    return [at];
  });
}

test('an id is an integer or a UUID, and of one thing always the same', async () => {
  const target = { targetKind: 'movie', targetId: works.otherMovie.id };
  const upload = await catalogue.upload(`/me/sets/${sets.ungrouped}/assets`, token, {
    bytes: await poster(),
    query: { operation: 'add', clientMutationId: randomUUID(), slot: 'poster', languageCode: 'en' },
  });
  const assetId = textOf(upload, 'assetId');
  const replaced = await catalogue.upload('/me/assets', token, {
    bytes: await poster(),
    query: {
      ...target,
      operation: 'replace',
      clientMutationId: randomUUID(),
      slot: 'poster',
      previousAssetId: assetId,
    },
  });
  const file = declare(await poster());
  const admitted = await catalogue.post('/me/set-uploads', token, {
    clientMutationId: randomUUID(),
    setKind: 'media_set',
    entryTargetKind: 'movie',
    entryTargetId: works.otherMovie.id,
    titleBase: 'Ids',
    description: null,
    languageCode: 'en',
    editionId: 2,
    finalised: false,
    destination: null,
    declaredFiles: [{ itemId: file.itemId, position: 0, ...target, slot: 'poster', ...fileOf(file) }],
  });
  const { submissionId } = submissionOf(admitted);
  const received = await catalogue.upload(`/me/set-uploads/${submissionId}/assets`, token, {
    bytes: file.bytes,
    query: { itemId: file.itemId },
    headers: { 'x-upload-filename': file.filename, 'x-upload-sha256': null },
  });
  const completed = await catalogue.post(`/me/set-uploads/${submissionId}/complete`, token, {});
  const group = await catalogue.post('/me/groups', token, {
    clientMutationId: randomUUID(),
    kind: 'boxset',
    title: 'Ids',
    setIds: [sets.ungrouped],
  });
  const relationship = await catalogue.post('/me/relationships', token, {
    clientMutationId: randomUUID(),
    targetKind: 'user',
    targetId: 'tinta_china',
    relationship: 'follow',
  });
  const reads: Heard[] = [];
  for (const path of [
    `/me/assets/${assetId}`,
    `/me/assets/${textOf(replaced, 'assetId')}`,
    `/me/asset-uploads/${textOf(upload, 'clientMutationId')}`,
    `/me/sets/${sets.ungrouped}`,
    `/me/sets/${sets.game}`,
    `/me/groups/${groups.loadout}`,
    `/me/groups/${String(dataOf(group).id)}`,
    `/me/set-uploads/${submissionId}`,
    '/me/upload-destinations?kind=media_set',
    '/me/upload-destinations?kind=boxset&family=game',
    '/me/relationships',
  ]) {
    reads.push(await catalogue.get(path, token));
  }
  for (const { status, body } of [
    upload,
    replaced,
    admitted,
    received,
    completed,
    group,
    relationship,
    ...reads,
  ]) {
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect(idsIn(body).length, JSON.stringify(body)).toBeGreaterThan(0);
  }
});
