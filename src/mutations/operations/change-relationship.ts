import { z } from 'zod';
import { relationshipState } from '../../catalogue/records/relationship.ts';
import {
  relationshipToChange,
  changeRelationshipRequest as request,
} from '../../catalogue/requests/change-relationship.ts';
import { extra, targetKind } from '../../catalogue/requests/fields.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf } from './checked.ts';
import { appears } from './read-back.ts';
import { relationshipGuard, readRelationship } from '../checks/guard.ts';

const schema = z.strictObject({
  ...guarded,
  targetKind,
  targetId: z.union([z.int().min(0), z.string().min(1).max(200)]),
  relationship: z.enum(['follow', 'hide', 'clear']),
  extra,
});

/**
 * Relationships (interface document). The body is assumed, so it is never repeated; it states what shall be,
 * so what is there tells whether it came about.
 */
export function changeRelationship(given: object): Mutation {
  const args = checked(schema, given);
  const { clientMutationId, expectedUpdatedAt, targetKind, targetId, relationship } = args;
  const intent = intentOf(args);
  const { expectedUpdatedAt: _, ...body } = args;
  return {
    operation: 'change_relationship',
    clientMutationId,
    expectedUpdatedAt,
    target: { kind: targetKind, id: targetId, relationship },
    intent,
    needed: { allOf: ['relationships:write'] },
    guards: [relationshipGuard({ targetKind, targetId }, expectedUpdatedAt)],
    looksBy: 'read_back',
    saved: 'relationship',
    places: [],
    bytes: null,
    request: () => request(checked(relationshipToChange, body)),
    again: () => ({ ...intent, clientMutationId }),
    async find({ owned, call }) {
      const record = await readRelationship(owned, { targetKind, targetId }, call);
      const state = record === null ? 'clear' : relationshipState(record);
      // Lists of them are named in the plural.
      if (state === relationship || state === `${relationship}s`) {
        return appears(record, `The relationship is as it was meant to be: ${relationship}.`);
      }
      const says = `The relationship is not as it was meant to be so far (${state ?? 'of an unknown kind'}); the request may still arrive.`;
      return { found: 'nothing', by: 'read_back', says, final: false };
    },
  };
}
