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

/** What a plan leaves open, for a person. */
export function questionsOfPlan(plan: Plan, counts: PlanCounts): string[] {
  const { ambiguous, problems, unmatched } = counts;
  const warned = itemsOf(plan).filter(({ warnings }) => warnings.length > 0);
  const kinds = [...new Set(warned.flatMap(({ warnings }) => warnings.map(({ code }) => code)))].join(', ');
  const unnamed = countUnnamed(plan);
  const left = problems + unmatched;
  return [
    unnamed > 0 &&
      `that ${countOf(unnamed, 'file')} are of this work (see work), which neither their names nor the folder's say`,
    askNames(plan),
    ambiguous > 0 &&
      `what the ambiguous files (${ambiguous}) are for, given beside planId as ${answersOf(plan)}, or that they stay out (leaveOut)`,
    warned.length > 0 &&
      `whether the files with a warning (${warned.length}: ${kinds}) go in as they are, or stay out (leaveOut)`,
    left > 0 && `whether to go on without those that have a problem or match nothing (${left})`,
  ].filter((question) => typeof question === 'string');
}

/** One answer for many files. Their names stand in the entries, which no call of ours is made of. */
function askNames({ entries }: Plan): string | false {
  const called = entries.filter((entry) => entry.status === 'ambiguous' && entry.called !== undefined);
  const files = countOf(called.length, 'file');
  return (
    called.length > 0 &&
    `whether it is the work's name that ${files} or their folders have (see ask): then plan again with alsoCalled`
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
  if (names !== false)
    return `${has}Nothing can be sent as it is. The person says ${names}; or ${otherwise}.`;
  if (ambiguous > 0) {
    const tool = plan.set === null ? 'create_media_set' : 'edit_set';
    return `${has}Ask the person what the ambiguous files (${ambiguous}) are for. Then ${tool} takes planId, and beside it ${answersOf(plan)}. Or ${otherwise}.`;
  }
  if (unchanged > 0) return `${has}Nothing else can be sent. Ask the person whether anything is missing.`;
  return `None of ${countOf(files, 'file')} can be sent. A person looks at the problems and the names, or ${otherwise}. Then plan again.`;
}

/** How a person's answers are given. */
function answersOf({ set }: Plan): string {
  return set === null
    ? 'declaredFiles [{file, targetKind, targetId, slot}], file as the plan shows it, the rest from its candidates'
    : 'items [{file, ...candidate without its label}], file as the plan shows it (nothing for a candidate that is unchanged: the Set has it)';
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
