import type { OperationName } from '../../src/mutations/operations/find-operation.ts';

const id = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
const asset = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';
const guard = { clientMutationId: id, expectedUpdatedAt: 'r1' };
const none = { clientMutationId: id, expectedUpdatedAt: 'none' };
const place = { targetKind: 'episode', targetId: 9, slot: 'titlecard' };
const asSaid = { targetKind: 'Episodes', targetId: '9', slot: 'titlecards' };

/** Calls of changes as models write them, beside the same as the operation spells them. */
export const changes: Readonly<Record<OperationName, readonly [said: object, meant: object]>> = {
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

/** Calls of the other tools as models write them. */
export const reads: Readonly<Record<string, readonly object[]>> = {
  find_titles: [
    { query: 'firefly', kind: 'Shows', limit: '5' },
    { targetKind: 'movies', targetId: '12', cursor: 'c' },
    { createdBy: 'ada' },
  ],
  get_entity: [{ kind: 'People', id: '7', include: ['assets.posters'], limit: 200 }],
  get_set: [{ kind: 'show_set', id: '7', season: '0' }],
  list_episodes: [{}, { limit: '3' }],
  read_feed: [
    { feed: 'assets', since: '2026-11-16', targetKind: 'Episode', targetId: '4', slot: 'titlecards' },
  ],
  view_artwork: [
    {
      items: [{ kind: 'show', id: '7', slot: 'posters' }, { file: '/a.png' }],
      planId: id,
      size: '300',
      page: true,
    },
  ],
  list_changes: [
    { since: '2026-11-16T00:00:00Z', scope: 'watched', slot: 'Posters', seenUntil: '2026-11-16' },
  ],
  audit_sets: [
    { mine: true },
    { kind: 'boxset', id: '4' },
    { targetKind: 'Shows', targetId: '4', page: false },
  ],
  watch: [{}, { add: [{ kind: 'shows', id: '7' }], remove: [{ kind: 'boxset', id: 3 }] }],
  download_set: [
    { kind: 'boxset', id: '7', layout: 'kodi', slots: ['posters'], languageCode: 'en', dryRun: true },
  ],
  get_owned: [
    { type: 'set', id: '7' },
    { type: 'group', id: 7 },
    { type: 'asset', id: asset, limit: '9' },
  ],
  get_mutation_status: [{ clientMutationId: id }, { submissionId: 's1', kind: 'edit', limit: '4' }],
  list_mutations: [{ state: 'open', since: '2026-11-16' }],
  find_upload_destinations: [{ kind: 'media_set', family: 'game', q: 'dune' }],
  list_relationships: [{ limit: '4' }],
  account_status: [{}],
  connect_account: [{}, { scopes: ['assets:write'] }],
  disconnect_account: [{}],
  new_mutation_ids: [{ count: 2 }, { count: '2' }],
  plan_set: [
    {
      folder: '/cards',
      entryTargetKind: 'Show',
      entryTargetId: '7',
      setId: '3',
      slot: 'titlecards',
      page: true,
    },
    {
      folder: '/cards',
      entryTargetKind: 'movies',
      entryTargetId: 7,
      alsoCalled: ['Dune'],
      languageCode: 'de',
    },
  ],
  resume_mutation: [{ ...none }, { clientMutationId: id, expectedUpdatedAt: null, dryRun: true }],
};
