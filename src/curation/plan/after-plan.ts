import path from 'node:path';
import { z } from 'zod';
import { ArtworkError, type Next } from '../../errors.ts';
import { mediaSetTargets } from '../../model/kinds.ts';
import { plain } from '../../model/names/words.ts';
import { countOf } from '../../model/words.ts';
import { askStatus } from '../../mutations/answer/next.ts';
import type { ListedMutation } from '../../mutations/answer/result.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import { deriveUuid } from '../../mutations/operations/items.ts';
import { withArticle } from '../../text.ts';
import { countLater, itemsOf, type Plan, type PlanEntry } from './plan.ts';

/** How many entries of a plan are what. */
export type PlanCounts = Readonly<ReturnType<typeof countsOf>>;

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
  const later = countLater(plan);
  const isProblem = (entry: PlanEntry) => 'problem' in entry && entry.problem !== null;
  return {
    files: matched + ambiguous + unmatched + ignored,
    ...{ matched, ambiguous, unmatched, ignored },
    missing: status('missing') + plan.moreMissing,
    problems: count(isProblem),
    warnings: count((entry) => entry.status === 'matched' && entry.warnings.length > 0),
    toSend: items.length,
    /** Files that are for a place, or may be, and are not sent. Not `missing` either. */
    notSent: count(
      (entry) => entry.status === 'ambiguous' || (entry.status === 'matched' && isProblem(entry)),
    ),
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
    const replaced = replace === 0 ? '' : `, ${countOf(replace, 'file')} to replace what the Set has`;
    const what = `${countOf(add, 'file')} to add${replaced}`;
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
  const { missing, notSent, later = 0 } = counts;
  const questions = questionsOfPlan(plan, counts).filter((one) => one !== false);
  const told = [
    `Shows what would be sent: ${what}.`,
    missing > 0 && `No file is there for ${countOf(missing, 'place')}.`,
    notSent > 0 && `Not among them: ${countOf(notSent, 'file')} that can't be sent or must be asked about.`,
    later > 0 && `One edit takes no more: plan again after it for ${countOf(later, 'file')}.`,
    ...questions,
    last,
  ];
  const refused = questions.length === 0 ? '' : ': it is refused while the plan has open questions';
  return {
    why: told.filter((one) => one !== false).join(' '),
    doNot: `make the real call before the person has answered${refused}`,
  };
}

/** What a plan leaves open, each as a sentence that says what to ask the person. */
function questionsOfPlan(plan: Plan, counts: PlanCounts): (string | false)[] {
  const { ambiguous, problems, unmatched } = counts;
  const warned = itemsOf(plan).filter(({ warnings }) => warnings.length > 0);
  const kinds = [...new Set(warned.flatMap(({ warnings }) => warnings.map(({ code }) => code)))].join(', ');
  const unnamed = countUnnamed(plan);
  const left = problems + unmatched;
  return [
    unnamed > 0 &&
      `Ask whether ${countOf(unnamed, 'file')} are of this work: neither their names nor the folder's say so.`,
    askNames(plan),
    ambiguous > 0 &&
      `Ask what the ambiguous files (${ambiguous}) are for. ${answersOf(plan)} A file that stays out goes into leaveOut.`,
    warned.length > 0 &&
      `Ask whether the files with a warning (${warned.length}: ${kinds}) go in as they are, or stay out (leaveOut).`,
    left > 0 && `Ask whether to go on without the files that have a problem or match nothing (${left}).`,
  ];
}

/** One answer for many files. Their names stand in the entries, which no call of ours is made of. */
function askNames({ entries }: Plan): string | false {
  const called = entries.filter((entry) => entry.status === 'ambiguous' && entry.called !== undefined);
  const files = countOf(called.length, 'file');
  return (
    called.length > 0 &&
    `Ask whether the work is also called as ${files} or their folders say (ask). If so, plan again with alsoCalled.`
  );
}

/** Why nothing can be sent, and what a person can do. */
function whyNothingIsSent(plan: Plan, counts: PlanCounts): string {
  const { files, ignored, unchanged = 0, ambiguous } = counts;
  if (files === ignored) {
    const passed = ignored === 0 ? 'it is empty' : `what it holds (${ignored}) was passed over`;
    return `The folder holds no pictures: ${passed}. Ask the person whether this is the right folder.`;
  }
  const all = unchanged === files ? 'all of it' : countOf(unchanged, 'file');
  const has = unchanged === 0 ? '' : `The Set has ${all} already. `;
  const names = askNames(plan);
  const otherwise = 'this is the wrong folder or the wrong work';
  if (names !== false) return `${has}Nothing can be sent as it is. ${names} If not, ${otherwise}.`;
  if (ambiguous > 0) {
    return `${has}Ask the person what the ambiguous files (${ambiguous}) are for. ${answersOf(plan)} If they are for nothing here, ${otherwise}.`;
  }
  if (unchanged > 0) return `${has}Nothing else can be sent. Ask the person whether anything is missing.`;
  return `None of ${countOf(files, 'file')} can be sent. A person looks at the problems and the names, or ${otherwise}. Then plan again.`;
}

/** How a person's answers are given. */
function answersOf({ set }: Plan): string {
  return set === null
    ? 'create_media_set takes the answers beside planId as declaredFiles [{file, targetKind, targetId, slot}]. `file` is as the plan shows it, the rest is from the candidate.'
    : 'edit_set takes the answers beside planId as items [{file, ...candidate without its label}]. `file` is as the plan shows it. A candidate that is unchanged needs no item: the Set has it.';
}

/** Shorter ones are in every name. Letters. */
const shortest = 4;

/**
 * How many of the files that a plan sends nothing names the work of: then only the id that was given says that
 * they are its, and an id is easily another one's.
 */
function countUnnamed(plan: Plan): number {
  const { work, folder, asked } = plan;
  const also = Array.isArray(asked.alsoCalled) ? asked.alsoCalled : [];
  const known = tellingWords([work.title, ...also].join(' '));
  const isIn = (name: string, words: readonly string[]) => {
    const text = plain(name);
    return words.some((word) => text.includes(word));
  };
  // A title of short words can't be looked for.
  if (known.length === 0 || isIn(path.basename(folder), known)) return 0;
  return itemsOf(plan).filter(({ path: inner, place: { target, label } }) => {
    const own = target.kind === 'movie' || target.kind === 'game' ? tellingWords(label) : [];
    return !isIn(inner, [...known, ...own]);
  }).length;
}

function tellingWords(title: string): string[] {
  return plain(title)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= shortest);
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
