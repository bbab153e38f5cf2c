import { randomUUID } from 'node:crypto';
import { ArtworkError } from '../../errors.ts';
import type { OwnRecords } from '../own.ts';
import { unfitFolder } from './folder.ts';
import { type Plan, plan as planSchema } from './plan.ts';

/** Long enough to finish tomorrow, or after a holiday, what was begun today. */
const plansKeptForMs = 30 * 24 * 60 * 60_000;

export type PlanStore = ReturnType<typeof createPlanStore>;
export type Unkept = Omit<Plan, 'service' | 'user' | 'id'>;

/** Keeps plans, so that a later call can send what one of them says. What comes back is parsed: the store is not trusted. */
export function createPlanStore(records: OwnRecords) {
  const { service, user } = records.owner;
  return {
    /** Keeps a plan under a new id. @throws ArtworkError `invalid_arguments` where it is too large to be kept */
    async keep(made: Unkept): Promise<Plan> {
      const whole: Plan = { id: randomUUID(), service, user, ...made };
      requireFit(whole);
      await records.set(whole.id, whole, plansKeptForMs);
      return whole;
    },
    /** @throws ArtworkError `not_found` for what was never kept here for this account, or not any more */
    async find(planId: string): Promise<Plan> {
      const { data } = planSchema.safeParse(await records.get(planId.toLowerCase()));
      if (data?.service === service && data.user === user) return data;
      const message =
        'There is no such plan for this user, account and service. Plans stay on their machine, for 30 days at most.';
      const why =
        'plan_set makes the plan again. Ask the person for the folder and the work, if they are not known.';
      throw new ArtworkError('not_found', message, { code: 'plan_not_found', next: { why } });
    },
  };
}

/** A plan is read whole for each page of it. Bytes. */
const mostBytes = 8 * 1024 * 1024;

function requireFit(plan: Plan): void {
  if (Buffer.byteLength(JSON.stringify(plan)) <= mostBytes) return;
  throw unfitFolder('holds too much for one plan: plan a folder inside it, such as one season’s');
}
