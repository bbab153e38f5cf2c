import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import type { TargetReference } from '../../model/target.ts';
import { maxValueBytes } from '../../store/kv.ts';
import type { OwnRecords } from '../own.ts';
import { longestName, mostNames, type Plan, plan as planSchema } from './plan.ts';

/**
 * How long a plan is kept: long enough to finish tomorrow, or after a holiday, what was begun today. The store
 * takes away what is older whenever a plan is written.
 */
export const plansKeptForMs = 30 * 24 * 60 * 60_000;

/** A name stays a work's own; what nothing asks for in a year is forgotten. */
const namesKeptForMs = 365 * 24 * 60 * 60_000;

/** Characters of JSON that all plans of one user and service may take: hundreds of usual ones. */
const mostShelved = 64 * 1024 * 1024;

export type PlanStore = ReturnType<typeof createPlanStore>;

export type Unkept = Omit<Plan, 'service' | 'user' | 'id'>;

const storedNames = z.array(z.string().min(1).max(longestName)).max(mostNames);

/**
 * Keeps plans, so that a later call can send what one of them says. What comes back is parsed: the store is not trusted.
 * @param most characters that all plans together may take; the oldest go first
 */
export function createPlanStore(records: OwnRecords, most: number = mostShelved) {
  const { service, user } = records.owner;
  return {
    /** Keeps a plan under a new id. @throws ArtworkError `invalid_arguments` where it is too large to be kept */
    async keep(made: Unkept): Promise<Plan> {
      const whole: Plan = { id: randomUUID(), service, user, ...made };
      await makeRoomFor(records, { id: whole.id, size: sizeOf(whole) }, most);
      await records.set(whole.id, whole, plansKeptForMs);
      return whole;
    },
    /** @throws ArtworkError `not_found` for what was never kept here for this account, or not any more */
    async find(planId: string): Promise<Plan> {
      const { data } = planSchema.safeParse(await records.get(planId.toLowerCase()));
      if (data === undefined || data.service !== service || data.user !== user) throw unknownPlan();
      return data;
    },
    /** Other names of a work that a change was made with; kept for the plans of later edits. */
    keepNames: (work: TargetReference, names: readonly string[]): Promise<void> =>
      records.setForUser(namesKeyFor(work), [...names], namesKeptForMs),
    async namesOf(work: TargetReference): Promise<readonly string[]> {
      // None were confirmed here, or what is stored is no list of names.
      return storedNames.safeParse(await records.get(namesKeyFor(work))).data ?? [];
    },
  };
}

function namesKeyFor({ kind, id }: TargetReference): string {
  return `confirmed names of ${kind} ${id}`;
}

/** The store takes no record that is larger; half of it leaves room for what Keyv and UTF-8 add. */
function sizeOf(plan: Plan): number {
  const text = JSON.stringify(plan);
  if (Buffer.byteLength(text) <= maxValueBytes / 2) return text.length;
  throw new ArtworkError(
    'invalid_arguments',
    'The folder holds too much for one plan: choose a folder inside it, such as one season’s.',
    { issues: [{ code: 'folder', message: 'holds too much', path: ['folder'] }] },
  );
}

function unknownPlan(): ArtworkError {
  const message =
    'There is no such plan for this user, account and service. Plans stay on their machine, for 30 days at most.';
  const why =
    'plan_set makes the plan again: ask the person for the folder, and what it is for, where they are not known.';
  return new ArtworkError('not_found', message, { code: 'plan_not_found', next: { why } });
}

const shelf = z.array(z.strictObject({ id: z.uuid(), size: z.int().min(0) }));
const shelfKey = 'shelf';

/**
 * Makes room for a plan: the oldest ones go where all together would take more than `most`. The list of them is only
 * an aid. What two processes write to it at once may be forgotten, and what is forgotten goes when its time is over.
 */
async function makeRoomFor(
  records: OwnRecords,
  plan: { readonly id: string; readonly size: number },
  most: number,
): Promise<void> {
  const all = [...(shelf.safeParse(await records.get(shelfKey)).data ?? []), plan];
  let size = all.reduce((sum, each) => sum + each.size, 0);
  const kept = all.filter((each) => {
    const stays = size <= most || each === plan;
    if (!stays) size -= each.size;
    return stays;
  });
  await records.set(shelfKey, kept, plansKeptForMs);
  for (const { id } of all.filter((each) => !kept.includes(each))) await records.remove(id);
}
