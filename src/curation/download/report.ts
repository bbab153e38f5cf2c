import type { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { joinRuns, keyOfTarget, labelOf, shortLabelOf } from '../../model/target.ts';
import { isLeft, type Ran } from './download.ts';
import type { UpdatedDownload } from './update.ts';

// What is told of a download, in few words: a Set can have hundreds of files.

/** How many there are of each word. */
function countsOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...groupedBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}

const mostNamed = 10;

/** The first names by what else is said of them, and how many there are. */
function gathered<Row extends { readonly name: string }>(rows: readonly Row[]) {
  const groups = groupedBy(rows, ({ name: _, ...facts }) => JSON.stringify(facts));
  return [...groups.values()].flatMap((all) => {
    const names = all.slice(0, mostNamed).map(({ name }) => name);
    return all.slice(0, 1).map(({ name: _, ...facts }) => ({ ...facts, count: all.length, names }));
  });
}

/** What became of the pictures, of the Sets of a group that give none, and how many there are of each. */
function countsIn(...all: readonly Ran[]): Record<string, number> {
  return countsOf(
    all.flatMap(({ outcomes, places, setsLeftOut }) => [
      ...outcomes.map(({ outcome }) => outcome.state),
      ...places.leftOut.map(({ state }) => state),
      ...setsLeftOut.map(() => 'setsLeftOut'),
    ]),
  );
}

/** What a call of `download_set` answers. */
export function downloadReport(ran: Ran) {
  const { places, setsLeftOut } = ran;
  const works = places.works.map(({ work, is, folder, candidates, waiting }) => {
    const where = is === 'unclear' ? { candidates } : { folder: folder.join('/') };
    const withoutVideo = waiting.length === 0 ? {} : { withoutVideo: joinRuns(waiting) };
    return { work: labelOf(work) || keyOfTarget(work), folderIs: is, ...where, ...withoutVideo };
  });
  return { counts: countsIn(ran), works, files: filesIn(ran), leftOut: leftOutOf(ran), setsLeftOut };
}

/** One row for all files of a folder of which the same is to be said. */
function filesIn({ outcomes }: Ran) {
  return gathered(
    outcomes.map(({ file: { folders, stem }, convertedFrom, outcome }) => ({
      // Its ending is left open where its bytes have not told it.
      ...{ name: stem, ...outcome, folder: folders.join('/') },
      ...('error' in outcome ? { error: wordsOf(outcome.error) } : {}),
      ...(convertedFrom === null ? {} : { convertedFrom }),
    })),
  );
}

function wordsOf({ code, failure, message }: ArtworkError) {
  return { code, category: failure, message };
}

/** One row for all that are left out for one reason. */
function leftOutOf({ places: { leftOut } }: Ran) {
  return gathered(
    leftOut.map(({ state, why, picture: { slot, target } }) => {
      return { state, why, slot, name: shortLabelOf(target) };
    }),
  );
}

/** What an update tells: how many downloads came to what, each that has something to say, and how many were left undone. */
export function updateReport(updated: readonly UpdatedDownload[]) {
  const rows = updated.map(({ kept: { kind, id, title, layout, folders }, outcome }) => {
    return { set: { kind, id, title }, layout, folder: folders.join('/'), ...outcomeOf(outcome) };
  });
  const counts = countsOf(rows.map(({ is }) => is));
  const { undone = 0, failed = 0, pending = 0 } = counts;
  return {
    downloads: updated.length,
    counts,
    files: countsIn(...updated.flatMap(({ outcome }) => (outcome.is === 'looked' ? [outcome.ran] : []))),
    undone: undone + failed + pending,
    sets: rows.filter((row) => row.is !== 'unchanged' || 'files' in row),
  };
}

/** What one download came to; what lies in its place already is not told. */
function outcomeOf(outcome: UpdatedDownload['outcome']) {
  if (outcome.is === 'failed') return { is: outcome.is, error: wordsOf(outcome.error) };
  if (outcome.is !== 'looked') return { is: outcome.is };
  const { ran } = outcome;
  const files = filesIn(ran).filter(({ state }) => state !== 'present');
  const leftOut = leftOutOf(ran).filter(({ state }) => state !== 'no_place');
  const isNew = files.some(({ state }) => state !== 'left_alone');
  const is = isLeft(ran) ? 'undone' : isNew ? 'updated' : 'unchanged';
  return files.length + leftOut.length === 0 ? { is } : { is, files, leftOut };
}
