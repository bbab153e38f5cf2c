import { type PlanPlace, type PlanTargets, placeKey } from '../targets/targets.ts';
import { matchInShow } from './match-show.ts';
import { matchAmongWorks } from './match-works.ts';
import { kindOfFile, stemOf } from './names/file-name.ts';
import { countingOf } from './show-file.ts';
import {
  confirmByShape,
  doubtByShape,
  type Ignored,
  keepToSlot,
  type MatchVerdict,
  noMatch,
  requireCorroboration,
  type Shape,
  type Why,
} from './verdict.ts';
import { indexShow, indexWorks } from './work-index.ts';

export interface FolderFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Null where it is not known. */
  readonly shape: Shape | null;
}

export interface FolderWish {
  /** The one slot that the folder is for, null for any. */
  readonly slot: string | null;
  /** The folder's own name, which may say a season or a slot, and is never held against a file. */
  readonly name: string | null;
  /** Other names of the work that a person has confirmed. */
  readonly alsoCalled?: readonly string[];
}

/** What a file comes to. Places are only ever of what the targets hold. */
export type Match =
  | { readonly status: 'matched'; readonly place: PlanPlace }
  | {
      readonly status: 'ambiguous';
      readonly places: readonly PlanPlace[];
      readonly why: Why;
      /** What calls the work otherwise than its title does, as it is written, where that is all that is doubtful. */
      readonly called?: string;
    }
  | { readonly status: 'unmatched'; readonly why: Why }
  /** `other_slot`: it is for another slot than the one that was asked for. */
  | { readonly status: 'ignored'; readonly why: Ignored };

/**
 * Matches the files of one folder by their names; their proportions only confirm. The answers stand in the order
 * of the files. It never guesses: what could be two things, or is contradicted by anything in its name, is
 * ambiguous, and so are two files for one place.
 */
export function matchFiles(
  files: readonly FolderFile[],
  targets: PlanTargets,
  { slot, name, alsoCalled = [] }: FolderWish,
): Match[] {
  const read = namesReader(files, targets, name, alsoCalled);
  const single = files.map(({ path, shape }): MatchVerdict | Ignored => {
    const kind = kindOfFile(path);
    if (kind === 'junk') return 'junk';
    const named = read(path);
    const kept = doubtByShape(slot === null ? confirmByShape(named, shape) : keepToSlot(slot, named), shape);
    if (kept.places.length === 0 && named.places.length > 0) return 'other_slot';
    return kind === 'exportable' ? noMatch('wrong_type') : kept;
  });
  const folders = files.map(({ path }) => foldersOf(path).join('/'));
  const verdicts = requireCorroboration(single, folders);
  const takers = takersOf(verdicts);
  return verdicts.map((verdict): Match => {
    if (typeof verdict === 'string') return { status: 'ignored', why: verdict };
    const { places, sure, why, called } = verdict;
    const [place] = places;
    if (place === undefined) return { status: 'unmatched', why: why ?? 'says_nothing' };
    if (!sure) {
      const asked = called === undefined ? {} : { called };
      return { status: 'ambiguous', places, why: why ?? 'unclear_words', ...asked };
    }
    const rivals = takers.get(placeKey(place)) ?? 0;
    return rivals > 1 ? { status: 'ambiguous', places, why: 'several_files' } : { status: 'matched', place };
  });
}

/** How many files are surely for each place. */
function takersOf(verdicts: readonly (MatchVerdict | Ignored)[]): Map<string, number> {
  const takers = new Map<string, number>();
  for (const verdict of verdicts) {
    const [place] = typeof verdict !== 'string' && verdict.sure ? verdict.places : [];
    if (place !== undefined) takers.set(placeKey(place), (takers.get(placeKey(place)) ?? 0) + 1);
  }
  return takers;
}

function namesReader(
  files: readonly FolderFile[],
  targets: PlanTargets,
  folder: string | null,
  alsoCalled: readonly string[],
): (path: string) => MatchVerdict {
  const { kind } = targets.entry;
  if (kind !== 'show' && kind !== 'season' && kind !== 'episode') {
    const index = indexWorks(targets, alsoCalled);
    return (path) => matchAmongWorks(folder, foldersOf(path), stemIn(path), index);
  }
  const index = indexShow(targets, alsoCalled);
  const byFolder = new Map<string, string[]>();
  for (const { path } of files) {
    if (kindOfFile(path) === 'junk') continue;
    const inner = foldersOf(path).join('/');
    byFolder.set(inner, [...(byFolder.get(inner) ?? []), stemIn(path)]);
  }
  const counting = new Map([...byFolder].map(([inner, stems]) => [inner, countingOf(stems, index)]));
  return (path) => {
    const inner = foldersOf(path);
    return matchInShow(folder, inner, stemIn(path), index, counting.get(inner.join('/')) ?? null);
  };
}

function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

function stemIn(path: string): string {
  return stemOf(path.split('/').at(-1) ?? '');
}
