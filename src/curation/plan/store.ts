import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import type { TargetReference } from '../../model/target.ts';
import { maxValueBytes } from '../../store/kv.ts';
import type { OwnRecords } from '../own.ts';
import {
  itemsOf,
  longestName,
  mostNames,
  type Plan,
  planPart,
  plan as planSchema,
  type SentEntry,
} from './plan.ts';

/**
 * How long a plan is kept: long enough to finish tomorrow, or after a holiday, what was begun today. The store
 * takes away what is older whenever a plan is written.
 */
export const plansKeptForMs = 30 * 24 * 60 * 60_000;

/** Characters of JSON that all plans of one user and service may take: hundreds of usual ones. */
const mostShelved = 64 * 1024 * 1024;

/** A plan, and the part of it that an id stands for. */
export interface PlanPart {
  readonly plan: Plan;
  /** Where the plan is in parts: which, from 0. */
  readonly part: number;
  /** What this part sends, in its order. */
  readonly items: readonly SentEntry[];
}

export type PlanStore = ReturnType<typeof createPlanStore>;

export type Unkept = Omit<Plan, 'service' | 'user' | 'parts' | 'perPart'>;

/**
 * Keeps plans, so that a later call can send what one of them says.
 * @param most characters that all plans together may take; the oldest go first
 */
export function createPlanStore(records: OwnRecords, most: number = mostShelved) {
  const { service, user } = records.owner;
  const whose = { service, user };
  const isOwn = (found: { service: string; user: string }) =>
    found.service === service && found.user === user;

  const load = async (planId: string): Promise<{ plan: Plan; part: number }> => {
    const stored = await records.get(planId);
    const part = planPart.safeParse(stored);
    const whole = planSchema.safeParse(part.success ? await records.get(part.data.of) : stored);
    if (!whole.success || !isOwn(whole.data)) throw unknownPlan();
    if (part.success && !isOwn(part.data)) throw unknownPlan();
    return { plan: whole.data, part: part.success ? part.data.part : 0 };
  };

  return {
    /**
     * Keeps a plan under new ids.
     * @param perPart most items in one part; more are more parts
     * @returns the plan, with the id of each part
     */
    async keep(made: Unkept, perPart: number): Promise<Plan> {
      const items = itemsOf(made).length;
      const count = Math.max(1, Math.ceil(items / perPart));
      const parts = Array.from({ length: count }, () => randomUUID());
      const [first = randomUUID(), ...others] = parts;
      const whole: Plan = { ...whose, ...made, parts, perPart };
      await makeRoomForPlan(records, { ids: [first, ...others], size: sizeOf(whole) }, most);
      await records.set(first, whole, plansKeptForMs);
      for (const [index, id] of others.entries()) {
        await records.set(id, { ...whose, of: first, part: index + 1 }, plansKeptForMs);
      }
      return whole;
    },
    /** Other names of a work that a change was made with; kept for the plans of later edits. */
    keepNames: (work: TargetReference, names: readonly string[]): Promise<void> =>
      records.setForUser(namesKeyFor(work), [...names], namesKeptForMs),
    async namesOf(work: TargetReference): Promise<readonly string[]> {
      // None were confirmed here, or what is stored is no list of names.
      return storedNames.safeParse(await records.get(namesKeyFor(work))).data ?? [];
    },
    /** @throws ArtworkError `not_found` for what was never kept here for this account, or not any more */
    async find(planId: string): Promise<PlanPart> {
      const { plan, part } = await load(planId.toLowerCase());
      const { perPart } = plan;
      return { plan, part, items: itemsOf(plan).slice(part * perPart, (part + 1) * perPart) };
    },
  };
}

/**
 * The store takes no record that is larger; half of it leaves room for what Keyv and UTF-8 add.
 * @throws ArtworkError `invalid_arguments`
 */
function sizeOf(plan: Plan): number {
  const text = JSON.stringify(plan);
  if (Buffer.byteLength(text) <= maxValueBytes / 2) return text.length;
  throw new ArtworkError(
    'invalid_arguments',
    'The folder holds too much for one plan: choose a folder inside it, such as one season’s, and plan them one after the other.',
    { issues: [{ code: 'folder', message: 'holds too much', path: ['folder'] }] },
  );
}

function unknownPlan(): ArtworkError {
  return new ArtworkError(
    'not_found',
    'There is no such plan for this user, account and service: plans are kept on the machine that made them, for 30 days at most. Make it again with plan_set, and use the planId that it answers.',
    {
      code: 'plan_not_found',
      next: {
        why: 'plan_set makes the plan again, from the folder and the id of what it is for: ask the person for the folder where it is not known, and use the planId that it answers.',
      },
    },
  );
}

/** A plan that takes room: all its ids, the whole plan's first, and the characters of its JSON. */
const shelved = z.strictObject({ ids: z.array(z.uuid()).min(1), size: z.int().min(0) });
const shelf = z.array(shelved);
type Shelved = z.output<typeof shelved>;

const shelfKey = 'shelf';

/**
 * Makes room for a plan: the oldest ones go where all together would take more than `most`. The list of them is only
 * an aid. What two processes write to it at once may be forgotten, and what is forgotten goes when its time is over.
 */
async function makeRoomForPlan(records: OwnRecords, plan: Shelved, most: number): Promise<void> {
  const parsed = shelf.safeParse(await records.get(shelfKey));
  const all = [...(parsed.success ? parsed.data : []), plan];
  let size = all.reduce((sum, each) => sum + each.size, 0);
  const kept = all.filter((each) => {
    const stays = size <= most || each === plan;
    if (!stays) size -= each.size;
    return stays;
  });
  await records.set(shelfKey, kept, plansKeptForMs);
  for (const { ids } of all.filter((each) => !kept.includes(each))) {
    for (const id of ids) await records.remove(id);
  }
}

const storedNames = z.array(z.string().min(1).max(longestName)).max(mostNames);

/** A name stays a work's own; what nothing asks for in a year is forgotten. */
const namesKeptForMs = 365 * 24 * 60 * 60_000;

function namesKeyFor({ kind, id }: TargetReference): string {
  return `confirmed names of ${kind} ${id}`;
}
