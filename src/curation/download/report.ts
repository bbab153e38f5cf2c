import path from 'node:path';
import type { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { countOfSlot } from '../../model/slots.ts';
import { keyOfTarget, labelOf, shortLabelOf } from '../../model/target.ts';
import { quoted } from '../../text.ts';
import { isLeft, type Ran } from './download.ts';
import { type LayoutName, layouts } from './layouts.ts';
import type { LeftOut } from './place.ts';
import type { UpdatedDownload } from './update.ts';

// What is told of a download, in few words: a Set can have hundreds of files.

/** Characters of JSON that the names of files may take, and the rows of an update. */
const budget = 8_000;
const mostNamed = 8;
const mostExamples = 2;
const mostRows = 30;
const mostReplaced = 100;

/** Says of each value whether there is room for it. */
function roomFor(characters: number): (value: unknown) => boolean {
  let left = characters;
  return (value) => {
    left -= JSON.stringify(value).length;
    return left >= 0;
  };
}

function omittedOf(section: string, total: number, returned: number) {
  return returned === total ? [] : [{ section, total, returned, next: null }];
}

/** The first rows; an empty list is not told. */
function told<Row>(rows: readonly Row[], most = mostRows): readonly Row[] | undefined {
  return rows.length === 0 ? undefined : rows.slice(0, most);
}

/** How many there are of each word. */
function countsOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...groupedBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}

/** Names by what else is said of them, in the order in which they first came. */
function gathered<Row extends { readonly name: string }>(rows: readonly Row[]) {
  const groups = groupedBy(rows, ({ name: _, ...facts }) => JSON.stringify(facts));
  return [...groups.values()].flatMap((all) =>
    all.slice(0, 1).map(({ name: _, ...facts }) => ({ ...facts, names: all.map(({ name }) => name) })),
  );
}

/** What became of the pictures, of the Sets of a group that give none, and how many there are of each. */
function countsIn(...all: readonly Ran[]): Record<string, number> {
  const states = all.flatMap(({ outcomes, places }) => [
    ...outcomes.map(({ outcome }) => outcome),
    ...places.leftOut,
  ]);
  const sets = all.flatMap(({ setsLeftOut }) => setsLeftOut.map(() => 'setsLeftOut'));
  return countsOf([...states.map(({ state }) => state), ...sets]);
}

/** What a call of `download_set` answers. */
export function downloadReport(ran: Ran, layout: LayoutName, dryRun: boolean) {
  const { outcomes, places, setsLeftOut } = ran;
  const fits = roomFor(budget);
  const problems = problemsIn(ran).filter(fits);
  const names = outcomes.flatMap(({ path: file, outcome: { state } }) => {
    const row = { state, folder: path.posix.dirname(file), name: path.posix.basename(file) };
    return state !== 'left_alone' && state !== 'failed' && fits(row.name) ? [row] : [];
  });
  const replaced = outcomes.flatMap(({ file: { folders }, outcome }): object[] => {
    const at = (name: string) => [...folders, name].join('/');
    if (outcome.state === 'would_take_over') return outcome.others.map((name) => ({ file: at(name) }));
    if (outcome.state !== 'replaced') return [];
    return outcome.keptAt.map((keptAt) => ({ file: at(path.basename(keptAt)), keptAt }));
  });
  const works = places.works.map(({ work, is, folder, candidates }) => {
    const where =
      is === 'unclear' ? { candidates: candidates.slice(0, mostNamed) } : { folder: folder.join('/') };
    return { work: labelOf(work) || keyOfTarget(work), folderIs: is, ...where };
  });
  const data = {
    counts: countsIn(ran),
    works: told(works),
    problems: told(problems, problems.length),
    files: gathered(names),
    replacedOfOthers: told(replaced, mostReplaced),
    leftOut: told(leftOutRows(places.leftOut)),
    setsLeftOut: told(setsLeftOut),
  };
  const omitted = [
    ...omittedOf('files', outcomes.length, problems.length + names.length),
    ...omittedOf('replacedOfOthers', replaced.length, Math.min(mostReplaced, replaced.length)),
  ];
  return { data, omitted, warnings: warningsOf(ran, layout, dryRun) };
}

/** What needs a person, file by file. */
function problemsIn({ outcomes }: Ran): object[] {
  return outcomes.flatMap(({ path: file, outcome }): object[] => {
    const { state } = outcome;
    if (state === 'left_alone') return [{ file, state, why: outcome.why }];
    return state === 'failed' ? [{ file, state, error: wordsOf(outcome.error) }] : [];
  });
}

function wordsOf({ code, failure, message }: ArtworkError) {
  return { code, category: failure, message: message.slice(0, 300) };
}

/** One row for all that are left out for one reason. */
function leftOutRows(leftOut: readonly LeftOut[]) {
  const rows = leftOut.map(({ state, why, picture: { slot, target } }) => {
    return { state, why, slot, name: shortLabelOf(target) };
  });
  return gathered(rows).map(({ names, ...facts }) => {
    return { ...facts, count: names.length, of: names.slice(0, mostNamed) };
  });
}

/** What a person should know of a download beside its files. */
function warningsOf({ outcomes, places }: Ran, layout: LayoutName, dryRun: boolean): string[] {
  const { words } = layouts[layout];
  const lacking = places.files.filter(({ lacksVideo }) => lacksVideo === true).length;
  const converted = outcomes.filter(({ convertedFrom }) => convertedFrom !== null);
  const types = [...new Set(converted.map(({ convertedFrom }) => convertedFrom))].join(', ');
  const some = converted.slice(0, mostExamples).map(({ path: file }) => quoted(file));
  const [count, more] = [converted.length, converted.length - some.length];
  const { left_alone: alone = 0, failed = 0 } = countsOf(outcomes.map(({ outcome }) => outcome.state));
  return [
    lacking > 0 &&
      `There is no video below the folder for ${countOfSlot(lacking, 'titlecard')}, named here as videos usually are. ${words} shows a card only if its name is exactly its video's.`,
    converted.length > 0 &&
      `${words} can't read ${types}. ${count === 1 ? '1 file' : `${count} files`} ${dryRun ? 'will be' : count === 1 ? 'was' : 'were'} converted to JPEG, or to PNG where transparent, without animation: ${some.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    alone > 0 &&
      `${alone} places have files that download_set did not write, or that somebody changed. They stay as they are. takeOver replaces them, and keeps the old ones elsewhere.`,
    failed > 0 && `${failed} files failed. The same call tries them again and fetches nothing twice.`,
  ].filter((warning) => warning !== false);
}

/** What an update tells: how many downloads came to what, each that has something to say, and how many were left undone. */
export function updateReport(updated: readonly UpdatedDownload[]) {
  const rows = updated.map(({ kept: { kind, id, title, layout, folders }, outcome }) => {
    return { set: { kind, id, title }, layout, folder: folders.join('/'), ...outcomeOf(outcome) };
  });
  const counts = countsOf(rows.map(({ is }) => is));
  const telling = rows.flatMap(({ said, ...row }) => (said === null ? [] : [{ ...row, ...said }]));
  const sets = telling.filter(roomFor(budget));
  const ran = updated.flatMap(({ outcome }) => (outcome.is === 'looked' ? [outcome.ran] : []));
  const { undone = 0, failed = 0, pending = 0 } = counts;
  const data = {
    downloads: updated.length,
    counts,
    files: countsIn(...ran),
    undone: undone + failed + pending,
    sets,
  };
  return { data, omitted: omittedOf('sets', telling.length, sets.length) };
}

interface Said {
  readonly is: string;
  /** Null: its number alone is told. */
  readonly said: Readonly<Record<string, unknown>> | null;
}

/** What one download came to. */
function outcomeOf(outcome: UpdatedDownload['outcome']): Said {
  switch (outcome.is) {
    case 'same':
    case 'unmoved':
      return { is: 'unchanged', said: null };
    case 'gone':
      return { is: 'gone', said: { why: 'the service no longer has it; its files stay' } };
    case 'pending':
      return { is: 'pending', said: {} };
    case 'failed':
      return { is: 'failed', said: { error: wordsOf(outcome.error) } };
    case 'looked': {
      const { ran } = outcome;
      const counts = countsIn(ran);
      const isNew = ['written', 'replaced', 'would_write', 'would_replace'].some((state) => state in counts);
      const problems = told(problemsIn(ran), 5);
      const leftOut = told(leftOutRows(ran.places.leftOut.filter(({ state }) => state !== 'no_place')), 5);
      const is = isLeft(ran) ? 'undone' : isNew ? 'updated' : 'unchanged';
      if (is === 'unchanged' && problems === undefined && leftOut === undefined) return { is, said: null };
      return { is, said: { counts, problems, leftOut } };
    }
  }
}
