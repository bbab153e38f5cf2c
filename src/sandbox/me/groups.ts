import { editGroup, type GroupEdit, storeGroup } from '../artwork/groups.ts';
import type { Answer } from '../http.ts';
import type { Database, Row } from '../store/database.ts';
import { listedAsset, publicationStatus } from './assets.ts';
import { groupEditBody, type MutationResult, newGroupBody, type OwnedGroup } from './assumed.ts';
import type { Caller } from './authorize.ts';
import { type ProtectedContext, publicFrom } from './context.ts';
import { mutate } from './mutation.ts';
import { ownedRow, requireRevision } from './owned.ts';
import { invalidRequest, refusal } from './protected-error.ts';
import { validate } from './request.ts';
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
    sets: groupMembers(database, id),
  };
}

/** The poster of a row of `groups`, public or not yet public. */
export function findPoster(database: Database, group: Row): Row | undefined {
  return database.first(
    `SELECT * FROM assets WHERE target_kind = ? AND target_id = ? AND slot = 'poster' AND replaced_from IS NULL
     ORDER BY created_at DESC, id LIMIT 1`,
    group.text('kind'),
    group.integer('id'),
  );
}

function groupKind(group: Row): 'boxset' | 'loadout' {
  return group.text('kind') === 'boxset' ? 'boxset' : 'loadout';
}

function groupMembers(database: Database, groupId: number): OwnedGroup['sets'] {
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

interface GroupReceipt extends MutationResult {
  readonly id: number;
  readonly kind: 'boxset' | 'loadout';
}

/** POST /me/groups (the interface document, Groups; its body is assumed). */
export function createGroup(context: ProtectedContext, caller: Caller, given: unknown): Answer {
  const { clientMutationId, family, ...group } = validate(newGroupBody, given);
  const kind = family === 'game' ? 'loadout' : group.kind;
  if (family === 'media' && kind === 'loadout') throw invalidRequest('A Loadout is of the family game.');
  const { database } = context;
  return mutate(context, caller, {
    operation: 'group.create',
    clientMutationId,
    parameters: { ...group, kind },
    success: 201,
    apply(now, record): GroupReceipt {
      const at = now.toISOString();
      requireMembers(database, caller, kind, group.setIds, null);
      const id = storeGroup(database, {
        ...group,
        kind,
        ownerId: caller.accountId,
        createdAt: at,
        publicFrom: publicFrom(context, now),
      });
      record({ kind, id });
      const row = database.only('SELECT public_from FROM groups WHERE id = ?', id);
      return { id, kind, updatedAt: at, publicationStatus: publicationStatus(row, now) };
    },
  });
}

/** POST /me/groups/{groupId} (the interface document, Groups; its body is assumed). */
export function changeGroup(context: ProtectedContext, caller: Caller, id: number, given: unknown): Answer {
  const { clientMutationId, expectedUpdatedAt, ...edit } = validate(groupEditBody, given);
  if (Object.keys(edit).length === 0) {
    throw invalidRequest('Send title, description, languageCode or setIds: there is nothing to change.');
  }
  const { database } = context;
  return mutate(context, caller, {
    operation: 'group.edit',
    clientMutationId,
    parameters: { id, expectedUpdatedAt, ...edit },
    success: 200,
    apply(now, record): GroupReceipt & GroupEdit {
      const at = now.toISOString();
      const group = ownedRow(database, caller, 'group', id);
      const kind = groupKind(group);
      requireRevision(group, `Group ${id}`, expectedUpdatedAt);
      if (edit.setIds !== undefined) requireMembers(database, caller, kind, edit.setIds, id);
      const updatedAt = editGroup(database, id, edit, at);
      record({ kind, id });
      return {
        id,
        kind,
        updatedAt,
        publicationStatus: publicationStatus(group, now),
        ...edit,
      };
    },
  });
}

const memberKinds = {
  boxset: ['movie_set', 'show_set', 'collection_set'],
  loadout: ['game_set'],
} as const satisfies Record<GroupReceipt['kind'], readonly string[]>;

/** Requires each Set to be the caller's, named once, of the right kind and in no other group. */
function requireMembers(
  database: Database,
  caller: Caller,
  kind: GroupReceipt['kind'],
  setIds: readonly number[],
  groupId: number | null,
): void {
  for (const [index, setId] of setIds.entries()) {
    const at = ['setIds', String(index)];
    if (setIds.indexOf(setId) !== index) {
      throw refusal(422, 'group.set_repeated', `Set ${setId} is named twice.`, at);
    }
    const set = ownedRow(database, caller, 'set', setId, at);
    const kinds: readonly string[] = memberKinds[kind];
    if (!kinds.includes(set.text('kind'))) {
      throw refusal(422, 'group.set_kind', `A ${kind} has no ${set.text('kind')}.`, at, { kinds });
    }
    const held = set.integerOrNull('group_id');
    if (held !== null && held !== groupId) {
      throw refusal(409, 'group.set_taken', `Set ${setId} is in group ${held}.`, at, { groupId: held });
    }
  }
}
