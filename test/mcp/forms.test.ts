import { expect, it } from 'vitest';
import * as table from '../../src/mutations/operations/index.ts';
import type { OperationName } from '../../src/mutations/operations/find-operation.ts';
import { tools } from '../../src/tools/index.ts';

const id = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
const asset = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';
const guard = { clientMutationId: id, expectedUpdatedAt: 'r1' };
const none = { clientMutationId: id, expectedUpdatedAt: 'none' };
const place = { targetKind: 'episode', targetId: 9, slot: 'titlecard' };
const asSaid = { targetKind: 'Episodes', targetId: '9', slot: 'titlecards' };

/** Calls as models write them, beside the same as the operation spells them. */
const calls: Readonly<Record<OperationName, readonly [said: object, meant: object]>> = {
  upload_asset: [
    { ...none, file: '/a.png', operation: 'add', ...asSaid, languageCode: 'en' },
    { ...none, file: '/a.png', operation: 'add', ...place, languageCode: 'en' },
  ],
  edit_asset_metadata: [
    { ...guard, assetId: asset, languageCode: null, editionId: 4 },
    { ...guard, assetId: asset, languageCode: null, editionId: 4 },
  ],
  select_preview_frame: [
    { ...guard, assetId: asset, selectedSourceFrame: '3', extra: { a: [1] } },
    { ...guard, assetId: asset, selectedSourceFrame: 3, extra: { a: [1] } },
  ],
  create_group: [
    { ...none, kind: 'boxset', title: 'Box', description: null, setIds: ['1', 2] },
    { ...none, kind: 'boxset', title: 'Box', description: null, setIds: [1, 2] },
  ],
  edit_group: [
    { ...guard, groupId: '7', languageCode: null },
    { ...guard, groupId: 7, languageCode: null },
  ],
  create_grouping_set: [
    { ...none, setKind: 'talent_set', titleBase: 'T', entryTargetKind: 'People', entryTargetId: '4' },
    { ...none, setKind: 'talent_set', titleBase: 'T', entryTargetKind: 'person', entryTargetId: 4 },
  ],
  assign_grouping_assets: [
    { ...guard, setId: '5', items: [{ existingAssetId: asset, expectedAssetUpdatedAt: 'r', ...asSaid }] },
    { ...guard, setId: 5, items: [{ existingAssetId: asset, expectedAssetUpdatedAt: 'r', ...place }] },
  ],
  change_relationship: [
    { ...guard, targetKind: 'user', targetId: 'ada', relationship: 'follow' },
    { ...guard, targetKind: 'user', targetId: 'ada', relationship: 'follow' },
  ],
  create_media_set: [
    {
      ...none,
      entryTargetKind: 'SHOW',
      entryTargetId: '1',
      titleBase: 'Cards',
      languageCode: 'en',
      finalised: false,
      destination: { id: '0012' },
      declaredFiles: [{ file: '/a.png', ...asSaid, position: '0', selectedSourceFrame: '2' }],
    },
    {
      ...none,
      entryTargetKind: 'show',
      entryTargetId: 1,
      titleBase: 'Cards',
      languageCode: 'en',
      finalised: false,
      destination: { id: '0012' },
      declaredFiles: [{ file: '/a.png', ...place, position: 0, selectedSourceFrame: 2 }],
    },
  ],
  edit_set: [
    {
      ...guard,
      setId: '12',
      setKind: 'media_set',
      metadata: { languageCode: null, editionId: 'x' },
      items: [
        { operation: 'add', file: '/a.png', ...asSaid },
        {
          operation: 'asset_metadata',
          ...asSaid,
          existingAssetId: asset,
          expectedAssetUpdatedAt: 'r',
          editionId: 4,
        },
      ],
    },
    {
      ...guard,
      setId: 12,
      setKind: 'media_set',
      metadata: { languageCode: null, editionId: 'x' },
      items: [
        { operation: 'add', file: '/a.png', ...place },
        {
          operation: 'asset_metadata',
          ...place,
          existingAssetId: asset,
          expectedAssetUpdatedAt: 'r',
          editionId: 4,
        },
      ],
    },
  ],
};

it.each(Object.values(table))('$name takes what its tool understands', ({ name, arguments: schema }) => {
  const [said, meant] = calls[name];
  const understood = tools.find((tool) => tool.name === name)?.input.parse(said);
  expect(understood).toEqual(meant);
  expect(schema.parse(understood)).toEqual(schema.parse(meant));
});
