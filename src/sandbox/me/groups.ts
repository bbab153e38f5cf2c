import type { Caller } from '../access/caller.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { listedAsset, publicationStatus } from './assets.ts';
import type { OwnedGroup } from './assumed.ts';
import { ownedRow } from './owned.ts';
import { ownerName } from './sets.ts';

/** @throws ProtectedError 404 or 403. */
export function readOwnedGroup(database: Database, caller: Caller, id: number, now: Date): OwnedGroup {
  const group = ownedRow(database, caller, 'group', id);
  const poster = findPoster(database, group);
  return {
    id,
    kind: groupKind(group),
    title: group.text('title'),
    description: group.textOrNull('description'),
    languageCode: group.textOrNull('language_code'),
    poster: poster ? listedAsset(poster, now) : null,
    createdBy: ownerName(database, caller),
    dateCreated: group.text('created_at'),
    updatedAt: group.text('updated_at'),
    publicationStatus: publicationStatus(group, now),
    sets: members(database, id),
  };
}

/** The poster of a row of `groups`, whether public reads have caught up with it or not. */
export function findPoster(database: Database, group: Row): Row | undefined {
  return database.first(
    `SELECT * FROM assets WHERE target_kind = ? AND target_id = ? AND slot = 'poster' AND replaced_from IS NULL
     ORDER BY created_at DESC, id LIMIT 1`,
    group.text('kind'),
    group.integer('id'),
  );
}

export function groupKind(group: Row): 'boxset' | 'loadout' {
  return group.text('kind') === 'boxset' ? 'boxset' : 'loadout';
}

function members(database: Database, groupId: number): OwnedGroup['sets'] {
  return database
    .all(
      `SELECT s.id, s.kind, s.title, s.updated_at, s.target_kind, s.target_id, t.title AS target_title, t.year
       FROM sets s JOIN targets t ON t.kind = s.target_kind AND t.id = s.target_id
       WHERE s.group_id = ? ORDER BY s.group_position`,
      groupId,
    )
    .map((set) => ({
      id: set.integer('id'),
      kind: set.text('kind'),
      title: set.text('title'),
      target: {
        id: set.integer('target_id'),
        kind: set.text('target_kind'),
        title: set.text('target_title'),
        year: set.integerOrNull('year'),
      },
      updatedAt: set.text('updated_at'),
    }));
}
