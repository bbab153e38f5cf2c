import fc from 'fast-check';
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
  /** Fields that the assumption names, beside those that the body holds. */
  readonly alsoNamed: readonly string[];
}

const cases: readonly Case[] = [
  {
    what: 'creating a group',
    make: (more) => jsonRequestOf(createGroup, { ...group, ...more }),
    path: '/me/groups',
    scope: 'groups:write',
    body: { clientMutationId, kind: 'boxset', title: 'Box', description: null, setIds: [3, 1] },
    alsoNamed: ['languageCode'],
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
    alsoNamed: ['title', 'languageCode'],
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
    alsoNamed: [],
  },
  {
    what: 'creating a Brand Set',
    make: (more) => jsonRequestOf(createGroupingSet, { ...brand, ...more }),
    path: '/me/grouping-sets',
    scope: 'sets:write',
    body: brand,
    alsoNamed: ['entryTargetKind', 'entryTargetId'],
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
    alsoNamed: [],
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
    alsoNamed: [],
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
    alsoNamed: [],
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
    alsoNamed: [],
  },
];

describe.each(cases)('$what', ({ make, path, scope, body, alsoNamed }) => {
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

  test('merges whatever JSON it is given', () => {
    const free = fc.string().filter((name) => !Object.hasOwn(body, name) && !alsoNamed.includes(name));
    const extras = fc.dictionary(free, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4, noNullPrototype: true });
    // `__proto__` is no field of any service, and is not handed on.
    const sane = extras.filter((extra) => !JSON.stringify(extra).includes('"__proto__"'));
    fc.assert(
      fc.property(sane, (extra) => {
        const { value } = make({ extra }).body;
        expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify({ ...body, ...extra })));
      }),
      { numRuns: 200 },
    );
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

test('a language of a Brand Set is sent as it is given', () => {
  const { body } = jsonRequestOf(createGroupingSet, { ...brand, languageCode: 'en' });
  expect(body.value).toMatchObject({ setKind: 'brand_set', languageCode: 'en' });
});

test.each([
  ['an edit of a group that changes nothing', editGroup, { clientMutationId, groupId: 1, expectedUpdatedAt }],
  ['half a target', createGroupingSet, { ...talent, entryTargetKind: 'person' }],
  ['networks of a Talent Set', createGroupingSet, { ...talent, networkIds: [1] }],
  ['a media Set as a grouping Set', createGroupingSet, { ...talent, setKind: 'media_set' }],
  [
    'an assignment of nothing',
    assignGroupingAssets,
    { clientMutationId, setId: 9, expectedUpdatedAt, items: [] },
  ],
  [
    'a relationship of another kind',
    changeRelationship,
    { clientMutationId, targetKind: 'user', targetId: 1, relationship: 'block' },
  ],
])('%s is not made', (_what, operation, args) => {
  expect(() => jsonRequestOf(operation, args)).toThrow(/arguments can't be used/);
});
