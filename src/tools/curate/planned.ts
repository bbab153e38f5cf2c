import { z } from 'zod';
import type { Plan } from '../../curation/plan/plan.ts';
import { type Item, itemsToSend, ofPlan, wrongPlanError } from '../../curation/plan/send-plan.ts';
import { createPlanStore } from '../../curation/plan/store.ts';
import type { Context } from '../../mcp/context.ts';
import type { Guarded, OperationName } from '../../mutations/operations/index.ts';
import { answerOfChange, callOf } from './change-tool.ts';

/** What both tools take beside the files that a call names itself. */
export const planArguments = {
  planId: z.uuid().optional().describe('of plan_set'),
  leaveOut: z.array(z.string().min(1).max(4_096)).max(2_000).optional().meta({
    description: 'beside planId: files that the person wants left out, as the plan shows them',
    brief: 'planned files the person wants left out',
  }),
};

interface PlannedChange {
  readonly name: OperationName;
  /** Without its files. */
  readonly args: Guarded & Readonly<Record<string, unknown>>;
  /** The argument that holds them. */
  readonly list: string;
  /** Those that the call names itself. */
  readonly given: readonly Item[] | undefined;
  readonly planId: string | undefined;
  readonly leaveOut: readonly string[] | undefined;
  /** @throws ArtworkError `invalid_arguments` where the plan is for something else */
  requireFit(plan: Plan): void;
}

/** Makes a change of a Set's files: those that the call names, those of a plan, or both. */
export async function makePlannedChange(change: PlannedChange, context: Context) {
  const { name, args, list, given, planId, leaveOut } = change;
  const { mutations, records } = await context.account();
  const call = { ...callOf(context), roots: await context.roots() };
  if (planId === undefined) {
    if (leaveOut !== undefined) throw wrongPlanError('needs planId: it names files of a plan', 'leaveOut');
    const whole = given === undefined ? args : { ...args, [list]: given };
    return answerOfChange(await mutations.perform(name, whole, call));
  }
  const plan = await createPlanStore(await records('plans')).find(planId);
  change.requireFit(plan);
  const answers = { given: given ?? [], list, leaveOut: leaveOut ?? [], dryRun: args.dryRun === true };
  const { items, planned } = itemsToSend(plan, answers);
  const made = mutations.perform(name, { ...args, [list]: items }, { ...call, planned });
  return answerOfChange(await ofPlan(plan, made));
}
