import { type Plan, planAgain } from './plan.ts';
import type { PlanStore } from './store.ts';
import type { Call } from '../../catalogue/client.ts';
import type { Owned } from '../../catalogue/owned/owned.ts';
import { isOutdated } from '../sets/outdated.ts';
import { readOwnSet } from '../sets/own-set.ts';
import { ArtworkError } from '../../errors.ts';
import { MutationError } from '../../mutations/mutation-error.ts';
import type { MutationResult } from '../../mutations/result.ts';

/** What is asked where something is not as a plan saw it. */
interface PlanReads {
  readonly store: PlanStore;
  readonly owned: Pick<Owned, 'readSet'>;
  call(): Call;
}

/**
 * A mutation that is made of a plan: where something is not as the plan saw it, what helps is a new plan. Where the
 * Set is still what it was, a new one would be the same, and the error leads where it does without a plan.
 * @throws ArtworkError as the mutation, with another `next`
 */
export async function ofPlan(
  plan: Plan,
  reads: PlanReads,
  mutation: Promise<MutationResult>,
): Promise<MutationResult> {
  try {
    const result = await mutation;
    await keepNames(plan, result, reads.store);
    return result;
  } catch (error) {
    if (!(error instanceof MutationError) || !isOfRevisions(error)) throw error;
    if (plan.set !== null && !(await hasChanged(plan, plan.set.id, reads))) throw error;
    const { category, message, code, status, details, issues, clientMutationId, outcome } = error;
    const why =
      'Something is not as it was planned: this plans anew, with what is there now. What a person has answered is given again beside the new planId.';
    const next = { ...planAgain(plan.asked), why };
    const facts = { code, status, details, issues, next, clientMutationId, outcome, cause: error };
    throw new MutationError(category, message, facts);
  }
}

/** A change was made with these names of the work, so the person has confirmed them; a dry run or a failure confirms none. */
async function keepNames(
  { asked, entry }: Plan,
  { outcome }: MutationResult,
  store: PlanStore,
): Promise<void> {
  const { alsoCalled } = asked;
  if (!Array.isArray(alsoCalled) || !['succeeded', 'partial', 'processing'].includes(outcome)) return;
  try {
    await store.keepNames(entry, alsoCalled);
  } catch (error) {
    // The change is made, whatever becomes of its names: a later plan asks for them again.
    if (!(error instanceof ArtworkError)) throw error;
  }
}

/** What another mutation of one's own holds, and an id that is taken, are no matter of the plan. */
function isOfRevisions({ category, details }: MutationError): boolean {
  if (category === 'stale_revision') return true;
  return category === 'conflict' && details?.heldBy === undefined && details?.earlierSubmission === undefined;
}

async function hasChanged(plan: Plan, setId: number, { owned, call }: PlanReads): Promise<boolean> {
  try {
    return isOutdated(plan, await readOwnSet(owned, setId, call()));
  } catch (error) {
    // Then no plan could be made now either.
    if (error instanceof ArtworkError) return false;
    throw error;
  }
}
