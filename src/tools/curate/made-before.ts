import { z } from 'zod';
import type { Plan } from '../../curation/plan/plan.ts';
import type { RecentMutations } from './recent-mutations.ts';

/** A Set of the same work that this machine made for the account. */
export interface MadeSet {
  readonly setId: number;
  readonly title: string;
  readonly outcome: string;
  /** ISO 8601. */
  readonly made: string;
}

const creation = z.looseObject({
  entryTargetKind: z.string(),
  entryTargetId: z.int(),
  title: z.string(),
});

/** How many are told, the newest first. */
const mostTold = 5;

/** What was made of the same work before: most often it is that Set that is to be changed. */
export function madeBefore({ work, set }: Plan, { succeeded, partial }: RecentMutations): MadeSet[] {
  if (set !== null) return [];
  return [...succeeded, ...partial]
    .sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
    .flatMap(({ operation, outcome, id, target, updatedAt: made }): MadeSet[] => {
      const parsed = creation.safeParse(target);
      const setId = id?.id;
      if (operation !== 'create_media_set' || typeof setId !== 'number' || !parsed.success) return [];
      const { entryTargetKind, entryTargetId, title } = parsed.data;
      return entryTargetKind === work.kind && entryTargetId === work.id
        ? [{ setId, title, outcome, made }]
        : [];
    })
    .slice(0, mostTold);
}
