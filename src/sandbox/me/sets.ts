import type { Caller } from '../access/caller.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { listedAsset, publicationStatus } from './assets.ts';
import type { OwnedSet, PublicationStatus, SetKindWord } from './assumed.ts';
import { ownedRow } from './owned.ts';
import { findTarget } from './targets.ts';

/** @throws ProtectedError 404 or 403. */
export function readOwnedSet(database: Database, caller: Caller, id: number, now: Date): OwnedSet {
  const set = ownedRow(database, caller, 'set', id);
  const [targetKind, targetId] = [set.textOrNull('target_kind'), set.integerOrNull('target_id')];
  const assets = database.all(
    'SELECT * FROM assets WHERE set_id = ? AND replaced_from IS NULL ORDER BY created_at, id',
    id,
  );
  return {
    id,
    kind: set.text('kind'),
    setKind: setKindWord(set.text('kind')),
    title: set.text('title'),
    description: set.textOrNull('description'),
    languageCode: set.textOrNull('language_code'),
    editionId: set.integerOrNull('edition_id'),
    finalised: set.flag('finalised'),
    target:
      targetKind === null || targetId === null ? null : (findTarget(database, targetKind, targetId) ?? null),
    ...(set.text('kind') === 'brand_set' ? brands(database, id) : {}),
    group: groupOf(database, set),
    createdBy: ownerName(database, caller),
    dateCreated: set.text('created_at'),
    updatedAt: set.text('updated_at'),
    publicationStatus: setPublication(set, now),
    assets: assets.map((asset) => listedAsset(asset, now)),
  };
}

/** The word of the admission bodies for a kind of Set. */
export function setKindWord(kind: string): SetKindWord {
  return kind === 'talent_set' || kind === 'brand_set' || kind === 'category_set' ? kind : 'media_set';
}

/** Talent and Category Sets have no public read that could catch up. */
export function setPublication(set: Row, now: Date): PublicationStatus {
  const kind = set.text('kind');
  return kind === 'talent_set' || kind === 'category_set' ? 'not_required' : publicationStatus(set, now);
}

export function ownerName(database: Database, { accountId }: Caller): string {
  return database.only('SELECT name FROM accounts WHERE id = ?', accountId).text('name');
}

function groupOf(database: Database, set: Row): OwnedSet['group'] {
  const groupId = set.integerOrNull('group_id');
  if (groupId === null) return null;
  const group = database.only('SELECT id, kind, title FROM groups WHERE id = ?', groupId);
  return { id: group.integer('id'), kind: group.text('kind'), title: group.text('title') };
}

function brands(database: Database, setId: number): Pick<OwnedSet, 'networks' | 'companies'> {
  const members = (kind: 'network' | 'company') =>
    database
      .all(
        `SELECT t.id, t.title FROM brand_set_members m JOIN targets t ON t.kind = m.kind AND t.id = m.id
         WHERE m.set_id = ? AND m.kind = ? ORDER BY m.position`,
        setId,
        kind,
      )
      .map((row) => ({ id: row.integer('id'), name: row.text('title') }));
  return { networks: members('network'), companies: members('company') };
}
