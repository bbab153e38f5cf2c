import type { Context } from '../context.ts';
import { assetPath, type FoundTarget, targetOf } from '../model.ts';
import { brandsOf } from '../public/sets.ts';
import type { Row, Store } from '../store.ts';
import type { Call } from './authorize.ts';
import { missing, notOwned, refuse } from './refusals.ts';
import { checkQuery, destinationQuery } from './requests.ts';

/*
 * What an account reads of its own. The interface document names these records and shows `id`, `updatedAt`,
 * `languageCode` and `editionId`; every other member is **assumed**, with the name that public reads or admission
 * bodies have for it (docs/interface.md, Reading what is one's own).
 */

const tables = { asset: 'assets', set: 'sets', group: 'groups' } as const;
const names = { asset: 'Asset', set: 'Set', group: 'Group' } as const;

/** In whose name something is read or changed. */
export type Acting = Pick<Call, 'store' | 'caller'>;

/** The row of what the caller owns. @throws Refusal 404 for an unknown id, 403 for another account's */
export function owned(
  { store, caller }: Acting,
  kind: keyof typeof tables,
  id: string | number,
  path?: readonly string[],
): Row {
  const row = store.first(`SELECT * FROM ${tables[kind]} WHERE id = ?`, id);
  if (row === undefined) throw missing(`${names[kind]} ${id}`, path);
  if (row.integerOrNull('owner_id') !== caller.accountId) throw notOwned(`${names[kind]} ${id}`, path);
  return row;
}

/**
 * An Asset of the caller that can still be changed: not replaced, and at the expected revision where one is given.
 * @throws Refusal 404, 403 or 409
 */
export function current(acting: Acting, id: string, expected: string | null, path?: readonly string[]): Row {
  const asset = owned(acting, 'asset', id, path);
  if (asset.textOrNull('replaced_from') !== null) {
    throw refuse(409, 'asset.replaced', `Asset ${id} has been replaced.`, path);
  }
  if (expected !== null) requireRevision(asset, `Asset ${id}`, expected, path);
  return asset;
}

/** @throws Refusal 409 if the resource has changed since its revision was read */
export function requireRevision(
  row: Row,
  what: string,
  expected: string,
  path: readonly string[] = ['expectedUpdatedAt'],
): void {
  if (expected === row.text('updated_at')) return;
  throw refuse(409, 'revision.stale', `${what} has changed since it was read.`, path);
}

/** @throws Refusal 422 */
export function requireEdition({ store }: Acting, id: number | null | undefined, path = ['editionId']): void {
  if (id === null || id === undefined) return;
  if (store.first('SELECT id FROM editions WHERE id = ?', id) !== undefined) return;
  throw refuse(422, 'edition.unknown', `There is no edition ${id}.`, path);
}

/** `not_required`: nothing shows in public. */
export type PublicationStatus = 'not_required' | 'pending' | 'succeeded';

/** Whether public reads show an Asset, a Set or a group already. Talent and Category Sets have no public read. */
export function publicationOf(context: Context, row: Row): PublicationStatus {
  if (['talent_set', 'category_set'].includes(row.text('kind'))) return 'not_required';
  return publishedAt(row.text('public_from'), context);
}

export function publishedAt(publicFrom: string, { now }: Context): PublicationStatus {
  return publicFrom <= now() ? 'succeeded' : 'pending';
}

export function readAsset(call: Call) {
  const { store, context } = call;
  const asset = owned(call, 'asset', call.segment('assetId').toLowerCase());
  const replacement = store.first('SELECT id FROM assets WHERE replaces = ?', asset.text('id'));
  return {
    ...listedAsset(context, asset),
    kind: 'asset',
    setId: asset.integerOrNull('set_id'),
    contentType: `image/${asset.text('format')}`,
    frames: asset.integer('frames'),
    selectedSourceFrame: asset.integerOrNull('selected_frame'),
    previousAssetId: asset.textOrNull('replaces'),
    replacedByAssetId: replacement?.text('id') ?? null,
    dateCreated: asset.text('created_at'),
  };
}

/** An Asset as its Set or its group lists it. */
function listedAsset(context: Context, asset: Row) {
  return {
    ...asset.members('id', 'slot', 'languageCode', 'editionId', 'width', 'height', 'updatedAt'),
    target: { id: asset.integer('target_id'), kind: asset.text('target_kind') },
    path: assetPath(asset),
    publicationStatus: publishedAt(asset.text('public_from'), context),
  };
}

export function readSet(call: Call) {
  const { store, context } = call;
  const set = owned(call, 'set', call.integer('setId'));
  const groupId = set.integerOrNull('group_id');
  return {
    ...set.members('id', 'kind', 'title', 'description', 'languageCode', 'editionId', 'updatedAt'),
    setKind: setKindOf(set),
    finalised: set.integer('finalised') !== 0,
    target: namedTarget(store, set),
    ...(set.text('kind') === 'brand_set' ? brandsOf(store, set) : {}),
    group:
      groupId === null
        ? null
        : store.only('SELECT * FROM groups WHERE id = ?', groupId).members('id', 'kind', 'title'),
    ...madeBy(call, set),
    assets: store
      .all(
        'SELECT * FROM assets WHERE set_id = ? AND replaced_from IS NULL ORDER BY created_at, id',
        set.integer('id'),
      )
      .map((asset) => listedAsset(context, asset)),
  };
}

/** The kind of a Set in admission bodies, where every Set of a work is a `media_set`. */
export function setKindOf(set: Row): 'media_set' | 'talent_set' | 'brand_set' | 'category_set' {
  const kind = set.text('kind');
  return kind === 'talent_set' || kind === 'brand_set' || kind === 'category_set' ? kind : 'media_set';
}

/** What a Set is for, so that a person recognises it; null for a Brand Set. */
function namedTarget(store: Store, set: Row): Omit<FoundTarget, 'subtitle'> | null {
  const [kind, id] = [set.textOrNull('target_kind'), set.integerOrNull('target_id')];
  if (kind === null || id === null) return null;
  const { title, year } = targetOf(store, kind, id);
  return { id, kind, title, year };
}

function madeBy({ store, caller, context }: Call, row: Row) {
  return {
    createdBy: store.only('SELECT name FROM accounts WHERE id = ?', caller.accountId).text('name'),
    dateCreated: row.text('created_at'),
    publicationStatus: publicationOf(context, row),
  };
}

export function readGroup(call: Call) {
  const { store, context } = call;
  const group = owned(call, 'group', call.integer('groupId'));
  const id = group.integer('id');
  const poster = store.first(
    `SELECT * FROM assets
     WHERE target_kind = ? AND target_id = ? AND slot = 'poster' AND replaced_from IS NULL`,
    group.text('kind'),
    id,
  );
  return {
    ...group.members('id', 'kind', 'title', 'description', 'languageCode', 'updatedAt'),
    poster: poster === undefined ? null : listedAsset(context, poster),
    ...madeBy(call, group),
    sets: store.all('SELECT * FROM sets WHERE group_id = ? ORDER BY group_position', id).map((set) => ({
      ...set.members('id', 'kind', 'title', 'updatedAt'),
      target: namedTarget(store, set),
    })),
  };
}

/** Assumed: the "limited number". */
const maxDestinations = 20;

/**
 * The caller's Sets or groups whose title or work contains the text, the last changed first. Loadouts are `boxset` of
 * the family `game`, the only family that the document names.
 */
export function findDestinations({ store, caller, query }: Call) {
  const { kind, family, q } = checkQuery(destinationQuery, query);
  const plain = (text: string) => text.normalize('NFC').trim().toLowerCase();
  const from = kind === 'boxset' ? '*, NULL AS target_kind, NULL AS target_id FROM groups' : '* FROM sets';
  const sql = `SELECT ${from} WHERE owner_id = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY updated_at DESC, id`;
  return store
    .all(sql, caller.accountId, JSON.stringify(destinationKinds[family][kind]))
    .filter((row) => {
      const { title } = namedTarget(store, row) ?? { title: '' };
      return plain(`${row.text('title')}\n${title}`).includes(plain(q));
    })
    .slice(0, maxDestinations)
    .map((row) => ({
      ...row.members('id', 'title', 'updatedAt'),
      ...(family === 'game' ? { kind, family } : { kind }),
      target: namedTarget(store, row),
    }));
}

const destinationKinds = {
  media: {
    media_set: ['movie_set', 'show_set', 'collection_set'],
    talent_set: ['talent_set'],
    boxset: ['boxset'],
  },
  game: { media_set: ['game_set'], talent_set: [], boxset: ['loadout'] },
};

/** The accounts that the caller follows and hides, the last change first. */
export function readRelationships({ store, caller }: Call) {
  return store
    .all(
      `SELECT r.*, a.name FROM relationships r JOIN accounts a ON a.id = r.target_id
       WHERE r.account_id = ? ORDER BY r.updated_at DESC, r.target_id`,
      caller.accountId,
    )
    .map((row) => ({
      ...row.members('targetId', 'relationship', 'updatedAt'),
      targetKind: 'user',
      target: { id: row.integer('target_id'), kind: 'user', name: row.text('name') },
    }));
}
