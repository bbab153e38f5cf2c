import { z } from 'zod';
import { path } from '../path.ts';
import { idAt, type JsonRecord, recordAt, textAt } from './read-member.ts';

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
 * `targetId`, or `target` with `kind` and `id`; a person perhaps by name. Null when none names it, which is
 * what clearing leaves.
 */
export function findRelationship(
  relationships: readonly Relationship[],
  wanted: RelationshipTarget,
): Relationship | null {
  const ofKind = relationships.filter((one) => {
    const kind = textAt(one, 'targetKind') ?? textAt(recordAt(one, 'target'), 'kind');
    return kind === wanted.targetKind;
  });
  const id = String(wanted.targetId);
  const byId = ofKind.find((one) => (idAt(one, 'targetId') ?? idAt(recordAt(one, 'target'), 'id')) === id);
  // An id wins over another one's name that reads like it.
  const byName = () =>
    ofKind.find((one) =>
      [textAt(one, 'username'), textAt(recordAt(one, 'target'), 'name', 'username')].includes(id),
    );
  return byId ?? byName() ?? null;
}

/** `follow`, `hide`, or the service's own word for it; null where the record does not say. */
export function stateOfRelationship(record: JsonRecord): string | null {
  return textAt(record, 'relationship', 'state', 'type', 'kind', 'listedUnder');
}
