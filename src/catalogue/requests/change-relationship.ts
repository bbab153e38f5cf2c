import { z } from 'zod';
import { relationshipChange } from '../assumed.ts';
import { path } from '../path.ts';
import { clientMutationId, extra, targetKind } from './fields.ts';
import { type JsonRequest, jsonRequest } from './request.ts';

export const relationshipToChange = z.strictObject({
  clientMutationId,
  targetKind,
  /** A person's may be a name. */
  targetId: z.union([z.int().min(0), z.string().min(1).max(200)]),
  relationship: z.enum(['follow', 'hide', 'clear']),
  extra,
});

export type RelationshipToChange = z.output<typeof relationshipToChange>;

/** Interface document, Relationships: follow, hide, or clear. The body is assumed. */
export function changeRelationshipRequest(change: RelationshipToChange): JsonRequest {
  return jsonRequest(path`/me/relationships`, relationshipChange(change), {
    needed: { allOf: ['relationships:write'] },
    identity: 'assumed',
  });
}
