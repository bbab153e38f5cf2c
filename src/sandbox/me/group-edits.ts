import type { Caller } from '../access/caller.ts';
import { editGroup, type GroupEdit, storeGroup } from '../artwork/groups.ts';
import type { Answer } from '../http.ts';
import type { Database } from '../store/database.ts';
import { publicationStatus } from './assets.ts';
import { groupEditBody, type MutationReceipt, newGroupBody } from './assumed.ts';
import { checked } from './checked.ts';
import { recordEffect } from './effects.ts';
import { groupKind } from './groups.ts';
import { mutate } from './mutate.ts';
import { ownedRow } from './owned.ts';
import { type OwnerSide, publicFrom } from './owner-side.ts';
import { invalid, refused, stale } from './protected-error.ts';

interface GroupReceipt extends MutationReceipt {
  readonly id: number;
  readonly kind: 'boxset' | 'loadout';
}

/** POST /me/groups (the interface document, Groups; its body is assumed). */
export function createGroup(side: OwnerSide, caller: Caller, given: unknown): Answer {
  const { clientMutationId, family, ...group } = checked(newGroupBody, given);
  const kind = family === 'game' ? 'loadout' : group.kind;
  if (family === 'media' && kind === 'loadout') throw invalid('A Loadout is of the family game.');
  const { database } = side;
  const identity = { operation: 'group.create', clientMutationId };
  return mutate(side, caller, {
    ...identity,
    asks: { ...group, kind },
    success: 201,
    apply(now): GroupReceipt {
      const at = now.toISOString();
      requireMembers(database, caller, kind, group.setIds, null);
      const id = storeGroup(database, {
        ...group,
        kind,
        ownerId: caller.accountId,
        createdAt: at,
        publicFrom: publicFrom(side, now),
      });
      recordEffect(database, caller, { ...identity, resource: { kind, id } }, at);
      const row = database.only('SELECT public_from FROM groups WHERE id = ?', id);
      return { ...identity, id, kind, updatedAt: at, publicationStatus: publicationStatus(row, now) };
    },
  });
}

/** POST /me/groups/{groupId} (the interface document, Groups; its body is assumed). */
export function changeGroup(side: OwnerSide, caller: Caller, id: number, given: unknown): Answer {
  const { clientMutationId, expectedUpdatedAt, ...edit } = checked(groupEditBody, given);
  if (Object.keys(edit).length === 0) {
    throw invalid('Send title, description, languageCode or setIds: there is nothing to change.');
  }
  const { database } = side;
  const identity = { operation: 'group.edit', clientMutationId };
  return mutate(side, caller, {
    ...identity,
    asks: { id, expectedUpdatedAt, ...edit },
    success: 200,
    apply(now): GroupReceipt & GroupEdit {
      const at = now.toISOString();
      const group = ownedRow(database, caller, 'group', id);
      const kind = groupKind(group);
      const current = group.text('updated_at');
      if (current !== expectedUpdatedAt) throw stale(`Group ${id}`, expectedUpdatedAt, current);
      if (edit.setIds !== undefined) requireMembers(database, caller, kind, edit.setIds, id);
      const updatedAt = editGroup(database, id, edit, at);
      recordEffect(database, caller, { ...identity, resource: { kind, id } }, at);
      return {
        ...identity,
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

/** Sees to it that these are the caller's Sets, each once, of the right kind and in no other group. */
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
      throw refused(422, 'group.set_repeated', `Set ${setId} is named twice.`, at);
    }
    const set = ownedRow(database, caller, 'set', setId, at);
    const kinds: readonly string[] = memberKinds[kind];
    if (!kinds.includes(set.text('kind'))) {
      throw refused(422, 'group.set_kind', `A ${kind} has no ${set.text('kind')}.`, at, { kinds });
    }
    const held = set.integerOrNull('group_id');
    if (held !== null && held !== groupId) {
      throw refused(409, 'group.set_taken', `Set ${setId} is in group ${held}.`, at, { groupId: held });
    }
  }
}
