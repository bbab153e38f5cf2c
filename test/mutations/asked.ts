import fc from 'fast-check';
import type { Mutation } from '../../src/mutations/mutation.ts';
import { assignGroupingAssets } from '../../src/mutations/operations/assign-grouping-assets.ts';
import { changeRelationship } from '../../src/mutations/operations/change-relationship.ts';
import { createGroup } from '../../src/mutations/operations/create-group.ts';
import { createGroupingSet } from '../../src/mutations/operations/create-grouping-set.ts';
import { editAssetMetadata } from '../../src/mutations/operations/edit-asset-metadata.ts';
import { editGroup } from '../../src/mutations/operations/edit-group.ts';
import { selectPreviewFrame } from '../../src/mutations/operations/select-preview-frame.ts';
import { uploadAsset } from '../../src/mutations/operations/upload-asset.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export const word = fc.stringMatching(/^[a-zA-Z]{1,12}$/);
const words = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' });
const id = fc.integer({ min: 0, max: 2 ** 31 });
export const uuid = fc.uuid();
export const revision = fc.stringMatching(/^r[0-9]{1,6}$/);
const edition = fc.oneof(fc.constant(null), fc.integer(), word);
const given = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const extra = given(
  fc.dictionary(fc.stringMatching(/^x[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>),
);
const common = { clientMutationId: uuid };

const file = fc.record({
  filename: fc.stringMatching(/^[a-z]{1,12}\.png$/),
  contentType: fc.constantFrom('image/png', 'image/jpeg', 'image/webp'),
  contentLength: fc.integer({ min: 1, max: 20_971_520 }),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
});

/** What can be asked for, and the operation that it makes. */
export const operations: readonly (readonly [string, (args: object) => Mutation, fc.Arbitrary<Arguments>])[] =
  [
    [
      'upload_asset',
      uploadAsset.mutation,
      fc
        .record({
          ...common,
          slot: word,
          languageCode: given(word),
          file,
          where: fc.oneof(
            fc.record({ targetKind: word, targetId: id }),
            fc.record({ setId: id, targetKind: word, targetId: id }),
            fc.record({ setId: id }),
            fc.record({ groupId: id }),
          ),
          how: fc.oneof(
            fc.record({
              operation: fc.constant('replace'),
              previousAssetId: uuid,
              expectedUpdatedAt: revision,
            }),
            fc.record({ operation: fc.constant('add'), expectedUpdatedAt: revision }),
          ),
        })
        .map(({ where, how, ...rest }) => {
          const alone = how.operation === 'add' && !('setId' in where) && !('groupId' in where);
          return { ...rest, ...where, ...how, ...(alone ? { expectedUpdatedAt: null } : {}) };
        }),
    ],
    [
      'edit_asset_metadata',
      editAssetMetadata.mutation,
      fc
        .record({
          ...common,
          expectedUpdatedAt: revision,
          assetId: uuid,
          languageCode: given(fc.option(word)),
          editionId: given(edition),
        })
        .filter(({ languageCode, editionId }) => languageCode !== undefined || editionId !== undefined),
    ],
    [
      'select_preview_frame',
      selectPreviewFrame.mutation,
      fc.record({ ...common, expectedUpdatedAt: revision, assetId: uuid, selectedSourceFrame: id, extra }),
    ],
    [
      'create_group',
      createGroup.mutation,
      fc.record({
        ...common,
        expectedUpdatedAt: fc.constant(null),
        kind: fc.constantFrom('boxset', 'loadout'),
        title: words,
        description: given(fc.option(words)),
        languageCode: given(fc.option(word)),
        setIds: given(fc.array(id, { maxLength: 5 })),
        extra,
      }),
    ],
    [
      'edit_group',
      editGroup.mutation,
      fc.record({
        ...common,
        expectedUpdatedAt: revision,
        groupId: id,
        title: words,
        description: given(fc.option(words)),
        setIds: given(fc.array(id, { maxLength: 5 })),
      }),
    ],
    [
      'create_grouping_set',
      createGroupingSet.mutation,
      fc.oneof(
        fc.record({
          ...common,
          expectedUpdatedAt: fc.constant(null),
          setKind: fc.constantFrom('talent_set', 'category_set'),
          titleBase: words,
          entryTargetKind: word,
          entryTargetId: id,
          languageCode: given(word),
          editionId: given(edition),
        }),
        fc.record({
          ...common,
          expectedUpdatedAt: fc.constant(null),
          setKind: fc.constant('brand_set'),
          titleBase: words,
          networkIds: given(fc.array(id, { maxLength: 3 })),
          companyIds: given(fc.array(id, { maxLength: 3 })),
        }),
      ),
    ],
    [
      'assign_grouping_assets',
      assignGroupingAssets.mutation,
      fc.record({
        ...common,
        expectedUpdatedAt: revision,
        setId: id,
        items: fc.array(
          fc.record({
            existingAssetId: uuid,
            expectedAssetUpdatedAt: revision,
            targetKind: word,
            targetId: id,
            slot: word,
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
    ],
    [
      'change_relationship',
      changeRelationship.mutation,
      fc.record({
        ...common,
        expectedUpdatedAt: fc.option(revision),
        targetKind: word,
        targetId: fc.oneof(id, word),
        relationship: fc.constantFrom('follow', 'hide', 'clear'),
      }),
    ],
  ];
