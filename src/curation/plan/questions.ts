import path from 'node:path';
import { groupedBy } from '../../grouped-by.ts';
import { keyOfText, plain } from '../../model/names/words.ts';
import { keyOfTarget, labelOf, type WorkTarget } from '../../model/target.ts';
import { countOf } from '../../model/words.ts';
import { cleanText, quoted } from '../../text.ts';
import { itemsOf, longestName, mostNames, type Plan } from './plan.ts';

/** What a plan leaves open, for a person. */
export function questionsOfPlan(plan: Plan, { ambiguous, problems, unmatched }: PlanCounts): string[] {
  const warned = planWarnings(plan);
  const kinds = [...warned.kinds].map(([code, count]) => `${code} ${count}`).join(', ');
  const left = problems + unmatched;
  const names = askNames(plan);
  const unnamed = countUnnamed(plan);
  return [
    unnamed > 0 &&
      `that ${countOf(unnamed, 'file')} are of this work (see work), which neither their names nor the folder's say`,
    names !== null && names,
    ambiguous > 0 &&
      `what the ambiguous files (${ambiguous}) are for, which is then given beside planId as ${answersOf(plan)}`,
    warned.files > 0 &&
      `whether the files with a warning (${warned.files}: ${kinds}) go in as they are, which the service may refuse, or stay out (leaveOut)`,
    left > 0 && `whether to go on without those that have a problem or match nothing (${left})`,
  ].filter((question) => question !== false);
}

/** One answer for many files. Their names stand in the entries, which no call of ours is made of. */
function askNames({ entries }: Plan): string | null {
  const called = entries.filter((entry) => entry.status === 'ambiguous' && entry.called !== undefined);
  return called.length === 0
    ? null
    : `whether it is the work's name that ${countOf(called.length, 'file')} or their folders have (see ask): then plan again with alsoCalled`;
}

/** What the Set will not have, if nothing more is done. */
export function lacksOfPlan({ missing, notSent }: PlanCounts): string {
  const what = [
    ...(missing === 0 ? [] : [missing === 1 ? '1 place has no file' : `${missing} places have no file`]),
    ...(notSent === 0 ? [] : [`${countOf(notSent, 'file')} can't be sent or must be asked about`]),
  ];
  return what.length === 0 ? '' : ` The Set will not be whole: ${what.join(', ')}.`;
}

/** Why nothing can be sent, and what a person can do. */
export function whyNothingIsSent(plan: Plan, counts: PlanCounts): string {
  const { files: all, ignored, unchanged = 0, ambiguous } = counts;
  const notMeant = 'this is not the folder, or not the work, that was meant';
  if (all === ignored) {
    const passed = ignored === 0 ? 'it is empty' : `what it holds (${ignored}) was passed over`;
    return `The folder holds no pictures: ${passed}. A person looks whether it is the folder that was meant.`;
  }
  const has =
    unchanged === 0
      ? ''
      : `The Set has ${unchanged === all ? 'all of it' : countOf(unchanged, 'file')} already. `;
  const names = askNames(plan);
  if (names !== null) return `${has}Nothing can be sent as it is. The person says ${names}; or ${notMeant}.`;
  if (ambiguous > 0) {
    const tool = plan.set === null ? 'create_media_set' : 'edit_set';
    return `${has}Nothing can be sent before the person has said what the ambiguous files (${ambiguous}) are for: then ${tool} takes planId, and beside it ${answersOf(plan)}. Or ${notMeant}.`;
  }
  if (unchanged > 0) {
    return `${has}Nothing else can be sent as it is: a person looks whether anything is missing.`;
  }
  return `None of ${countOf(all, 'file')} can be sent: a person has to look at the problems or at the names; or ${notMeant}. Then plan again.`;
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
  const known = wordsOf([work.title, ...namesIn(asked)].join(' '));
  // A title of short words can't be looked for.
  if (known.length === 0 || isIn(path.basename(folder), known)) return 0;
  return itemsOf(plan).filter(({ path: inner, place }) => {
    const own = place.target.kind === 'movie' || place.target.kind === 'game' ? wordsOf(place.label) : [];
    return !isIn(inner, [...known, ...own]);
  }).length;
}

function namesIn({ alsoCalled }: Plan['asked']): readonly string[] {
  return Array.isArray(alsoCalled) ? alsoCalled : [];
}

function isIn(name: string, words: readonly string[]): boolean {
  const text = plain(name);
  return words.some((word) => text.includes(word));
}

function wordsOf(title: string): string[] {
  return plain(title)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= shortest);
}

/** How many entries of a plan are what. */
export type PlanCounts = Readonly<ReturnType<typeof countsOf>>;

/** How many of a plan's files are sent, asked about, left out or passed over. */
export function countsOf(plan: Plan) {
  const { entries, passed, set } = plan;
  const count = (test: (entry: Plan['entries'][number]) => boolean) => entries.filter(test).length;
  const status = (word: Plan['entries'][number]['status']) => count((entry) => entry.status === word);
  const passedOver = Object.values(passed).reduce((sum, number) => sum + number, 0);
  // Some of those that were passed over are named too, and counted once.
  const ignored = passedOver + count((entry) => entry.status === 'ignored' && !(entry.why.code in passed));
  const items = itemsOf(plan);
  const [matched, ambiguous, unmatched] = [status('matched'), status('ambiguous'), status('unmatched')];
  const operations = (word: string) => items.filter(({ change }) => change.operation === word).length;
  return {
    files: matched + ambiguous + unmatched + ignored,
    matched,
    ambiguous,
    unmatched,
    ignored,
    missing: status('missing') + plan.moreMissing,
    problems: count((entry) => 'problem' in entry && entry.problem !== null),
    warnings: count((entry) => entry.status === 'matched' && entry.warnings.length > 0),
    toSend: items.length,
    /** Files that are for a place, or may be, and are not sent: ambiguous, or with a problem. Not `missing` either. */
    notSent: count(
      (entry) => entry.status === 'ambiguous' || (entry.status === 'matched' && entry.problem !== null),
    ),
    ...(set === null
      ? {}
      : {
          add: operations('add'),
          replace: operations('replace'),
          unchanged: count((entry) => entry.status === 'matched' && entry.change.operation === 'unchanged'),
        }),
  };
}

/** Of what is sent: how many files have a warning, and how many each kind. */
function planWarnings(plan: Plan): {
  readonly files: number;
  readonly kinds: ReadonlyMap<string, number>;
} {
  const warned = itemsOf(plan).filter(({ warnings }) => warnings.length > 0);
  const kinds = new Map<string, number>();
  for (const { warnings } of warned) {
    for (const code of new Set(warnings.map((warning) => warning.code))) {
      kinds.set(code, (kinds.get(code) ?? 0) + 1);
    }
  }
  return { files: warned.length, kinds };
}

interface NameQuestion {
  /** As the files have it, cleaned. */
  readonly called: string;
  readonly ask: string;
}

/**
 * One question for all files that call the work by one other name: confirmed, it counts as the title does.
 * @param called of each file that does
 * @param confirmed names that were confirmed before: they are given again
 * @returns null for a name that can't be given
 */
export function nameQuestions(
  called: readonly string[],
  work: WorkTarget,
  confirmed: readonly string[],
): (called: string) => NameQuestion | null {
  const byKey = groupedBy(called, keyOfText);
  return (name) => {
    const [first = name, ...others] = byKey.get(keyOfText(name)) ?? [];
    const clean = cleanText(first);
    if (clean.length > longestName || confirmed.length >= mostNames) return null;
    const files =
      others.length === 0 ? 'one file or its folder has' : `${others.length + 1} files or their folders have`;
    const ask = `Is ${quoted(clean)}, as ${files} it, this ${work.kind}: ${quoted(labelOf(work) || keyOfTarget(work))}? Then plan again with alsoCalled ${JSON.stringify([...confirmed, clean])}.`;
    return { called: clean, ask };
  };
}
