import { countsOf } from '../../curation/plans/counts.ts';
import { plannedFilesOf } from '../../curation/plans/expand.ts';
import type { Plan } from '../../curation/plans/plan.ts';
import { createPlanStore, type FoundPlan } from '../../curation/plans/store.ts';
import { ArtworkError } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';
import type { PlannedFiles } from '../../mutations/mutations.ts';
import type { Warning } from '../../mutations/result.ts';
import { planAgain } from './plan-again.ts';

export interface OpenedPlan {
  readonly found: FoundPlan;
  /** What a mutation has to know of it. */
  readonly planned: PlannedFiles;
}

/**
 * A plan that a mutation is made of.
 * @throws ArtworkError `not_found`; `invalid_arguments` where it sends nothing
 */
export async function openPlan(planId: string, context: Context): Promise<OpenedPlan> {
  const { records } = await context.account();
  const found = await createPlanStore(await records('plans')).find(planId);
  const again = planAgain(found.plan.asked);
  if (found.items.length === 0) {
    throw new ArtworkError('invalid_arguments', 'No file of this plan can be sent: plan again.', {
      issues: [{ code: 'plan', message: 'sends nothing', path: ['planId'] }],
      next: again,
    });
  }
  return { found, planned: { files: plannedFilesOf(found), again, warnings: leftOut(found.plan) } };
}

/** @throws nothing; makes the error of a plan that is for something else, or of none */
export function wrongPlan(message: string): ArtworkError {
  return new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'plan', message: message.slice(0, 300), path: ['planId'] }],
  });
}

function leftOut(plan: Plan): readonly Warning[] {
  const { problems, ambiguous, unmatched } = countsOf(plan);
  const words = [
    ...(ambiguous === 0 ? [] : [`${ambiguous} that are ambiguous`]),
    ...(unmatched === 0 ? [] : [`${unmatched} that match nothing`]),
    ...(problems === 0 ? [] : [`${problems} with a problem`]),
  ];
  if (words.length === 0) return [];
  const message = `Of the folder that was planned these files are left out: ${words.join(', ')}.`;
  return [{ code: 'left_out', message }];
}
