import { confirmByShape, keepTo, type Shape } from './confirm.ts';
import { countingOf } from './counting.ts';
import { kindOfFile, stemOf } from './junk.ts';
import { matchInShow } from './match-show.ts';
import { matchAmongWorks } from './match-works.ts';
import { type Place, placeKey } from './places.ts';
import { indexShow } from './show-index.ts';
import type { PlanTargets } from './targets.ts';
import type { Verdict, Why } from './verdict.ts';
import { indexWorks } from './works-index.ts';

export interface NamedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Null where it is not known. */
  readonly shape: Shape | null;
}

/** What a file comes to. Places are only ever of what the targets hold. */
export type Match =
  | { readonly status: 'matched'; readonly place: Place }
  | { readonly status: 'ambiguous'; readonly places: readonly Place[]; readonly why: Why }
  | { readonly status: 'unmatched'; readonly why: Why }
  /** `other_slot`: it is for another slot than the one that was asked for. */
  | { readonly status: 'ignored'; readonly why: 'junk' | 'other_slot' };

/**
 * Matches the files of one folder by their names; their proportions only confirm. The answers stand in the order
 * of the files. It never guesses: what could be two things, or is contradicted by anything in its name, is
 * ambiguous, and so are two files for one place.
 * @param slot the one slot that the folder is for, null for any
 */
export function matchFiles(files: readonly NamedFile[], targets: PlanTargets, slot: string | null): Match[] {
  const read = namesReader(files, targets);
  const verdicts = files.map(({ path, shape }): Verdict | 'junk' | 'other_slot' => {
    const kind = kindOfFile(path);
    if (kind === 'junk') return 'junk';
    const named = read(path);
    const kept = slot === null ? named : keepTo(slot, named);
    if (kept.places.length === 0 && named.places.length > 0) return 'other_slot';
    if (kind === 'exportable') return { places: [], sure: false, why: 'wrong_type' };
    return slot === null ? confirmByShape(kept, shape) : kept;
  });
  const takers = takersOf(verdicts);
  return verdicts.map((verdict) => {
    if (verdict === 'junk' || verdict === 'other_slot') return { status: 'ignored', why: verdict };
    const { places, sure, why } = verdict;
    const [place] = places;
    if (place === undefined) return { status: 'unmatched', why: why ?? 'says_nothing' };
    if (!sure) return { status: 'ambiguous', places, why: why ?? 'unclear_words' };
    const rivals = takers.get(placeKey(place)) ?? 0;
    return rivals > 1 ? { status: 'ambiguous', places, why: 'several_files' } : { status: 'matched', place };
  });
}

/** How many files are surely for each place. */
function takersOf(verdicts: readonly (Verdict | string)[]): Map<string, number> {
  const takers = new Map<string, number>();
  for (const verdict of verdicts) {
    const [place] = typeof verdict !== 'string' && verdict.sure ? verdict.places : [];
    if (place !== undefined) takers.set(placeKey(place), (takers.get(placeKey(place)) ?? 0) + 1);
  }
  return takers;
}

function namesReader(files: readonly NamedFile[], targets: PlanTargets): (path: string) => Verdict {
  const { kind } = targets.entry;
  if (kind !== 'show' && kind !== 'season' && kind !== 'episode') {
    const index = indexWorks(targets);
    return (path) => matchAmongWorks(foldersOf(path), stemIn(path), index);
  }
  const index = indexShow(targets);
  const byFolder = new Map<string, string[]>();
  for (const { path } of files) {
    if (kindOfFile(path) === 'junk') continue;
    const folder = foldersOf(path).join('/');
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), stemIn(path)]);
  }
  const counting = new Map([...byFolder].map(([folder, stems]) => [folder, countingOf(stems, index)]));
  return (path) => {
    const folders = foldersOf(path);
    return matchInShow(folders, stemIn(path), index, counting.get(folders.join('/')) ?? null);
  };
}

function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

function stemIn(path: string): string {
  return stemOf(path.split('/').at(-1) ?? '');
}
