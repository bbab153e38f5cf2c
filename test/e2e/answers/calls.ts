import { randomUUID } from 'node:crypto';
import { revision, someAsset } from './whole-service.ts';

export interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Which calls read the answers of a route. Each is made for a subject of its own, so that none is in another's way. */
export function callsReading(file: string): Readonly<Record<string, () => readonly Call[]>> {
  let counted = 1000;
  const subject = () => {
    counted += 1;
    return counted;
  };
  const call = (tool: string, args: Record<string, unknown>): Call => ({ tool, arguments: args });
  const mutation = (
    tool: string,
    expectedUpdatedAt: string | null,
    args: Record<string, unknown>,
  ): Call[] => {
    const clientMutationId = randomUUID();
    return [
      call(tool, { clientMutationId, expectedUpdatedAt, ...args }),
      call('get_mutation_status', { clientMutationId }),
    ];
  };
  const lists: Readonly<Record<string, string>> = {
    show: 'seasons',
    collection: 'movies',
    game: 'platforms',
  };
  const entity = (kind: string) => () => [
    call('get_entity', { kind, id: subject() }),
    call('get_entity', { kind, id: subject(), include: [lists[kind] ?? 'assets'] }),
    call('view_artwork', { items: [{ kind, id: subject() }] }),
  ];
  const set = (kind: string) => () => [
    call('get_set', { kind, id: subject() }),
    call('view_artwork', { items: [{ kind, id: subject() }] }),
    call('audit_sets', { kind, id: subject() }),
  ];
  const target = (targetKind: string) => ({ targetKind, targetId: subject(), slot: 'poster' });
  const upload = (more: Record<string, unknown>, expected: string | null) =>
    mutation('upload_asset', expected, { file, operation: 'add', languageCode: 'en', ...more });
  const creation = () => {
    const on = target('movie');
    return mutation('create_media_set', null, {
      entryTargetKind: 'movie',
      entryTargetId: on.targetId,
      titleBase: `Set ${on.targetId}`,
      languageCode: 'en',
      finalised: false,
      declaredFiles: [{ file, ...on }],
    });
  };
  const edit = () =>
    mutation('edit_set', revision, {
      setId: subject(),
      setKind: 'category_set',
      metadata: { titleBase: 'Edited' },
      items: [{ operation: 'add', file, ...target('movie') }],
    });
  const feed = (name: string) => () => [
    call('read_feed', { feed: name }),
    call('read_feed', { feed: name, kind: 'none' }),
    call('list_changes', { since: '2001-01-01' }),
  ];
  return {
    'GET show': entity('show'),
    'GET season': entity('season'),
    'GET episode': entity('episode'),
    'GET movie': () => [...entity('movie')(), ...upload(target('movie'), null)],
    'GET collection': entity('collection'),
    'GET game': entity('game'),
    'GET company': entity('company'),
    'GET network': entity('network'),
    'GET person': entity('person'),
    'GET category': entity('category'),
    'GET movie-set': set('movie_set'),
    'GET show-set': set('show_set'),
    'GET game-set': set('game_set'),
    'GET collection-set': set('collection_set'),
    'GET brand-set': set('brand_set'),
    'GET boxset': set('boxset'),
    'GET loadout': set('loadout'),
    'GET episodes index': () => [call('list_episodes', {})],
    'GET feed of Assets': feed('assets'),
    'GET feed of Sets': feed('sets'),
    'GET owned Asset': () => [
      call('get_owned', { type: 'asset', id: someAsset }),
      call('view_artwork', { items: [{ assetId: someAsset }] }),
      ...mutation('edit_asset_metadata', revision, { assetId: randomUUID(), languageCode: 'de' }),
    ],
    'GET owned Set': () => [
      call('get_owned', { type: 'set', id: subject() }),
      call('audit_sets', { kind: 'media_set', id: subject() }),
      ...edit(),
    ],
    'GET owned group': () => [
      call('get_owned', { type: 'group', id: subject() }),
      ...mutation('edit_group', revision, { groupId: subject(), title: 'New' }),
    ],
    'GET upload-destinations': () => [
      call('find_upload_destinations', { kind: 'media_set' }),
      call('audit_sets', { mine: true, limit: 2 }),
      ...mutation('create_group', null, { kind: 'boxset', title: `Box ${subject()}`, setIds: [3] }),
    ],
    'GET asset-uploads': () => [
      call('get_mutation_status', { clientMutationId: randomUUID() }),
      ...upload(target('movie'), null),
    ],
    'GET relationships': () => [
      call('list_relationships', {}),
      call('list_changes', { since: '2001-01-01', scope: 'followed' }),
      ...mutation('change_relationship', null, {
        targetKind: 'person',
        targetId: subject(),
        relationship: 'hide',
      }),
    ],
    'POST assets': () => upload(target('movie'), null),
    'POST assets of a Set': () => upload({ setId: subject(), slot: 'poster' }, revision),
    'POST poster of a group': () => upload({ groupId: subject(), slot: 'poster' }, revision),
    'POST metadata': () =>
      mutation('edit_asset_metadata', revision, { assetId: randomUUID(), languageCode: 'de' }),
    'POST preview': () =>
      mutation('select_preview_frame', revision, { assetId: randomUUID(), selectedSourceFrame: 1 }),
    'POST groups': () =>
      mutation('create_group', null, { kind: 'boxset', title: `Box ${subject()}`, setIds: [3] }),
    'POST group': () => mutation('edit_group', revision, { groupId: subject(), title: 'New' }),
    'POST grouping-sets': () =>
      mutation('create_grouping_set', null, {
        setKind: 'category_set',
        titleBase: `Set ${subject()}`,
        entryTargetKind: 'category',
        entryTargetId: 7,
      }),
    'POST assets of a grouping Set': () =>
      mutation('assign_grouping_assets', revision, {
        setId: subject(),
        items: [{ existingAssetId: randomUUID(), expectedAssetUpdatedAt: revision, ...target('category') }],
      }),
    'POST relationships': () =>
      mutation('change_relationship', null, {
        targetKind: 'person',
        targetId: subject(),
        relationship: 'follow',
      }),
    'POST set-uploads': creation,
    'POST set-uploads assets': creation,
    'GET set-uploads': creation,
    'POST set-uploads complete': creation,
    'POST set-updates': edit,
    'POST set-updates assets': edit,
    'GET set-updates': edit,
    'POST set-updates complete': edit,
  };
}
