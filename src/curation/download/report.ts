import path from 'node:path';
import type { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { countOfSlot } from '../../model/slots.ts';
import { keyOfTarget, labelOf, shortLabelOf } from '../../model/target.ts';
import { quoted } from '../../text.ts';
import type { FileOutcome } from './bring.ts';
import { isLeft, type Ran } from './download.ts';
import { type LayoutName, layouts } from './layouts.ts';
import type { LeftOut } from './place.ts';
import type { UpdatedDownload } from './update.ts';

// What is told of a download, in few words: a Set can have hundreds of files.

/** Characters of JSON that the names of files may take, and the rows of an update. */
const budget = 8_000;
const mostNamed = 8;
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

/** How many there are of each word. */
function countsOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...groupedBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}

function statesOf({ outcomes, places, setsLeftOut }: Ran): string[] {
  const files = [...outcomes.map(({ outcome }) => outcome), ...places.leftOut].map(({ state }) => state);
  return [...files, ...setsLeftOut.map(() => 'setsLeftOut')];
}

/** What a call of `download_set` answers. */
export function downloadReport(ran: Ran, layout: LayoutName, dryRun: boolean) {
  const { outcomes, places, setsLeftOut } = ran;
  const { problems, files, omitted } = filesOf(outcomes);
  const replaced = outcomes.flatMap(({ file: { folders }, outcome }): object[] => {
    const at = (name: string) => [...folders, name].join('/');
    if (outcome.state === 'would_take_over') return outcome.others.map((name) => ({ file: at(name) }));
    if (outcome.state !== 'replaced') return [];
    return outcome.keptAt.map((keptAt) => ({ file: at(path.basename(keptAt)), keptAt }));
  });
  const works = places.works.map(({ work, is, folder, candidates }) => {
    const where =
      is === 'unclear' ? { candidates: candidates.slice(0, mostNamed) } : { folder: folder.join('/') };
    return { work: labelOf(work) || keyOfTarget(work), is, ...where };
  });
  const data = {
    counts: countsOf(statesOf(ran)),
    works: orNone(works.slice(0, mostRows)),
    problems: orNone(problems),
    files,
    replacedOfOthers: orNone(replaced.slice(0, mostReplaced)),
    leftOut: orNone(leftOutRows(places.leftOut).slice(0, mostRows)),
    setsLeftOut: orNone(setsLeftOut.slice(0, mostRows)),
  };
  const more = omittedOf('replacedOfOthers', replaced.length, Math.min(mostReplaced, replaced.length));
  return { data, omitted: [...omitted, ...more], warnings: warningsOf(ran, layout, dryRun) };
}

/** An empty list is not told. */
function orNone<Row>(rows: readonly Row[]): readonly Row[] | undefined {
  return rows.length === 0 ? undefined : rows;
}

/** Names by what is said of them, in the order in which they first came. */
function gathered<Facts extends object>(rows: readonly (readonly [facts: Facts, name: string])[]) {
  const groups = groupedBy(rows, ([facts]) => JSON.stringify(facts));
  return [...groups.values()].flatMap((all) =>
    all.slice(0, 1).map(([facts]) => ({ ...facts, names: all.map(([, name]) => name) })),
  );
}

/** What needs a person, file by file; of all others the names, by their state and folder. */
function filesOf(outcomes: readonly FileOutcome[]) {
  const fits = roomFor(budget);
  const problems: object[] = [];
  const others: [facts: { state: string; folder: string }, name: string][] = [];
  for (const { path: file, outcome } of outcomes) {
    const { state } = outcome;
    if (state === 'left_alone') problems.push({ file, state, why: outcome.why });
    else if (state === 'failed') problems.push({ file, state, error: errorOf(outcome) });
    else others.push([{ state, folder: path.posix.dirname(file) }, path.posix.basename(file)]);
  }
  const told = problems.filter(fits);
  const named = others.filter(([, name]) => fits(name));
  const omitted = omittedOf('files', outcomes.length, told.length + named.length);
  return { problems: told, files: gathered(named), omitted };
}

function errorOf({ error }: { readonly error: ArtworkError }) {
  return { code: error.code, category: error.failure, message: error.message.slice(0, 300) };
}

/** One row for all that are left out for one reason. */
function leftOutRows(leftOut: readonly LeftOut[]) {
  const rows = leftOut.map(
    ({ state, why, picture: { slot, target } }) => [{ state, why, slot }, shortLabelOf(target)] as const,
  );
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
  const some = converted.slice(0, mostNamed).map(({ path: file }) => quoted(file));
  const more = converted.length > mostNamed ? ` and ${converted.length - mostNamed} more` : '';
  const { left_alone: alone = 0, failed = 0 } = countsOf(outcomes.map(({ outcome }) => outcome.state));
  return [
    lacking > 0 &&
      `There is no video below the folder for ${countOfSlot(lacking, 'titlecard')}, named here as videos usually are. ${words} shows a card only if its name is exactly its video's.`,
    converted.length > 0 &&
      `${words} can't read ${types}. These ${dryRun ? 'will be' : 'were'} converted to JPEG, or to PNG where they are transparent, without animation: ${some.join(', ')}${more}.`,
    alone > 0 &&
      `${alone} places have files that download_set did not write, or that somebody changed. They stay as they are. takeOver replaces them, and keeps the old ones elsewhere.`,
    failed > 0 && `${failed} files failed. The same call tries them again and fetches nothing twice.`,
  ].filter((warning) => warning !== false);
}

/** What an update tells: how many downloads came to what, each that has something to say, and how many were left undone. */
export function updateReport(updated: readonly UpdatedDownload[]) {
  const rows = updated.map(({ kept: { kind, id, title, layout, folders }, outcome }) => {
    const { is, said } = outcomeOf(outcome);
    return { set: { kind, id, title }, layout, folder: folders.join('/'), is, said };
  });
  const counts = countsOf(rows.map(({ is }) => is));
  const telling = rows.flatMap(({ said, ...row }) => (said === null ? [] : [{ ...row, ...said }]));
  const sets = telling.filter(roomFor(budget));
  const ran = updated.flatMap(({ outcome }) => (outcome.is === 'looked' ? [outcome.ran] : []));
  const { undone = 0, failed = 0, pending = 0 } = counts;
  const files = countsOf(ran.flatMap(statesOf));
  const data = { downloads: updated.length, counts, files, undone: undone + failed + pending, sets };
  return { data, omitted: omittedOf('sets', telling.length, sets.length) };
}

interface Said {
  readonly counts?: Readonly<Record<string, number>>;
  readonly [more: string]: unknown;
}

/** What one download came to, and what there is to say of it; null: nothing. */
function outcomeOf(outcome: UpdatedDownload['outcome']): { readonly is: string; readonly said: Said | null } {
  switch (outcome.is) {
    case 'same':
    case 'unmoved':
      return { is: 'unchanged', said: null };
    case 'gone':
      return { is: 'gone', said: { why: 'the service no longer has it; its files stay' } };
    case 'pending':
      return { is: 'pending', said: {} };
    case 'failed':
      return { is: 'failed', said: { error: errorOf(outcome) } };
    case 'looked': {
      const { ran } = outcome;
      const counts = countsOf(statesOf(ran));
      const isNew = ['written', 'replaced', 'would_write', 'would_replace'].some((state) => state in counts);
      const problems = orNone(filesOf(ran.outcomes).problems.slice(0, 5));
      const leftOut = ran.places.leftOut.filter(({ state }) => state !== 'no_place');
      const is = isLeft(ran) ? 'undone' : isNew ? 'updated' : 'unchanged';
      if (is === 'unchanged' && problems === undefined && leftOut.length === 0) return { is, said: null };
      return { is, said: { counts, problems, leftOut: orNone(leftOutRows(leftOut).slice(0, 5)) } };
    }
  }
}
