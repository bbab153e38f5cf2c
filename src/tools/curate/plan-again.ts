import type { Plan } from '../../curation/plan/plan.ts';
import type { Next } from '../../errors.ts';

/** The call that makes a plan anew, of the folder as it is then. */
export function planAgain(asked: Plan['asked']): Next & { readonly tool: string } {
  return { tool: 'plan_set', arguments: asked, why: 'It reads the folder as it is now, and plans anew.' };
}
