import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { OwnRecords } from '../../storage/records.ts';
import type { NamedSet } from './audit-set.ts';

const kept = z.object({
  version: z.literal(1),
  sets: z.array(z.object({ kind: z.string().nullable(), id: z.int() })),
});

/** Long enough to go on tomorrow. */
const keptForMs = 2 * 24 * 60 * 60_000;

/**
 * Keeps the Sets of an audit of several pages from page to page: a list that is made anew may be another by then.
 */
export function auditLists(records: OwnRecords) {
  return {
    /** @returns the id */
    async keep(sets: readonly NamedSet[]): Promise<string> {
      const id = randomUUID();
      await records.set(id, { version: 1, sets: sets.map((set) => ({ ...set })) }, keptForMs);
      return id;
    },
    /** Null: it is not kept any more. */
    async find(id: string): Promise<readonly NamedSet[] | null> {
      const found = kept.safeParse(await records.get(id));
      return found.success ? found.data.sets : null;
    },
  };
}
