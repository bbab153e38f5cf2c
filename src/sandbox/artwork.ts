import type { Target } from './model.ts';
import { columnOf, type Row, type SqlValue, type Store } from './store.ts';

// Every change of artwork, Sets and groups: each function makes one in one transaction, with what the feeds show of it.
// Members of what is new or edited are named as columns.

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

/**
 * Adds an Asset, or with `replaces` puts it in the place of another, which stays public until the new one is.
 * @throws Error when that other one is not there or has been replaced before
 */
export function addAsset(store: Store, asset: NewAsset, replaces: string | null = null): void {
  store.transaction(() => {
    if (replaces !== null) {
      const replaced = store.run(
        'UPDATE assets SET replaced_from = ? WHERE id = ? AND replaced_from IS NULL',
        asset.publicFrom,
        replaces,
      );
      if (replaced !== 1) throw new Error(`Asset ${replaces} is not there to be replaced.`);
    }
    store.insert('assets', { ...asset, replaces, updatedAt: asset.createdAt });
    recordAssetChange(store, asset.id, replaces === null ? 'added' : 'updated', asset.publicFrom, replaces);
  });
}

/** `setId` puts a standalone Asset into a Set. */
export type AssetEdit = Partial<Pick<NewAsset, 'languageCode' | 'editionId' | 'selectedFrame' | 'setId'>>;

/** Edits an Asset. What is left out stays. Returns the new revision. */
export function editAsset(store: Store, assetId: string, edit: AssetEdit, at: string): string {
  return store.transaction(() => {
    const asset = store.only('SELECT * FROM assets WHERE id = ?', assetId);
    const revision = nextRevision(asset, at);
    update(store, 'assets', assetId, { ...edit, updatedAt: revision });
    // Public reads never show an edit before the Asset itself.
    recordAssetChange(store, assetId, 'updated', laterOf(revision, asset.text('public_from')), null);
    return revision;
  });
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
  return store.transaction(() => {
    store.insert('sets', {
      ...columns,
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      members: JSON.stringify(members),
      finalised: Number(set.finalised),
      updatedAt: set.createdAt,
    });
    const setId = set.id ?? lastId(store);
    if (groupId !== null) joinGroup(store, groupId, [setId]);
    recordSetChange(store, setId, set.kind, 'added', set.publicFrom);
    return setId;
  });
}

type SetEdit = Partial<Pick<NewSet, 'title' | 'description' | 'languageCode' | 'editionId' | 'finalised'>>;

/**
 * Edits a Set. What is left out stays; an empty edit gives it a new revision after its artwork has changed, and
 * `showsFrom` is when public reads show that artwork. Returns the new revision.
 */
export function editSet(store: Store, setId: number, edit: SetEdit, at: string, showsFrom = at): string {
  return store.transaction(() => {
    const set = store.only('SELECT * FROM sets WHERE id = ?', setId);
    const revision = nextRevision(set, at);
    const { finalised, ...columns } = edit;
    const flags = finalised === undefined ? {} : { finalised: Number(finalised) };
    update(store, 'sets', setId, { ...columns, ...flags, updatedAt: revision });
    const shown = laterOf(laterOf(revision, showsFrom), set.text('public_from'));
    recordSetChange(store, setId, set.text('kind'), 'updated', shown);
    return revision;
  });
}

export interface NewGroup extends Made {
  readonly kind: 'boxset' | 'loadout';
  /** In order; none of them may be in another group. */
  readonly setIds: readonly number[];
}

/** Returns the group's id. */
export function createGroup(store: Store, group: NewGroup): number {
  const { setIds, ...columns } = group;
  return store.transaction(() => {
    store.insert('groups', { ...columns, updatedAt: group.createdAt });
    const id = group.id ?? lastId(store);
    joinGroup(store, id, setIds);
    return id;
  });
}

/** `setIds` is the whole membership in its order: a Set that is missing there leaves the group. */
type GroupEdit = Partial<Pick<NewGroup, 'title' | 'description' | 'languageCode' | 'setIds'>>;

/** Edits a group. What is left out stays. Returns the new revision. */
export function editGroup(store: Store, groupId: number, edit: GroupEdit, at: string): string {
  return store.transaction(() => {
    const revision = nextRevision(store.only('SELECT * FROM groups WHERE id = ?', groupId), at);
    const { setIds, ...columns } = edit;
    update(store, 'groups', groupId, { ...columns, updatedAt: revision });
    if (setIds !== undefined) {
      store.run('UPDATE sets SET group_id = NULL, group_position = NULL WHERE group_id = ?', groupId);
      joinGroup(store, groupId, setIds);
    }
    return revision;
  });
}

function joinGroup(store: Store, groupId: number, setIds: readonly number[]): void {
  const after = 'SELECT ifnull(max(group_position), -1) + 1 AS next FROM sets WHERE group_id = ?';
  const first = store.only(after, groupId).integer('next');
  for (const [index, setId] of setIds.entries()) {
    const joined = store.run(
      'UPDATE sets SET group_id = ?, group_position = ? WHERE id = ? AND group_id IS NULL',
      groupId,
      first + index,
      setId,
    );
    if (joined !== 1) throw new Error(`Set ${setId} can't join group ${groupId}.`);
  }
}

/** Changes the columns of the members that have a value. */
function update(
  store: Store,
  table: 'assets' | 'sets' | 'groups',
  id: string | number,
  members: Readonly<Record<string, SqlValue | undefined>>,
): void {
  const changed = Object.entries(members).flatMap(([member, value]) =>
    value === undefined ? [] : [{ column: columnOf(member), value }],
  );
  store.run(
    `UPDATE ${table} SET ${changed.map(({ column }) => `${column} = ?`).join(', ')} WHERE id = ?`,
    ...changed.map(({ value }) => value),
    id,
  );
}

function lastId(store: Store): number {
  return store.only('SELECT last_insert_rowid() AS id').integer('id');
}

/**
 * The revision after a change at this time. It always differs from the previous one, even for two changes in one
 * millisecond or after the clock was set back.
 */
function nextRevision(record: Row, at: string): string {
  const previous = record.text('updated_at');
  return at > previous ? at : new Date(Date.parse(previous) + 1).toISOString();
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

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
  record(store, 'assets', assetId, {
    assetId,
    kind: 'asset',
    slot: asset.text('slot'),
    target: { id: asset.integer('target_id'), kind: asset.text('target_kind') },
    changeType,
    changedAt,
    previousAssetId,
    replacements:
      previousAssetId === null
        ? []
        : [...chainOf(store, previousAssetId), { previousAssetId, newAssetId: assetId, changedAt }],
  });
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
  record(store, 'sets', String(setId), { setId, kind, changeType, changedAt });
}

type ChangeType = 'added' | 'updated';

function record(store: Store, feed: 'assets' | 'sets', subject: string, item: FeedItem): void {
  store.insert('changes', { feed, subject, changedAt: item.changedAt, item: JSON.stringify(item) });
}

interface FeedItem {
  readonly changedAt: string;
  readonly [member: string]: unknown;
}
