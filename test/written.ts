export const mutationId = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
export const assetId = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';

/** The guards of what nothing was there before of, and of what has a revision. */
const first = { clientMutationId: mutationId, expectedUpdatedAt: 'none' };
const later = { clientMutationId: mutationId, expectedUpdatedAt: 'r1' };

const saidCard = { targetKind: 'Episodes', targetId: '9', slot: 'titlecards' };
const card = { targetKind: 'episode', targetId: 9, slot: 'titlecard' };
const kept = { existingAssetId: assetId, expectedAssetUpdatedAt: 'r' };
const added = { operation: 'add', file: '/a.png' };
const edited = { operation: 'asset_metadata', ...kept, editionId: 4 };
const cards = { titleBase: 'Cards', languageCode: 'en', finalised: false, destination: { id: '0012' } };

/** Arguments as models write them, and where an operation understands them otherwise: how. */
const calls: readonly (readonly [tool: string, said: object, understood?: object])[] = [
  ['account_status', {}],
  [
    'assign_grouping_assets',
    { ...later, setId: '5', items: [{ ...kept, ...saidCard }] },
    { setId: 5, items: [{ ...kept, ...card }] },
  ],
  ['audit_sets', { mine: true }],
  ['audit_sets', { kind: 'boxset', id: '4' }],
  ['audit_sets', { targetKind: 'Shows', targetId: '4' }],
  ['change_relationship', { ...later, targetKind: 'user', targetId: 'ada', relationship: 'follow' }],
  ['connect_account', {}],
  ['connect_account', { scopes: ['assets:write'] }],
  [
    'create_group',
    { ...first, kind: 'boxset', title: 'Box', description: null, setIds: ['1', 2] },
    { setIds: [1, 2] },
  ],
  [
    'create_grouping_set',
    { ...first, setKind: 'talent_set', titleBase: 'T', entryTargetKind: 'People', entryTargetId: '4' },
    { entryTargetKind: 'person', entryTargetId: 4 },
  ],
  [
    'create_media_set',
    {
      ...first,
      ...cards,
      entryTargetKind: 'SHOW',
      entryTargetId: '1',
      declaredFiles: [{ file: '/a.png', ...saidCard, position: '0', selectedSourceFrame: '2' }],
    },
    {
      entryTargetKind: 'show',
      entryTargetId: 1,
      declaredFiles: [{ file: '/a.png', ...card, position: 0, selectedSourceFrame: 2 }],
    },
  ],
  ['disconnect_account', {}],
  [
    'download_set',
    { kind: 'boxset', id: '7', layout: 'kodi', slots: ['posters'], languageCode: 'en', dryRun: true },
  ],
  ['edit_asset_metadata', { ...later, assetId, languageCode: null, editionId: 4 }],
  ['edit_group', { ...later, groupId: '7', languageCode: null }, { groupId: 7 }],
  [
    'edit_set',
    {
      ...later,
      setId: '12',
      setKind: 'media_set',
      metadata: { languageCode: null, editionId: 'x' },
      items: [
        { ...added, ...saidCard },
        { ...edited, ...saidCard },
      ],
    },
    {
      setId: 12,
      items: [
        { ...added, ...card },
        { ...edited, ...card },
      ],
    },
  ],
  ['find_titles', { query: 'firefly', kind: 'Shows', limit: '5' }],
  ['find_titles', { targetKind: 'movies', targetId: '12', cursor: 'c' }],
  ['find_titles', { createdBy: 'ada' }],
  ['find_upload_destinations', { kind: 'media_set', family: 'game', q: 'dune' }],
  ['get_entity', { kind: 'People', id: '7', include: ['assets.posters'], limit: 200 }],
  ['get_mutation_status', { clientMutationId: mutationId }],
  ['get_mutation_status', { submissionId: 's1', kind: 'edit', limit: '4' }],
  ['get_owned', { type: 'set', id: '7' }],
  ['get_owned', { type: 'asset', id: assetId, limit: '9' }],
  ['get_set', { kind: 'show_set', id: '7', season: '0' }],
  ['list_changes', { since: '2026-11-16T00:00:00Z', scope: 'watched', slot: 'Posters' }],
  ['list_episodes', { limit: '3' }],
  ['list_mutations', { state: 'open', since: '2026-11-16' }],
  ['list_relationships', { limit: '4' }],
  ['new_mutation_ids', { count: '2' }],
  [
    'plan_set',
    {
      folder: '/cards',
      entryTargetKind: 'Show',
      entryTargetId: '7',
      setId: '3',
      slot: 'titlecards',
      page: true,
    },
  ],
  [
    'plan_set',
    {
      folder: '/cards',
      entryTargetKind: 'movies',
      entryTargetId: 7,
      alsoCalled: ['Dune'],
      languageCode: 'de',
    },
  ],
  [
    'read_feed',
    { feed: 'assets', since: '2026-11-16', targetKind: 'Episode', targetId: '4', slot: 'titlecards' },
  ],
  ['resume_mutation', { ...first }],
  ['resume_mutation', { clientMutationId: mutationId, expectedUpdatedAt: null, dryRun: true }],
  [
    'select_preview_frame',
    { ...later, assetId, selectedSourceFrame: '3', extra: { a: [1] } },
    { selectedSourceFrame: 3 },
  ],
  ['update_downloads', { dryRun: true }],
  ['upload_asset', { ...first, ...added, ...saidCard, languageCode: 'en' }, card],
  [
    'view_artwork',
    {
      items: [{ kind: 'show', id: '7', slot: 'posters' }, { file: '/a.png' }],
      planId: mutationId,
      size: '300',
      page: true,
    },
  ],
  ['watch', { add: [{ kind: 'shows', id: '7' }], remove: [{ kind: 'boxset', id: 3 }] }],
];

export const written = calls.map(([tool, said, understood]) => ({
  tool,
  said,
  meant: { ...said, ...understood },
}));
