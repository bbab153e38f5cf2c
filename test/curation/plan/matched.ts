import { entriesOf } from '../../../src/curation/plan/entries.ts';
import { readNames } from '../../../src/curation/plan/match.ts';
import type { FileEntry } from '../../../src/curation/plan/plan.ts';
import type { ReadWork } from '../../../src/curation/read-work.ts';
import { kindOfFile } from '../../../src/model/names/file-name.ts';
import type { Slot } from '../../../src/model/slots.ts';
import { keyOfPlace } from '../../../src/model/target.ts';
import type { NamedFile, Place } from '../../model/names/types.ts';
import { targetsOf } from './targets-of.ts';

export interface Wish {
  readonly slot?: Slot | null;
  /** What the chosen folder is called. */
  readonly name?: string | null;
  readonly alsoCalled?: readonly string[];
}

/** What a plan makes of the names of one folder's files, in their order; none of them is looked at. */
export function entriesFor(
  files: readonly string[],
  read: ReadWork,
  { slot = null, name = null, alsoCalled = [] }: Wish = {},
): (FileEntry | undefined)[] {
  const paths = files.filter((file) => kindOfFile(file) !== 'junk');
  const names = readNames(paths, read, { name, alsoCalled });
  const entries = entriesOf({ paths, names, read, slot, alsoCalled, looks: new Map() });
  return files.map((file) => entries.find((entry) => entry.path === file));
}

/** What a plan makes of a name of the corpus, beside the other files of its folder. */
export function entryFor({ context, path, beside }: NamedFile, wish: Wish = {}): FileEntry | undefined {
  return entriesFor([path, ...beside], targetsOf(context), wish)[0];
}

/** The places that a file may be for, the likeliest first. */
export function placesOf(entry: FileEntry | undefined): string[] {
  if (entry?.status === 'matched') return [keyOfPlace(entry.place)];
  return entry?.status === 'ambiguous' ? entry.places.map(keyOfPlace) : [];
}

/**
 * `right`: as its row wants it, without a question, or with one that names the right place first. `asked`: with such a
 * question where none was needed. `otherwise`: with another question, or left out. `wrong`: taken for what it is not.
 */
export type Grade = 'right' | 'asked' | 'otherwise' | 'wrong';

export function gradeOf(entry: FileEntry | undefined, { expected }: NamedFile): Grade {
  const keyOf = ({ targetKind, targetId, slot }: Place) => `${targetKind} ${targetId} ${slot}`;
  const [first] = placesOf(entry);
  const isTaken = entry?.status === 'matched';
  if ('match' in expected) {
    if (first !== keyOf(expected.match)) return isTaken ? 'wrong' : 'otherwise';
    return isTaken ? 'right' : 'asked';
  }
  if (isTaken) return 'wrong';
  if ('ambiguous' in expected)
    return first !== undefined && expected.ambiguous.map(keyOf).includes(first) ? 'right' : 'otherwise';
  return first === undefined ? 'right' : 'otherwise';
}
