import { randomUUID } from 'node:crypto';
import { ArtworkError } from '../../errors.ts';
import { maxValueBytes } from '../../storage/atomic-store.ts';
import type { OwnRecords } from '../../storage/records.ts';
import type { Work } from '../matching/targets.ts';
import { confirmedNames, keepConfirmedNames } from './confirmed-names.ts';
import { makeRoomForPlan } from './make-room.ts';
import { itemsOf, type Plan, plan as planSchema, planPart, type SentEntry } from './plan.ts';

/**
 * How long a plan is kept: long enough to finish tomorrow, or after a holiday, what was begun today. The store
 * takes away what is older whenever a plan is written.
 */
export const plansKeptForMs = 30 * 24 * 60 * 60_000;

/** Characters of JSON that all plans of one user and service may take: hundreds of usual ones. */
const mostShelved = 64 * 1024 * 1024;

/** A plan, and the part of it that an id stands for. */
export interface FoundPlan {
  readonly plan: Plan;
  /** Where the plan is in parts: which, from 0. */
  readonly part: number;
  /** What this part sends, in its order. */
  readonly items: readonly SentEntry[];
}

export interface PlanStore {
  /**
   * Keeps a plan under new ids.
   * @param perPart most items in one part; more are more parts
   * @returns the plan, with the id of each part
   */
  keep(made: UnkeptPlan, perPart: number): Promise<Plan>;
  /** Other names of a work that a change was made with; kept for the plans of later edits. */
  keepNames(work: Pick<Work, 'kind' | 'id'>, names: readonly string[]): Promise<void>;
  namesOf(work: Pick<Work, 'kind' | 'id'>): Promise<readonly string[]>;
  /** @throws ArtworkError `not_found` for what was never kept here for this service and user, or not any more */
  find(planId: string): Promise<FoundPlan>;
}

export type UnkeptPlan = Omit<Plan, 'version' | 'service' | 'user' | 'parts' | 'perPart'>;

/**
 * Keeps plans, so that a later call can send what one of them says.
 * @param most characters that all plans together may take; the oldest go first
 */
export function createPlanStore(records: OwnRecords, most: number = mostShelved): PlanStore {
  const { service, user } = records.owner;
  const head = { version: 1, service, user } as const;
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
    async keep(made, perPart) {
      const items = itemsOf(made).length;
      const count = Math.max(1, Math.ceil(items / perPart));
      const parts = Array.from({ length: count }, () => randomUUID());
      const [first = randomUUID(), ...others] = parts;
      const whole: Plan = { ...head, ...made, parts, perPart };
      await makeRoomForPlan(records, { ids: [first, ...others], size: sizeOf(whole) }, most, plansKeptForMs);
      await records.set(first, whole, plansKeptForMs);
      for (const [index, id] of others.entries()) {
        await records.set(id, { ...head, of: first, part: index + 1 }, plansKeptForMs);
      }
      return whole;
    },
    keepNames: (work, names) => keepConfirmedNames(records, work, names),
    namesOf: (work) => confirmedNames(records, work),
    async find(planId) {
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
    'There is no such plan for this user and service: plans are kept on the machine that made them, for 30 days at most. Make it again with plan_set, and use the planId that it answers.',
    {
      code: 'plan_not_found',
      next: {
        why: 'plan_set makes the plan again, from the folder and the id of what it is for: ask the person for the folder where it is not known, and use the planId that it answers.',
      },
    },
  );
}
