import { groupedBy } from '../../grouped-by.ts';
import { decoded, kindOfFile, stemOf } from '../../model/names/file-name.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfPlace, type Place } from '../../model/target.ts';
import type { ReadWork } from '../read-work.ts';
import { matchInShow } from './match-show.ts';
import { indexWorks, matchAmongWorks } from './match-works.ts';
import type { Why } from './reasons.ts';
import { numberAlone, readFolders } from './show-file.ts';
import { countingOf, indexShow } from './show-index.ts';
import {
  confirmByShape,
  doubtByShape,
  keepToSlot,
  nothing,
  requireCompany,
  type Shape,
  type Verdict,
} from './verdict.ts';

export interface FolderWish {
  /** The one slot that the folder is for, null for any. */
  readonly slot: Slot | null;
  /** The folder's own name, which may say a season or a slot. */
  readonly name: string | null;
  /** Other names of the work that a person has confirmed. */
  readonly alsoCalled?: readonly string[];
}

/** Why a file has no verdict: it is no picture to upload, or for another slot than the one that was asked for. */
export type Ignored = 'junk' | 'other_slot';

/** What a file comes to. Places are only ever of what the targets hold. */
export type Match =
  | { readonly status: 'matched'; readonly place: Place }
  | {
      readonly status: 'ambiguous';
      /** The likeliest first. */
      readonly places: readonly Place[];
      readonly why: Why;
      /** The words or the number that decide, folded: other people's writing. */
      readonly about?: string;
      /** What calls the work otherwise than its title does, folded, where that is all that is doubtful. */
      readonly called?: string;
    }
  | { readonly status: 'unmatched'; readonly why: Why; readonly about?: string }
  | { readonly status: 'ignored'; readonly why: Ignored };

/**
 * What the names of a folder's files come to, each by itself. It never guesses: what could be two things, or is
 * contradicted by anything in its name, is asked about.
 * @param paths relative to the folder, with `/`
 * @returns in their order; null for what is no picture
 */
export function readNames(
  paths: readonly string[],
  read: ReadWork,
  { name, alsoCalled = [] }: FolderWish,
): (Verdict | null)[] {
  const verdictOn = readerOf(paths, read, name, alsoCalled);
  return paths.map((path) => (kindOfFile(path) === 'junk' ? null : verdictOn(path)));
}

/**
 * What the files come to beside each other: their proportions only confirm, and two files for one place are asked about.
 * @param shapes of the files; null where one is not known
 */
export function settleMatches(
  paths: readonly string[],
  names: readonly (Verdict | null)[],
  shapes: readonly (Shape | null)[],
  { slot }: Pick<FolderWish, 'slot'>,
): Match[] {
  const single = names.map((named, at): Verdict | null => {
    if (named === null) return null;
    const shape = shapes[at] ?? null;
    const kept = doubtByShape(slot === null ? confirmByShape(named, shape) : keepToSlot(slot, named), shape);
    if (kept.places.length === 0 && named.places.length > 0) return null;
    const kind = kindOfFile(paths[at] ?? '');
    return kind === 'uploadable' ? kept : nothing(kind === 'odd' ? 'no_ending' : 'wrong_type');
  });
  const verdicts = requireCompany(
    single,
    paths.map((path) => foldersOf(path).join('/')),
  );
  const sure = verdicts.flatMap((one) => (one?.why === null ? one.places : []));
  const takers = groupedBy(sure, keyOfPlace);
  return verdicts.map((verdict, at): Match => {
    if (verdict === null) return { status: 'ignored', why: names[at] === null ? 'junk' : 'other_slot' };
    const { places, why, about, called } = verdict;
    const told = about === undefined ? {} : { about };
    const [place] = places;
    if (place === undefined) return { status: 'unmatched', why: why ?? 'says_nothing', ...told };
    if (why !== null) {
      return { status: 'ambiguous', places, why, ...told, ...(called === undefined ? {} : { called }) };
    }
    const isContested = (takers.get(keyOfPlace(place)) ?? []).length > 1;
    return isContested ? { status: 'ambiguous', places, why: 'several_files' } : { status: 'matched', place };
  });
}

function readerOf(
  paths: readonly string[],
  read: ReadWork,
  folder: string | null,
  alsoCalled: readonly string[],
): (path: string) => Verdict {
  if (read.work.target.kind !== 'show') {
    const index = indexWorks(read, alsoCalled);
    return (path) => matchAmongWorks(folder, foldersOf(path), stemIn(path), index);
  }
  const index = indexShow(read, alsoCalled);
  const pictures = paths.filter((path) => kindOfFile(path) !== 'junk');
  const byFolder = groupedBy(pictures, (path) => foldersOf(path).join('/'));
  const byInner = new Map(
    [...byFolder].map(([inner, own]) => {
      const numbers = own.flatMap((path) => numberAlone(stemIn(path), index));
      const folders = readFolders(folder, foldersOf(own[0] ?? ''), index);
      return [inner, { folders, counting: countingOf(numbers, index) }] as const;
    }),
  );
  return (path) => {
    const said = byInner.get(foldersOf(path).join('/'));
    return said === undefined
      ? nothing('says_nothing')
      : matchInShow(stemIn(path), said.folders, index, said.counting);
  };
}

function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1).map(decoded);
}

function stemIn(path: string): string {
  return stemOf(path.split('/').at(-1) ?? '');
}
