import { type Answers, type Displaced, withAnswers } from './answers.ts';
import { countsOf } from './counts.ts';
import { plannedFilesOf } from './expand.ts';
import { requireOwnPart } from './require-own-part.ts';
import { type Plan, planAgain } from './plan.ts';
import type { FoundPlan, PlanStore } from './store.ts';
import { ArtworkError } from '../../errors.ts';
import type { EditedItem } from '../../mutations/arguments.ts';
import type { Warning } from '../../mutations/evidence.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import { nextStatus } from '../../mutations/next-calls.ts';
import type { PlannedFiles } from '../../mutations/operations/submission-plan.ts';

/**
 * A plan that a mutation is made of.
 * @throws ArtworkError `not_found`
 */
export function openPlan(
  planId: string,
  clientMutationId: string,
  store: PlanStore,
  mutations: Pick<Mutations, 'isKnown'>,
): Promise<FoundPlan> {
  return store.find(planId).catch((error: unknown) => gone(error, clientMutationId, mutations));
}

type Item = Pick<EditedItem, 'targetKind' | 'targetId' | 'slot' | 'file'> &
  Partial<Pick<EditedItem, 'operation'>>;

/**
 * What is sent of a plan, with what the call names beside it.
 * @param items the plan's own
 * @throws ArtworkError `invalid_arguments` where it sends nothing, or names what the plan does not hold
 */
export function itemsToSend<Named extends Item>(
  found: FoundPlan,
  items: readonly Named[],
  answers: Answers<Named>,
): { readonly items: readonly Named[]; readonly planned: PlannedFiles } {
  const again = planAgain(found.plan.asked);
  const all = withAnswers(found.plan, items, plannedFilesOf(found), answers);
  requireOwnPart(found, all.answered, all.items.length);
  if (all.items.length > 0) {
    return {
      items: all.items,
      planned: {
        files: all.files,
        again,
        warnings: [...leftOut(found.plan, all.answered), ...displaced(all.displaced)],
      },
    };
  }
  throw new ArtworkError(
    'invalid_arguments',
    `No file of this plan is sent so: give what the person says of its files as ${answers.list} beside planId, leave fewer out (leaveOut), or plan again.`,
    { issues: [{ code: 'plan', message: 'sends nothing', path: ['planId'] }], next: again },
  );
}

/** An earlier call may have made the mutation of it while it was still kept. */
async function gone(
  error: unknown,
  clientMutationId: string,
  mutations: Pick<Mutations, 'isKnown'>,
): Promise<never> {
  if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
  if (!(await mutations.isKnown(clientMutationId))) throw error;
  const { category, message, code } = error;
  const next = nextStatus(
    clientMutationId,
    'An earlier call under this id was made: this tells what became of it.',
  );
  throw new ArtworkError(category, message, { code, next, cause: error });
}

/** The error of a call that leaves files out although it names no plan. */
export function leaveOutWithoutPlanError(): ArtworkError {
  return new ArtworkError('invalid_arguments', 'leaveOut is for the files of a plan: give its planId.', {
    issues: [{ code: 'plan', message: 'needs planId', path: ['leaveOut'] }],
  });
}

/** The error of a plan that is for something else, or of none. */
export function wrongPlanError(message: string): ArtworkError {
  return new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'plan', message: 'for something else', path: ['planId'] }],
  });
}

/** How many files are named. */
const mostNamed = 20;

function displaced(files: readonly Displaced[]): readonly Warning[] {
  const told = files.slice(0, mostNamed).map(({ file, by }) => {
    const message = `${file} is left out, since ${by ?? 'what this call names'} takes its place.`;
    return { code: 'displaced', message };
  });
  const more = files.length - told.length;
  if (more === 0) return told;
  const message = `${more} more files of the plan are left out, since others take their places.`;
  return [...told, { code: 'displaced', message }];
}

function leftOut(plan: Plan, answered: ReadonlySet<string>): readonly Warning[] {
  const entries = plan.entries.filter((entry) => !('path' in entry && answered.has(entry.path)));
  const { problems, ambiguous, unmatched } = countsOf({ ...plan, entries });
  const words = [
    ...(ambiguous === 0 ? [] : [`${ambiguous} that are ambiguous`]),
    ...(unmatched === 0 ? [] : [`${unmatched} that match nothing`]),
    ...(problems === 0 ? [] : [`${problems} with a problem`]),
  ];
  if (words.length === 0) return [];
  const message = `Of the folder that was planned these files are left out: ${words.join(', ')}.`;
  return [{ code: 'left_out', message }];
}
