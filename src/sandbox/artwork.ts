import type { Target } from './model.ts';
import { columnOf, type Row, type SqlValue, type Store } from './store.ts';

// Every change of artwork, Sets and groups, with what the feeds show of it, in the transaction of the caller. Members of
// what is new or edited are named as columns; what an edit leaves out stays.

export interface NewAsset {
  readonly id: string;
  readonly slot: string;
  readonly targetKind: string;
  readonly targetId: number;
  /** null: standalone. */
  readonly setId: number | null;
  readonly ownerId: number | null;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  readonly format: 'png' | 'jpeg' | 'webp' | 'gif';
  readonly width: number;
  readonly height: number;
  /** The name of its bytes in the folder of uploads; null: the picture is drawn when it is first asked for. */
  readonly file: string | null;
  /** Default: 1. */
  readonly frames?: number;
  readonly selectedFrame?: number | null;
  readonly createdAt: string;
  /** When public reads and the feed show it; equal to `createdAt` without a lag. */
  readonly publicFrom: string;
}

/** Adds an Asset, or with `replaces` puts it in the place of another, which stays public until the new one is. */
export function addAsset(store: Store, asset: NewAsset, replaces: string | null = null): void {
  if (replaces !== null) {
    const sql = 'UPDATE assets SET replaced_from = ? WHERE id = ? AND replaced_from IS NULL';
    expectOne(store.run(sql, asset.publicFrom, replaces), `Asset ${replaces} is not there to be replaced.`);
  }
  store.insert('assets', { ...asset, replaces, updatedAt: asset.createdAt });
  recordAssetChange(store, asset.id, replaces === null ? 'added' : 'updated', asset.publicFrom, replaces);
}

type Edit<Member extends keyof Made, Made> = { readonly [Name in Member]?: Made[Name] | undefined };

/** `setId` puts a standalone Asset into a Set. */
type AssetEdit = Edit<'languageCode' | 'editionId' | 'selectedFrame' | 'setId', NewAsset>;

/** Edits an Asset. Returns the new revision. */
export function editAsset(store: Store, assetId: string, edit: AssetEdit, at: string): string {
  const { revision, before } = revise(store, 'assets', assetId, edit, at);
  // Public reads never show an edit before the Asset itself.
  recordAssetChange(store, assetId, 'updated', latestOf(revision, before.text('public_from')), null);
  return revision;
}

/** What a new Set and a new group have. */
interface Made {
  /** Default: the next free id. */
  readonly id?: number;
  readonly title: string;
  readonly description: string | null;
  readonly ownerId: number | null;
  readonly languageCode: string | null;
  readonly createdAt: string;
  readonly publicFrom: string;
}

type MediaKind = 'movie' | 'show' | 'game' | 'collection';

export interface NewSet extends Made {
  readonly kind: `${MediaKind | 'brand' | 'talent' | 'category'}_set`;
  /** null for a Brand Set. */
  readonly target: Target | null;
  /** Networks and companies of a Brand Set. */
  readonly members: readonly Target[];
  readonly editionId: number | null;
  readonly finalised: boolean;
  /** The Boxset or Loadout that it joins at its end. Default: none. */
  readonly groupId?: number | null;
}

/** Returns the Set's id. */
export function createSet(store: Store, set: NewSet): number {
  const { target, members, groupId = null, ...columns } = set;
  const place = { targetKind: target?.kind ?? null, targetId: target?.id ?? null };
  const more = { ...place, members: JSON.stringify(members), updatedAt: set.createdAt };
  const setId = store.insert('sets', { ...columns, ...more });
  if (groupId !== null) joinGroup(store, groupId, [setId]);
  recordSetChange(store, setId, set.kind, 'added', set.publicFrom);
  return setId;
}

type SetEdit = Edit<'title' | 'description' | 'languageCode' | 'editionId' | 'finalised', NewSet>;

/**
 * Edits a Set. An empty edit gives it a new revision after its artwork has changed, and `showsFrom` is when public reads
 * show that artwork. Returns the new revision.
 */
export function editSet(store: Store, setId: number, edit: SetEdit, at: string, showsFrom = at): string {
  const { revision, before } = revise(store, 'sets', setId, edit, at);
  const shown = latestOf(revision, showsFrom, before.text('public_from'));
  recordSetChange(store, setId, before.text('kind'), 'updated', shown);
  return revision;
}

export interface NewGroup extends Made {
  readonly kind: 'boxset' | 'loadout';
  /** In order; none of them may be in another group. */
  readonly setIds: readonly number[];
}

/** Returns the group's id. */
export function createGroup(store: Store, { setIds, ...columns }: NewGroup): number {
  const id = store.insert('groups', { ...columns, updatedAt: columns.createdAt });
  joinGroup(store, id, setIds);
  return id;
}

/** `setIds` is the whole membership in its order: a Set that is missing there leaves the group. */
type GroupEdit = Edit<'title' | 'description' | 'languageCode' | 'setIds', NewGroup>;

/** Edits a group. Returns the new revision. */
export function editGroup(store: Store, groupId: number, edit: GroupEdit, at: string): string {
  const { setIds, ...columns } = edit;
  const { revision } = revise(store, 'groups', groupId, columns, at);
  if (setIds === undefined) return revision;
  store.run('UPDATE sets SET group_id = NULL, group_position = NULL WHERE group_id = ?', groupId);
  joinGroup(store, groupId, setIds);
  return revision;
}

function joinGroup(store: Store, groupId: number, setIds: readonly number[]): void {
  const after = 'SELECT ifnull(max(group_position), -1) + 1 AS next FROM sets WHERE group_id = ?';
  const first = store.only(after, groupId).integer('next');
  const sql = 'UPDATE sets SET group_id = ?, group_position = ? WHERE id = ? AND group_id IS NULL';
  for (const [index, setId] of setIds.entries()) {
    expectOne(store.run(sql, groupId, first + index, setId), `Set ${setId} can't join group ${groupId}.`);
  }
}

function expectOne(changed: number, otherwise: string): void {
  if (changed !== 1) throw new Error(otherwise);
}

/**
 * Changes the columns of the members that have a value; what is left out stays. The new revision always differs from the
 * one before, even for two changes in one millisecond or after the clock was set back.
 */
function revise(
  store: Store,
  table: 'assets' | 'sets' | 'groups',
  id: string | number,
  edit: Readonly<Record<string, SqlValue | undefined>>,
  at: string,
): { readonly revision: string; readonly before: Row } {
  const before = store.only(`SELECT * FROM ${table} WHERE id = ?`, id);
  const next = new Date(Date.parse(before.text('updated_at')) + 1).toISOString();
  const revision = latestOf(at, next);
  for (const [member, value] of Object.entries({ ...edit, updatedAt: revision })) {
    if (value !== undefined) store.run(`UPDATE ${table} SET ${columnOf(member)} = ? WHERE id = ?`, value, id);
  }
  return { revision, before };
}

/** Of times. */
function latestOf(...times: readonly string[]): string {
  return times.reduce((one, other) => (one > other ? one : other));
}

type ChangeType = 'added' | 'updated';

/**
 * The interface document shows `updated` on an item with a replacement chain: a replacement is an update with a
 * previous Asset, an edit of language or edition an update without one.
 */
function recordAssetChange(
  store: Store,
  assetId: string,
  changeType: ChangeType,
  changedAt: string,
  previousAssetId: string | null,
): void {
  const asset = store.only('SELECT slot, target_kind, target_id FROM assets WHERE id = ?', assetId);
  const target = { id: asset.integer('target_id'), kind: asset.text('target_kind') };
  const link = { previousAssetId, newAssetId: assetId, changedAt };
  const replacements = previousAssetId === null ? [] : [...chainOf(store, previousAssetId), link];
  const item = { assetId, kind: 'asset', slot: asset.text('slot'), target, changeType, changedAt };
  record(store, 'assets', assetId, changedAt, { ...item, previousAssetId, replacements });
}

/** What has led to an Asset by replacements, the oldest first. */
function chainOf(store: Store, assetId: string): readonly unknown[] {
  const earlier = store.first(
    `SELECT item -> '$.replacements' AS chain FROM changes
     WHERE feed = 'assets' AND subject = ? AND item ->> '$.previousAssetId' IS NOT NULL
     ORDER BY sequence DESC LIMIT 1`,
    assetId,
  );
  const chain = earlier?.json('chain') ?? [];
  if (!Array.isArray(chain)) throw new TypeError(`The chain of ${assetId} is no array.`);
  return chain;
}

/** Talent and Category Sets have no public read, so the feed doesn't name them. */
function recordSetChange(
  store: Store,
  setId: number,
  kind: string,
  changeType: ChangeType,
  changedAt: string,
) {
  if (kind === 'talent_set' || kind === 'category_set') return;
  record(store, 'sets', String(setId), changedAt, { setId, kind, changeType, changedAt });
}

function record(store: Store, feed: 'assets' | 'sets', subject: string, changedAt: string, item: object) {
  store.insert('changes', { feed, subject, changedAt, item: JSON.stringify(item) });
}
