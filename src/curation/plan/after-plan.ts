import { withArticle } from '../../text.ts';
import type { PlanCounts } from './counts.ts';
import { itemsOf, type Plan } from './plan.ts';
import type { Next } from '../../errors.ts';
import { deriveUuid } from '../../mutations/derive-id.ts';
import { filesInWords, lacksOfPlan, questionsOfPlan, whyNothingIsSent } from './questions.ts';
import type { SameWork } from './same-work.ts';

export interface PlanPart {
  readonly planId: string;
  readonly clientMutationId: string;
  readonly items: number;
}

/** The parts of an edit with more items than one submission takes: how many items each has. */
export function partsOf(plan: Plan): PlanPart[] {
  const items = itemsOf(plan).length;
  const { perPart } = plan;
  return plan.parts.map((planId, part) => ({
    planId,
    clientMutationId: mutationOf(planId),
    items: Math.min(perPart, items - part * perPart),
  }));
}

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
  const first = [
    ...(unfinished.length === 0
      ? []
      : [
          'A mutation for the same work was begun and has not ended (unfinished): the person says first whether resume_mutation should finish that one.',
        ]),
    ...(made.length === 0
      ? []
      : [
          'There is a Set of the same work already (made): the person says first whether this is to be one more, or that one is to be edited; then plan again with its setId.',
        ]),
  ];
  return { ...next, why: [...first, next.why].join(' ') };
}

function ofPlan(plan: Plan, counts: PlanCounts, languageCode: string): Next {
  if (counts.sent === 0) return { why: whyNothingIsSent(plan, counts) };
  if (plan.set !== null) return edit(plan, plan.set, counts);
  return plan.work.kind === 'show' ||
    plan.work.kind === 'movie' ||
    plan.work.kind === 'collection' ||
    plan.work.kind === 'game'
    ? creation(plan, counts, languageCode)
    : {
        why: `There is no media Set for ${withArticle(plan.work.kind)}. The person says in which Talent, Brand or Category Set these belong (create_grouping_set makes one); then plan again with its setId.`,
      };
}

function creation(plan: Plan, counts: PlanCounts, languageCode: string): Next {
  const {
    work,
    parts: [planId = ''],
  } = plan;
  return {
    tool: 'create_media_set',
    arguments: {
      clientMutationId: mutationOf(planId),
      expectedUpdatedAt: 'none',
      dryRun: true,
      entryTargetKind: work.kind,
      entryTargetId: work.id,
      titleBase: work.title === '' ? `${work.kind} ${work.id}` : work.title.slice(0, 500),
      languageCode,
      finalised: false,
      planId,
    },
    why: `Shows what would be sent: ${filesInWords(counts.sent)}.${lacksOfPlan(counts)} Before the real call the person decides: ${[...questionsOfPlan(plan, counts), "the Set's title, its language, and whether it is complete (finalised)"].join('; ')}.`,
    doNot: 'make the real call before the person has answered',
  };
}

function edit(plan: Plan, set: NonNullable<Plan['set']>, counts: PlanCounts): Next {
  const { add = 0, replace = 0 } = counts;
  const [planId = ''] = plan.parts;
  const what =
    replace === 0
      ? `${filesInWords(add)} to add`
      : add === 0
        ? `${filesInWords(replace)} to replace what the Set has`
        : `${filesInWords(add)} to add, ${replace} to replace what the Set has`;
  const last = replace === 0 ? 'whether all that should be added' : 'whether all that should be replaced';
  const parts =
    plan.parts.length === 1
      ? ''
      : ` This is the first of ${plan.parts.length} parts, which follow one another: each has a clientMutationId of its own, and the updatedAt that the one before left as expectedUpdatedAt.`;
  return {
    tool: 'edit_set',
    arguments: {
      clientMutationId: mutationOf(planId),
      expectedUpdatedAt: set.updatedAt,
      dryRun: true,
      setId: set.id,
      setKind: set.setKind,
      planId,
    },
    why: `Shows what would be sent: ${what}.${parts}${lacksOfPlan(counts)} Before the real call the person decides: ${[...questionsOfPlan(plan, counts), last].join('; ')}.`,
    doNot: 'make the real call before the person has answered',
  };
}
