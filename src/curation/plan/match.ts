import { groupedBy } from '../../grouped-by.ts';
import { kindOfFile, stemOf } from '../../model/names/file-name.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfPlace, type Place } from '../../model/target.ts';
import type { ReadWork } from '../read-work.ts';
import { matchInShow } from './match-show.ts';
import { matchAmongWorks } from './match-works.ts';
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

interface FolderFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Null where it is not known. */
  readonly shape: Shape | null;
}

export interface FolderWish {
  /** The one slot that the folder is for, null for any. */
  readonly slot: Slot | null;
  /** The folder's own name, which may say a season or a slot, and is never held against a file. */
  readonly name: string | null;
  /** Other names of the work that a person has confirmed. */
  readonly alsoCalled?: readonly string[];
}

/** What a file comes to. Places are only ever of what the targets hold. */
export type Match =
  | { readonly status: 'matched'; readonly place: Place }
  | {
      readonly status: 'ambiguous';
      readonly places: readonly Place[];
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
  read: ReadWork,
  { slot, name, alsoCalled = [] }: FolderWish,
): Match[] {
  const verdictOn = namesReader(files, read, name, alsoCalled);
  const single = files.map(({ path, shape }): MatchVerdict | Ignored => {
    const kind = kindOfFile(path);
    if (kind === 'junk') return 'junk';
    const named = verdictOn(path);
    const kept = doubtByShape(slot === null ? confirmByShape(named, shape) : keepToSlot(slot, named), shape);
    if (kept.places.length === 0 && named.places.length > 0) return 'other_slot';
    return kind === 'exportable' ? noMatch('wrong_type') : kept;
  });
  const folders = files.map(({ path }) => foldersOf(path).join('/'));
  const verdicts = requireCorroboration(single, folders);
  const sure = verdicts.flatMap((one) => (typeof one !== 'string' && one.why === null ? one.places : []));
  const takers = groupedBy(sure, keyOfPlace);
  return verdicts.map((verdict): Match => {
    if (typeof verdict === 'string') return { status: 'ignored', why: verdict };
    const { places, why, called } = verdict;
    const [place] = places;
    if (place === undefined) return { status: 'unmatched', why: why ?? 'says_nothing' };
    if (why !== null)
      return { status: 'ambiguous', places, why, ...(called === undefined ? {} : { called }) };
    const rivals = takers.get(keyOfPlace(place)) ?? [];
    return rivals.length > 1
      ? { status: 'ambiguous', places, why: 'several_files' }
      : { status: 'matched', place };
  });
}

function namesReader(
  files: readonly FolderFile[],
  read: ReadWork,
  folder: string | null,
  alsoCalled: readonly string[],
): (path: string) => MatchVerdict {
  if (read.work.target.kind !== 'show') {
    const index = indexWorks(read, alsoCalled);
    return (path) => matchAmongWorks(folder, foldersOf(path), stemIn(path), index);
  }
  const index = indexShow(read, alsoCalled);
  const pictures = files.map(({ path }) => path).filter((path) => kindOfFile(path) !== 'junk');
  const byFolder = groupedBy(pictures, (path) => foldersOf(path).join('/'));
  const counting = new Map(
    [...byFolder].map(([inner, paths]) => [inner, countingOf(paths.map(stemIn), index)]),
  );
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
