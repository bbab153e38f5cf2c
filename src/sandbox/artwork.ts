import type { Target } from './model.ts';
import { columnOf, type Row, type SqlValue, type Store } from './store.ts';

// Every change of artwork, Sets and groups, with what the feeds show of it, in the transaction of the caller. Members of
// what is new or edited are named as columns; what an edit leaves out stays.

interface NewAsset {
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
  recordAssets(store, 'arrival', 'a.id = ?', asset.id);
}

type Edit<Member extends keyof Made, Made> = { readonly [Name in Member]?: Made[Name] | undefined };

/** `setId` puts a standalone Asset into a Set. */
type AssetEdit = Edit<'languageCode' | 'editionId' | 'selectedFrame' | 'setId', NewAsset>;

/** Edits an Asset. Returns the new revision. */
export function editAsset(store: Store, assetId: string, edit: AssetEdit, at: string): string {
  const { revision } = revise(store, 'assets', assetId, edit, at);
  recordAssets(store, 'edit', 'a.id = ?', assetId);
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
  recordSet(store, { setId, kind: set.kind, changeType: 'added', changedAt: set.publicFrom });
  return setId;
}

type SetEdit = Edit<'title' | 'description' | 'languageCode' | 'editionId' | 'finalised', NewSet>;

/**
 * Edits a Set. An empty edit gives it a new revision after its artwork has changed, and `showsFrom` is when public reads
 * show that artwork. Returns the new revision.
 */
export function editSet(store: Store, setId: number, edit: SetEdit, at: string, showsFrom = at): string {
  const { revision, before } = revise(store, 'sets', setId, edit, at);
  const changedAt = latestOf(revision, showsFrom, before.text('public_from'));
  recordSet(store, { setId, kind: before.text('kind'), changeType: 'updated', changedAt });
  return revision;
}

interface NewGroup extends Made {
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

/** The replacements that have led to an Asset `a`, the oldest first. */
const chain = `(
  WITH RECURSIVE link (id, previous, at) AS (
    SELECT a.id, a.replaces, a.public_from
    UNION ALL SELECT p.id, p.replaces, p.public_from FROM assets p JOIN link ON p.id = link.previous)
  SELECT json_group_array(json_object('previousAssetId', previous, 'newAssetId', id, 'changedAt', at) ORDER BY at)
  FROM link WHERE previous IS NOT NULL)`;

/**
 * Tells the feed that the Assets `a` of a condition have come, or were edited. The interface document shows `updated` on
 * an item with a replacement chain: a replacement is an update with a previous Asset, an edit an update without one.
 */
export function recordAssets(
  store: Store,
  what: 'arrival' | 'edit',
  condition: string,
  ...values: readonly SqlValue[]
): void {
  const [at, changeType, previous, replacements] =
    what === 'arrival'
      ? ['a.public_from', "iif(a.replaces IS NULL, 'added', 'updated')", 'a.replaces', chain]
      : // Public reads never show an edit before the Asset itself.
        ['max(a.updated_at, a.public_from)', "'updated'", 'NULL', "'[]'"];
  store.run(
    `INSERT INTO changes (feed, changed_at, item)
     SELECT 'assets', ${at}, json_object(
       'assetId', a.id, 'kind', 'asset', 'slot', a.slot,
       'target', json_object('id', a.target_id, 'kind', a.target_kind),
       'changeType', ${changeType}, 'changedAt', ${at},
       'previousAssetId', ${previous}, 'replacements', json(${replacements}))
     FROM assets a WHERE ${condition}`,
    ...values,
  );
}

/** Talent and Category Sets have no public read, so the feed doesn't name them. */
export function recordSet(
  store: Store,
  { setId, kind, changeType, changedAt }: Readonly<Record<string, unknown>>,
): void {
  if (kind === 'talent_set' || kind === 'category_set') return;
  const item = JSON.stringify({ setId, kind, changeType, changedAt });
  store.insert('changes', { feed: 'sets', changedAt: String(changedAt), item });
}
