import type { Owned } from '../../catalogue/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { keyOfPlace } from '../../model/target.ts';
import { askStatus } from '../../mutations/answer/next.ts';
import { MutationError, type MutationResult } from '../../mutations/answer/result.ts';
import type { PlannedFiles } from '../../mutations/before/files.ts';
import type { Warning } from '../../mutations/change.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import { cleanText } from '../../text.ts';
import { type Answers, type Displaced, type EditedItem, plannedFilesOf, withAnswers } from './items.ts';
import { type HeldSet, readHeldSet } from './own-set.ts';
import { itemsOf, type Plan, planAgain } from './plan.ts';
import { countsOf } from './questions.ts';
import type { PlanPart, PlanStore } from './store.ts';

/**
 * A plan that a mutation is made of.
 * @throws ArtworkError `not_found`
 */
export async function openPlan(
  planId: string,
  clientMutationId: string,
  store: PlanStore,
  mutations: Pick<Mutations, 'isKnown'>,
): Promise<PlanPart> {
  try {
    return await store.find(planId);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    // An earlier call may have made the mutation of it while it was still kept.
    if (!(await mutations.isKnown(clientMutationId))) throw error;
    const { category, message, code } = error;
    const why = 'A call was made under this id while the plan was kept: this tells what became of it.';
    const next = askStatus(clientMutationId, why);
    throw new ArtworkError(category, message, { code, next, cause: error });
  }
}

type Item = Pick<EditedItem, 'targetKind' | 'targetId' | 'slot' | 'file'> &
  Partial<Pick<EditedItem, 'operation'>>;

/**
 * What is sent of a plan, with what the call names beside it.
 * @param items the plan's own
 * @throws ArtworkError `invalid_arguments` where it sends nothing, or names what the plan does not hold
 */
export function itemsToSend<Named extends Item>(
  found: PlanPart,
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

/**
 * Of a plan in parts, what is said of a file goes with the part that sends it, and only as much as one part takes.
 * @param answered the files that a call says something of
 * @param items how many the call would send
 * @throws ArtworkError `invalid_arguments` that names the part
 */
export function requireOwnPart({ plan, part }: PlanPart, answered: ReadonlySet<string>, items: number): void {
  const { parts, perPart } = plan;
  if (parts.length === 1) return;
  const sent = itemsOf(plan);
  const at = sent.findIndex(
    (entry, place) => Math.floor(place / perPart) !== part && answered.has(entry.path),
  );
  const other = sent[at];
  if (other !== undefined) {
    const own = Math.floor(at / perPart);
    throw wrongPart(
      `${cleanText(other.path)} is sent by part ${own + 1} of this plan: what is said of it, or of its place, goes beside the planId ${parts[own]}.`,
    );
  }
  if (items <= perPart) return;
  const last = parts.length - 1;
  const where =
    sent.length - last * perPart < perPart && last !== part
      ? `beside the planId of the last part, ${parts[last]}`
      : 'in an edit of their own, after the parts of this plan';
  throw wrongPart(`One edit takes ${perPart} items, and these are ${items}: give further files ${where}.`);
}

function wrongPart(message: string): ArtworkError {
  return new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'part', message: message.slice(0, 300), path: ['planId'] }],
  });
}

/** What is asked where something is not as a plan saw it. */
interface PlanReads {
  readonly store: PlanStore;
  readonly owned: Pick<Owned, 'readSet'>;
  readonly deadline: Deadline;
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

async function hasChanged(plan: Plan, setId: number, { owned, deadline }: PlanReads): Promise<boolean> {
  try {
    return isOutdated(plan, await readHeldSet(owned, setId, deadline));
  } catch (error) {
    // Then no plan could be made now either.
    if (error instanceof ArtworkError) return false;
    throw error;
  }
}

/** Whether a Set, as it is now, is another than the one that a plan edits: then a new plan would be another too. */
export function isOutdated(
  plan: Plan,
  { revision, pictures }: Pick<HeldSet, 'revision' | 'pictures'>,
): boolean {
  if (plan.set?.updatedAt !== revision) return true;
  return itemsOf(plan).some(({ place, change }) => {
    const held = pictures.filter((picture) => keyOfPlace(picture) === keyOfPlace(place));
    if (change.operation !== 'replace') return held.length > 0;
    const before = held.find(({ assetId }) => assetId === change.expectedPreviousAssetId.toLowerCase());
    // Where the Set shows no revision of it, a new plan reads the Asset itself, as the guard does.
    return before === undefined || before.changedAt !== change.expectedAssetUpdatedAt;
  });
}
