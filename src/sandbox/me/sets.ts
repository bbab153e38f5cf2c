import { findTarget } from '../artwork/targets.ts';
import type { Database, Row } from '../store/database.ts';
import { listedAsset, publicationStatus } from './assets.ts';
import type { AdmissionSetKind, NamedTarget, OwnedSet, PublicationStatus } from './assumed.ts';
import type { Caller } from './authorize.ts';
import { ownedRow } from './owned.ts';

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
    setKind: admissionSetKind(set.text('kind')),
    title: set.text('title'),
    description: set.textOrNull('description'),
    languageCode: set.textOrNull('language_code'),
    editionId: set.integerOrNull('edition_id'),
    finalised: set.flag('finalised'),
    target:
      targetKind === null || targetId === null
        ? null
        : (findNamedTarget(database, targetKind, targetId) ?? null),
    ...(set.text('kind') === 'brand_set' ? brandMembers(database, id) : {}),
    group: groupOf(database, set),
    createdBy: ownerName(database, caller),
    dateCreated: set.text('created_at'),
    updatedAt: set.text('updated_at'),
    publicationStatus: setPublicationStatus(set, now),
    assets: assets.map((asset) => listedAsset(asset, now)),
  };
}

/** The name of a kind of Set in the admission bodies. */
export function admissionSetKind(kind: string): AdmissionSetKind {
  return kind === 'talent_set' || kind === 'brand_set' || kind === 'category_set' ? kind : 'media_set';
}

/** Talent and Category Sets have no public read. */
export function setPublicationStatus(set: Row, now: Date): PublicationStatus {
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

function brandMembers(database: Database, setId: number): Pick<OwnedSet, 'networks' | 'companies'> {
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

/** Undefined for a target that does not exist. */
export function findNamedTarget(database: Database, kind: string, id: number): NamedTarget | undefined {
  const target = findTarget(database, kind, id);
  return target && { id, kind, title: target.title, year: target.year };
}
