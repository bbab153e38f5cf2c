import { describe, expect, test } from 'vitest';
import type { JsonRequest } from '../../../src/catalogue/request.ts';
import { assignGroupingAssets } from '../../../src/mutations/operations/assign-grouping-assets.ts';
import { changeRelationship } from '../../../src/mutations/operations/change-relationship.ts';
import { createGroup } from '../../../src/mutations/operations/create-group.ts';
import { createGroupingSet } from '../../../src/mutations/operations/create-grouping-set.ts';
import { editGroup } from '../../../src/mutations/operations/edit-group.ts';
import { selectPreviewFrame } from '../../../src/mutations/operations/select-preview-frame.ts';
import { sent } from '../../catalogue/requests-sent.ts';
import { jsonRequestOf } from './request-of.ts';

const clientMutationId = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
const itemId = '0b51a0a2-6f0f-4a6a-9d7e-3f7b6f2f1c55';
const asset = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';
const expectedUpdatedAt = '2026-03-04T05:06:07.123456Z';
const ownDigest = `sha256:${'f'.repeat(64)}`;

const group = { clientMutationId, kind: 'boxset', title: 'Box', description: null, setIds: [3, 1] };
const talent = {
  clientMutationId,
  setKind: 'talent_set',
  titleBase: 'T',
  description: null,
  editionId: null,
};
const brand = {
  clientMutationId,
  setKind: 'brand_set',
  titleBase: 'B',
  description: 'D',
  networkIds: [1],
  companyIds: [],
};
const target = { targetKind: 'network', targetId: 2, slot: 'logo' };
const item = { itemId, position: 0, ...target, existingAssetId: asset };
const assigned = { ...item, expectedAssetUpdatedAt: expectedUpdatedAt };

interface Case {
  readonly what: string;
  readonly make: (extra: object) => JsonRequest;
  readonly path: string;
  readonly scope: string;
  readonly body: object;
}

const cases: readonly Case[] = [
  {
    what: 'creating a group',
    make: (more) => jsonRequestOf(createGroup, { ...group, ...more }),
    path: '/me/groups',
    scope: 'groups:write',
    body: { clientMutationId, kind: 'boxset', title: 'Box', description: null, setIds: [3, 1] },
  },
  {
    what: 'editing a group',
    make: (more) =>
      jsonRequestOf(editGroup, {
        clientMutationId,
        groupId: 7,
        expectedUpdatedAt,
        setIds: [],
        description: null,
        ...more,
      }),
    path: '/me/groups/7',
    scope: 'groups:write',
    body: { clientMutationId, expectedUpdatedAt, description: null, setIds: [] },
  },
  {
    what: 'creating a Talent Set',
    make: (more) =>
      jsonRequestOf(createGroupingSet, {
        ...talent,
        entryTargetKind: 'person',
        entryTargetId: 4,
        languageCode: 'en',
        ...more,
      }),
    path: '/me/grouping-sets',
    scope: 'sets:write',
    body: {
      clientMutationId,
      setKind: 'talent_set',
      entryTargetKind: 'person',
      entryTargetId: 4,
      titleBase: 'T',
      description: null,
      languageCode: 'en',
      editionId: null,
    },
  },
  {
    what: 'creating a Brand Set',
    make: (more) => jsonRequestOf(createGroupingSet, { ...brand, ...more }),
    path: '/me/grouping-sets',
    scope: 'sets:write',
    body: brand,
  },
  {
    what: 'assigning artwork',
    make: (more) =>
      jsonRequestOf(assignGroupingAssets, {
        clientMutationId,
        setId: 9,
        expectedUpdatedAt,
        items: [assigned],
        ...more,
      }),
    path: '/me/grouping-sets/9/assets',
    scope: 'sets:write',
    body: { clientMutationId, expectedUpdatedAt, items: [assigned] },
  },
  {
    what: 'following',
    make: (more) =>
      jsonRequestOf(changeRelationship, {
        clientMutationId,
        targetKind: 'user',
        targetId: 'ada',
        relationship: 'follow',
        ...more,
      }),
    path: '/me/relationships',
    scope: 'relationships:write',
    body: { clientMutationId, targetKind: 'user', targetId: 'ada', relationship: 'follow' },
  },
  {
    what: 'clearing a relationship',
    make: (more) =>
      jsonRequestOf(changeRelationship, {
        clientMutationId,
        targetKind: 'user',
        targetId: 4,
        relationship: 'clear',
        ...more,
      }),
    path: '/me/relationships',
    scope: 'relationships:write',
    body: { clientMutationId, targetKind: 'user', targetId: 4, relationship: null },
  },
  {
    what: 'selecting a preview frame',
    make: (more) =>
      jsonRequestOf(selectPreviewFrame, {
        clientMutationId,
        assetId: asset,
        expectedUpdatedAt,
        selectedSourceFrame: 0,
        ...more,
      }),
    path: `/me/assets/${asset}/preview`,
    scope: 'assets:replace',
    body: { clientMutationId, expectedUpdatedAt, selectedSourceFrame: 0 },
  },
];

describe.each(cases)('$what', ({ make, path, scope, body }) => {
  test('is sent as it is assumed', async () => {
    const request = make({});
    expect(await sent(request)).toMatchObject({ line: `POST ${path}`, body: JSON.stringify(body) });
    expect(request).toMatchObject({ needed: { allOf: [scope] }, identity: 'assumed', query: {} });
  });

  test('takes more fields after its own', () => {
    const extra = { zeta: [1, { a: null }], alpha: 'x' };
    expect(JSON.stringify(make({ extra }).body.value)).toBe(JSON.stringify({ ...body, ...extra }));
  });

  test('lets no field of its own be overridden', () => {
    const extra = Object.fromEntries(Object.keys(body).map((name) => [name, 'other']));
    expect(make({ extra }).body.value).toEqual(body);
  });

  test('takes nothing but what it knows', () => {
    expect(() => make({ unheardOf: 1 })).toThrow(/unheardOf/);
    expect(() => make({ clientMutationId: 'x' })).toThrow(/clientMutationId/);
    expect(() => make({ extra: 'x' })).toThrow(/extra/);
    expect(() => make({ extra: { value: 1n } })).toThrow(/extra/);
  });
});

test('a revision that only we know is not sent', () => {
  const only = { clientMutationId, expectedUpdatedAt: ownDigest };
  const bodies = [
    jsonRequestOf(editGroup, { ...only, groupId: 1, title: 'T' }),
    jsonRequestOf(selectPreviewFrame, { ...only, assetId: asset, selectedSourceFrame: 1 }),
    jsonRequestOf(assignGroupingAssets, {
      ...only,
      setId: 9,
      items: [{ ...item, expectedAssetUpdatedAt: ownDigest }],
    }),
  ].map(({ body }) => JSON.stringify(body.value));
  expect(bodies).toEqual([
    JSON.stringify({ clientMutationId, title: 'T' }),
    JSON.stringify({ clientMutationId, selectedSourceFrame: 1 }),
    JSON.stringify({ clientMutationId, items: [item] }),
  ]);
});
