import type { Next } from '../../errors.ts';
import { mediaSetTargets } from '../../model/kinds.ts';
import { countOf } from '../../model/words.ts';
import { deriveUuid } from '../../mutations/operations/items.ts';
import { withArticle } from '../../text.ts';
import { itemsOf, type Plan, type PlanEntry, sendableOf } from './plan.ts';

/** How many entries of a plan are what. */
type PlanCounts = Readonly<ReturnType<typeof countsOf>>;

/** How many of a plan's files are sent, asked about, left out or passed over. */
export function countsOf(plan: Plan) {
  const { entries, passed, set } = plan;
  const count = (test: (entry: PlanEntry) => boolean) => entries.filter(test).length;
  const status = (word: PlanEntry['status']) => count((entry) => entry.status === word);
  const passedOver = Object.values(passed).reduce((sum, number) => sum + number, 0);
  // Some of those that were passed over are named too, and counted once.
  const ignored = passedOver + count((entry) => entry.status === 'ignored' && !(entry.why.code in passed));
  const items = itemsOf(plan);
  const [matched, ambiguous, unmatched] = [status('matched'), status('ambiguous'), status('unmatched')];
  const operations = (word: string) => items.filter(({ change }) => change.operation === word).length;
  const later = sendableOf(plan).length - items.length;
  return {
    files: matched + ambiguous + unmatched + ignored,
    ...{ matched, ambiguous, unmatched, ignored },
    missing: status('missing'),
    problems: count((entry) => 'problem' in entry && entry.problem !== null),
    warnings: count((entry) => entry.status === 'matched' && entry.warnings.length > 0),
    toSend: items.length,
    ...(later === 0 ? {} : { later }),
    ...(set === null
      ? {}
      : {
          add: operations('add'),
          replace: operations('replace'),
          unchanged: count((entry) => entry.status === 'matched' && entry.change.operation === 'unchanged'),
        }),
  };
}

/** What follows a plan: the dry run of what it is for, or a person. */
export function afterPlan(plan: Plan, counts: PlanCounts, languageCode: string): Next {
  const { id: planId, set, work } = plan;
  const { toSend, unchanged = 0, later = 0, replace = 0 } = counts;
  const whyOf = (...words: readonly (string | false)[]) =>
    [...words, ...questionsOf(plan, counts)].filter((one) => one !== false).join(' ');
  if (toSend === 0) {
    const has = unchanged > 0 && `The Set has ${countOf(unchanged, 'file')} already.`;
    const asks = 'Nothing can be sent as it is. Ask whether this is the right folder and the right work.';
    return { why: whyOf(has, asks) };
  }
  // One plan is one change, however often its pages are read.
  const call = { clientMutationId: deriveUuid(planId, 'mutation'), dryRun: true };
  const shows = `Shows what would be sent: ${countOf(toSend, 'file')}.`;
  const more = later > 0 && `One change takes no more: plan again after it for ${countOf(later, 'file')}.`;
  const doNot = 'make the real call before the person has agreed';
  if (set !== null) {
    const { id: setId, setKind, updatedAt: expectedUpdatedAt } = set;
    const replaced = replace > 0 && `Ask whether ${countOf(replace, 'file')} may replace what the Set has.`;
    const args = { ...call, expectedUpdatedAt, setId, setKind, planId };
    return { tool: 'edit_set', arguments: args, why: whyOf(shows, more, replaced), doNot };
  }
  if (!mediaSetTargets.some((kind) => kind === work.kind)) {
    const why = `There is no media Set for ${withArticle(work.kind)}. The person names the Talent, Brand or Category Set for these. create_grouping_set makes a new one. Then plan again with its setId.`;
    return { why };
  }
  return {
    tool: 'create_media_set',
    arguments: {
      ...{ ...call, expectedUpdatedAt: 'none', entryTargetKind: work.kind, entryTargetId: work.id },
      titleBase: work.title === '' ? `${work.kind} ${work.id}` : work.title.slice(0, 500),
      ...{ languageCode, finalised: false, planId },
    },
    why: whyOf(shows, more, "Ask for the Set's title, its language, and whether it is complete (finalised)."),
    doNot,
  };
}

/** What a plan leaves open, each as a sentence that says what to ask the person. */
function questionsOf({ set }: Plan, counts: PlanCounts): (string | false)[] {
  const { ambiguous, warnings, missing } = counts;
  const left = counts.problems + counts.unmatched;
  const takes = set === null ? 'create_media_set as declaredFiles' : 'edit_set as items';
  return [
    ambiguous > 0 &&
      `Ask what the ambiguous files (${ambiguous}) are for, each question (ask) once. Give the answers beside planId to ${takes}: {file, ...candidate without its label}. A file that stays out goes into leaveOut.`,
    warnings > 0 &&
      `Ask whether the files with a warning (${warnings}) go in as they are, or stay out (leaveOut).`,
    left > 0 && `Ask whether to go on without the files that have a problem or match nothing (${left}).`,
    missing > 0 && `No file is there for ${countOf(missing, 'place')}.`,
  ];
}
