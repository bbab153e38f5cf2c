import { z } from 'zod';
import { path } from '../path.ts';
import { idAt, type Json, recordAt, textAt } from './read-member.ts';

/** A follow or a hide. Its fields are not shown (interface document, Protected-side records). */
export const relationship = {
  path: path`/me/relationships`,
  needed: { allOf: ['relationships:write'] },
  schema: z.looseObject({}),
} as const;

export type Relationship = z.infer<typeof relationship.schema>;

export interface RelationshipTarget {
  readonly targetKind: string;
  readonly targetId: string | number;
}

/**
 * The relationship to a target, in whichever of the likely ways a record names it: `targetKind` and
 * `targetId`, or `target` with `kind` and `id`. Null when none names it, which is what clearing leaves.
 */
export function findRelationship(
  relationships: readonly Relationship[],
  { targetKind, targetId }: RelationshipTarget,
): Relationship | null {
  const found = relationships.find((one) => {
    const target = recordAt(one, 'target');
    const kind = textAt(one, 'targetKind') ?? textAt(target, 'kind');
    const id = idAt(one, 'targetId') ?? idAt(target, 'id');
    return kind === targetKind && id === String(targetId);
  });
  return found ?? null;
}

/** `follow`, `hide`, or the service's own word for it; null where the record does not say. */
export function relationshipState(record: Json): string | null {
  return textAt(record, 'relationship', 'state', 'type', 'kind', 'listedUnder');
}
