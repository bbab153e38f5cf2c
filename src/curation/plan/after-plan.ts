import { z } from 'zod';
import { ArtworkError, type Next } from '../../errors.ts';
import { mediaSetTargets } from '../../model/kinds.ts';
import { countOf } from '../../model/words.ts';
import { askStatus, goOnWith } from '../../mutations/answer/next.ts';
import type { ListedMutation } from '../../mutations/answer/result.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import { deriveUuid } from '../../mutations/operations/items.ts';
import { withArticle } from '../../text.ts';
import type { Plan } from './plan.ts';
import { lacksOfPlan, type PlanCounts, questionsOfPlan, whyNothingIsSent } from './questions.ts';

/** One plan is one change, however often its pages are read. */
function mutationOf(planId: string): string {
  return deriveUuid(planId, 'mutation');
}

/** What follows a plan: the dry run of what it is for, or a person. */
export function afterPlan(
  plan: Plan,
  counts: PlanCounts,
  languageCode: string,
  { unfinished, made }: SameWork,
): Next {
  const next = ofPlan(plan, counts, languageCode);
  const why = [
    unfinished.length > 0 &&
      'A mutation for the same work was begun and has not ended (unfinished): the person says first whether resume_mutation should finish that one.',
    made.length > 0 &&
      'There is a Set of the same work already (made): the person says first whether this is to be one more, or that one is to be edited; then plan again with its setId.',
    next.why,
  ];
  return { ...next, why: why.filter((words) => words !== false).join(' ') };
}

function ofPlan(plan: Plan, counts: PlanCounts, languageCode: string): Next {
  if (counts.toSend === 0) return { why: whyNothingIsSent(plan, counts) };
  if (plan.set !== null) return edit(plan, plan.set, counts);
  return mediaSetTargets.some((kind) => kind === plan.work.kind)
    ? creation(plan, counts, languageCode)
    : {
        why: `There is no media Set for ${withArticle(plan.work.kind)}. The person says in which Talent, Brand or Category Set these belong (create_grouping_set makes one); then plan again with its setId.`,
      };
}

function creation(plan: Plan, counts: PlanCounts, languageCode: string): Next {
  const { id: planId, work } = plan;
  const open = [
    ...questionsOfPlan(plan, counts),
    "the Set's title, its language, and whether it is complete (finalised)",
  ];
  return {
    tool: 'create_media_set',
    arguments: {
      ...{ clientMutationId: mutationOf(planId), expectedUpdatedAt: 'none', dryRun: true },
      ...{ entryTargetKind: work.kind, entryTargetId: work.id },
      titleBase: work.title === '' ? `${work.kind} ${work.id}` : work.title.slice(0, 500),
      ...{ languageCode, finalised: false, planId },
    },
    why: whyOf(counts, countOf(counts.toSend, 'file'), open),
    doNot,
  };
}

function edit(plan: Plan, set: NonNullable<Plan['set']>, counts: PlanCounts): Next {
  const { id: planId } = plan;
  const { add = 0, replace = 0 } = counts;
  const what = [
    ...(add === 0 ? [] : [`${countOf(add, 'file')} to add`]),
    ...(replace === 0 ? [] : [`${countOf(replace, 'file')} to replace what the Set has`]),
  ];
  const last = replace === 0 ? 'whether all that should be added' : 'whether all that should be replaced';
  return {
    tool: 'edit_set',
    arguments: {
      ...{ clientMutationId: mutationOf(planId), expectedUpdatedAt: set.updatedAt, dryRun: true },
      ...{ setId: set.id, setKind: set.setKind, planId },
    },
    why: whyOf(counts, what.join(', '), [...questionsOfPlan(plan, counts), last]),
    doNot,
  };
}

const doNot = 'make the real call before the person has answered: it is refused while the plan asks';

function whyOf(counts: PlanCounts, what: string, open: readonly string[]): string {
  return `Shows what would be sent: ${what}.${lacksOfPlan(counts)} Before the real call the person decides: ${open.join('; ')}.`;
}

interface SameWork {
  readonly unfinished: readonly UnfinishedMutation[];
  readonly made: readonly MadeSet[];
}

/** A Set in the making, or the edit of one, that has not ended. */
interface UnfinishedMutation {
  readonly clientMutationId: string;
  readonly operation: string;
  readonly title?: string;
  readonly begun: string;
  /** A process works on it at this moment. */
  readonly live: boolean;
  readonly next?: Next;
}

/** A Set of the same work that this machine made for the account. */
interface MadeSet {
  readonly setId: number;
  readonly title: string;
  readonly outcome: string;
  /** ISO 8601. */
  readonly made: string;
}

const createdTarget = z.looseObject({
  entryTargetKind: z.string(),
  entryTargetId: z.int(),
  title: z.string(),
});
const editedTarget = z.looseObject({ id: z.int() });

/** How far back each outcome is looked for. */
const recent = 200;
/** How many of each are told, the newest first. */
const mostTold = 5;

/**
 * Finds the mutations of the same work, or of the same Set, that have not ended, so that the caller resumes one instead
 * of making another; and the Set that was made of the work before, since most often that one is to be changed. Nothing
 * where no account is connected.
 * @param mayResume whether the settings offer the tool that goes on with one
 */
export async function sameWork(
  plan: Plan,
  mutations: Pick<Mutations, 'list'>,
  mayResume: boolean,
): Promise<SameWork> {
  try {
    const list = async (standing: 'open' | 'succeeded' | 'partial') =>
      (await mutations.list({ standing, limit: recent })).mutations;
    const [open, succeeded, partial] = await Promise.all([list('open'), list('succeeded'), list('partial')]);
    return {
      unfinished: unfinishedOf(plan, open, mayResume),
      made: madeBefore(plan, [...succeeded, ...partial]),
    };
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.failure === 'not_connected' || error.failure === 'reconnect_required') {
      return { unfinished: [], made: [] };
    }
    throw error;
  }
}

function unfinishedOf({ work, set }: Plan, open: readonly ListedMutation[], mayResume: boolean) {
  return open
    .flatMap((mutation): UnfinishedMutation[] => {
      const { clientMutationId, operation, createdAt: begun, live, target } = mutation;
      const told = { clientMutationId, operation, begun, live };
      if (operation === 'create_media_set') {
        const made = createdTarget.safeParse(target);
        if (!made.success) return [];
        const { entryTargetKind, entryTargetId, title } = made.data;
        if (entryTargetKind !== work.kind || entryTargetId !== work.id) return [];
        return [{ ...told, title, ...(mayResume ? { next: goOn(mutation) } : {}) }];
      }
      if (operation !== 'edit_set' || set === null || editedTarget.safeParse(target).data?.id !== set.id)
        return [];
      return [{ ...told, next: askStatus(clientMutationId, notFinished) }];
    })
    .slice(0, mostTold);
}

const notFinished = 'It is not finished: this tells how it goes on.';

/** What creates something has no revision. */
function goOn({ clientMutationId, live }: ListedMutation): Next {
  if (live) return askStatus(clientMutationId, notFinished);
  return goOnWith(
    { id: clientMutationId, expectedUpdatedAt: null },
    'This goes on with what was begun before.',
  );
}

function madeBefore({ work, set }: Plan, done: readonly ListedMutation[]): MadeSet[] {
  if (set !== null) return [];
  return [...done]
    .sort((one, other) => (one.recordedAt < other.recordedAt ? 1 : -1))
    .flatMap(({ operation, outcome, id, target, recordedAt: made }): MadeSet[] => {
      const parsed = createdTarget.safeParse(target);
      const setId = id?.id;
      if (operation !== 'create_media_set' || typeof setId !== 'number' || !parsed.success) return [];
      const { entryTargetKind, entryTargetId, title } = parsed.data;
      return entryTargetKind === work.kind && entryTargetId === work.id
        ? [{ setId, title, outcome, made }]
        : [];
    })
    .slice(0, mostTold);
}
