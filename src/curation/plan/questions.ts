import path from 'node:path';
import { plain } from '../../model/names/words.ts';
import { countOf } from '../../model/words.ts';
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

/** What a plan leaves open, each as a sentence that says what to ask the person. */
export function questionsOfPlan(plan: Plan, counts: PlanCounts): string[] {
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
  ].filter((question) => typeof question === 'string');
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

/** What the Set will not have, if nothing more is done. */
export function lacksOfPlan({ missing, notSent, later = 0 }: PlanCounts): string {
  const what = [
    ...(missing === 0 ? [] : [missing === 1 ? '1 place has no file' : `${missing} places have no file`]),
    ...(notSent === 0 ? [] : [`${countOf(notSent, 'file')} can't be sent or must be asked about`]),
  ];
  const whole = what.length === 0 ? '' : ` The Set will not be whole: ${what.join(', ')}.`;
  const over = ` One edit takes no more: plan again after it for ${countOf(later, 'file')}.`;
  return whole + (later === 0 ? '' : over);
}

/** Why nothing can be sent, and what a person can do. */
export function whyNothingIsSent(plan: Plan, counts: PlanCounts): string {
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
