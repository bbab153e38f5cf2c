import type { PlanCounts } from '../../curation/plans/counts.ts';
import { itemsOf, type Plan } from '../../curation/plans/plan.ts';
import type { Next } from '../../errors.ts';
import { derivedId } from '../../mutations/item-id.ts';
import type { Unfinished } from './unfinished.ts';

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
  return derivedId(planId, 'mutation');
}

/** What follows a plan: the dry run of what it is for, or a person. */
export function afterPlan(
  plan: Plan,
  counts: PlanCounts,
  languageCode: string,
  unfinished: readonly Unfinished[],
): Next {
  const next = ofPlan(plan, counts, languageCode);
  if (unfinished.length === 0) return next;
  const first =
    'Something for the same work was begun and has not ended (unfinished): the person says first whether that is to be gone on with.';
  return { ...next, why: `${first} ${next.why}` };
}

function ofPlan(plan: Plan, counts: PlanCounts, languageCode: string): Next {
  if (counts.sent === 0) return { why: whyNothing(plan, counts) };
  if (plan.set !== null) return edit(plan, plan.set, counts);
  return plan.work.kind === 'show' ||
    plan.work.kind === 'movie' ||
    plan.work.kind === 'collection' ||
    plan.work.kind === 'game'
    ? creation(plan, counts, languageCode)
    : {
        why: `There is no media Set for a ${plan.work.kind}. The person says in which Talent, Brand or Category Set these belong (create_grouping_set makes one); then plan again with its setId.`,
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
      expectedUpdatedAt: null,
      dryRun: true,
      entryTargetKind: work.kind,
      entryTargetId: work.id,
      titleBase: work.title === '' ? `${work.kind} ${work.id}` : work.title.slice(0, 500),
      languageCode,
      finalised: false,
      planId,
    },
    why: `Shows what would be sent: ${files(counts.sent)}. Before the real call the person decides${asks(plan, counts)} the Set's title, its language, and whether it is complete (finalised).`,
    doNot: 'make the real call before the person has answered',
  };
}

function edit(plan: Plan, set: NonNullable<Plan['set']>, counts: PlanCounts): Next {
  const { add = 0, replace = 0 } = counts;
  const [planId = ''] = plan.parts;
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
    why: `Shows what would be sent: ${files(add)} to add, ${replace} to replace what the Set has.${parts} Before the real call the person decides${asks(plan, counts)} whether all that should be replaced.`,
    doNot: 'make the real call before the person has answered',
  };
}

/** One answer for many files. Their names stand in the entries, which no call of ours is made of. */
function askNames({ entries }: Plan): string {
  const called = entries.filter((entry) => entry.status === 'ambiguous' && entry.called !== undefined);
  return called.length === 0
    ? ''
    : ` whether it is the work's name that ${files(called.length)} or their folders have (see ask): then plan again with alsoCalled;`;
}

/** What is left open, for a person. */
function asks(plan: Plan, { ambiguous, problems, unmatched }: PlanCounts): string {
  const { set } = plan;
  const which =
    ambiguous === 0
      ? ''
      : ` what the ambiguous files (${ambiguous}) are for, which is then given beside planId as ${answersOf(set)};`;
  const left = problems + unmatched;
  const first = askNames(plan) + which;
  return left === 0
    ? first
    : `${first} whether to go on without those that have a problem or match nothing (${left});`;
}

/** How a person's answers are given. */
function answersOf(set: Plan['set']): string {
  return set === null
    ? 'declaredFiles [{file, targetKind, targetId, slot}], file as the plan shows it, the rest from its candidates'
    : 'items [{file, ...candidate without its label}], file as the plan shows it';
}

function whyNothing(plan: Plan, { files: all, unchanged = 0, ambiguous }: PlanCounts): string {
  if (unchanged > 0) {
    return `The Set has ${unchanged === all ? 'all of it' : files(unchanged)} already, and nothing else can be sent as it is: a person looks whether anything is missing.`;
  }
  const { set } = plan;
  const names = askNames(plan);
  if (names !== '') {
    return `None of ${files(all)} can be sent as it is. The person says${names} or this is not the folder, or not the work, that was meant.`;
  }
  if (ambiguous > 0) {
    const tool = set === null ? 'create_media_set' : 'edit_set';
    return `None of ${files(all)} can be sent before the person has said what the ambiguous ones (${ambiguous}) are for: then ${tool} takes planId, and beside it ${answersOf(set)}. Or this is not the folder, or not the work, that was meant.`;
  }
  return `None of ${files(all)} can be sent: a person has to look at the problems, at what is ambiguous, or at the names; or this is not the folder, or not the work, that was meant. Then plan again.`;
}

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
