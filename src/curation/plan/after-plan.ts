import { z } from 'zod';
import { ArtworkError, type Next } from '../../errors.ts';
import { mediaSetTargets } from '../../model/kinds.ts';
import { countOf } from '../../model/words.ts';
import { askStatus } from '../../mutations/answer/next.ts';
import type { ListedMutation } from '../../mutations/answer/result.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import { deriveUuid } from '../../mutations/operations/items.ts';
import { withArticle } from '../../text.ts';
import type { Plan } from './plan.ts';
import { lacksOfPlan, type PlanCounts, questionsOfPlan, whyNothingIsSent } from './questions.ts';

/** What follows a plan: the dry run of what it is for, or a person. */
export function afterPlan(
  plan: Plan,
  counts: PlanCounts,
  languageCode: string,
  { unfinished, made }: Awaited<ReturnType<typeof sameWork>>,
): Next {
  const next = nextOf(plan, counts, languageCode);
  const words = [
    unfinished.length > 0 &&
      'A change for the same work has not ended (unfinished). Ask the person first whether to finish that one.',
    made.length > 0 &&
      'There is a Set of this work already (made). Ask the person first whether to edit it: then plan again with its setId.',
    next.why,
  ];
  return { ...next, why: words.filter((one) => one !== false).join(' ') };
}

function nextOf(plan: Plan, counts: PlanCounts, languageCode: string): Next {
  const { id: planId, set, work } = plan;
  if (counts.toSend === 0) return { why: whyNothingIsSent(plan, counts) };
  // One plan is one change, however often its pages are read.
  const call = { clientMutationId: deriveUuid(planId, 'mutation'), dryRun: true };
  if (set !== null) {
    const { id: setId, setKind, updatedAt: expectedUpdatedAt } = set;
    const { add = 0, replace = 0 } = counts;
    const what = `${countOf(add, 'file')} to add, ${countOf(replace, 'file')} to replace what the Set has`;
    const last = `Ask whether all of that should be ${replace === 0 ? 'added' : 'replaced'}.`;
    const args = { ...call, expectedUpdatedAt, setId, setKind, planId };
    return { tool: 'edit_set', arguments: args, ...whyOf(plan, counts, what, last) };
  }
  if (!mediaSetTargets.some((kind) => kind === work.kind)) {
    const why = `There is no media Set for ${withArticle(work.kind)}. The person names the Talent, Brand or Category Set for these. create_grouping_set makes a new one. Then plan again with its setId.`;
    return { why };
  }
  const last = "Ask for the Set's title, its language, and whether it is complete (finalised).";
  return {
    tool: 'create_media_set',
    arguments: {
      ...{ ...call, expectedUpdatedAt: 'none', entryTargetKind: work.kind, entryTargetId: work.id },
      titleBase: work.title === '' ? `${work.kind} ${work.id}` : work.title.slice(0, 500),
      ...{ languageCode, finalised: false, planId },
    },
    ...whyOf(plan, counts, countOf(counts.toSend, 'file'), last),
  };
}

function whyOf(plan: Plan, counts: PlanCounts, what: string, last: string): Pick<Next, 'why' | 'doNot'> {
  const open = [...questionsOfPlan(plan, counts), last].join(' ');
  return {
    why: `Shows what would be sent: ${what}.${lacksOfPlan(counts)} Before the real call, a person decides. ${open}`,
    doNot:
      'make the real call before the person has answered: it is refused while the plan has open questions',
  };
}

/** How far back each outcome is looked for. */
const recent = 200;
/** How many of each are told, the newest first. */
const mostTold = 5;

/**
 * Finds the changes of the same work, or of the same Set, that have not ended, so that the caller resumes one instead of
 * making another; and the Set that was made of the work before, since most often that one is to be changed. Nothing
 * where no account is connected.
 */
export async function sameWork(plan: Plan, mutations: Pick<Mutations, 'list'>) {
  const list = async (standing: 'open' | 'succeeded' | 'partial') =>
    (await mutations.list({ standing, limit: recent })).mutations.filter((one) => isAbout(plan, one));
  try {
    const [open, succeeded, partial] = await Promise.all([list('open'), list('succeeded'), list('partial')]);
    const ended = plan.set === null ? [...succeeded, ...partial] : [];
    return {
      unfinished: open.slice(0, mostTold).map(({ clientMutationId, says, createdAt: begun, live }) => {
        const next = askStatus(clientMutationId, 'It is not finished: this tells how it goes on.');
        return { clientMutationId, says, begun, live, next };
      }),
      made: ended
        .sort((one, other) => (one.recordedAt < other.recordedAt ? 1 : -1))
        .flatMap(({ id, outcome, recordedAt: made }) =>
          typeof id?.id === 'number' ? [{ setId: id.id, title: id.title, outcome, made }] : [],
        )
        .slice(0, mostTold),
    };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.concerns !== 'account') throw error;
    return { unfinished: [], made: [] };
  }
}

const changed = z.looseObject({
  entryTargetKind: z.string().optional(),
  entryTargetId: z.int().optional(),
  id: z.int().optional(),
});

function isAbout({ work, set }: Plan, { operation, target }: ListedMutation): boolean {
  const { entryTargetKind, entryTargetId, id } = changed.safeParse(target).data ?? {};
  if (operation === 'create_media_set') return entryTargetKind === work.kind && entryTargetId === work.id;
  return operation === 'edit_set' && set !== null && id === set.id;
}
