import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';
import { homeFolder, nameKey } from '../machine.ts';

/** The open folders, as they are on the disk. */
interface Roots {
  /** Without links. */
  readonly real: readonly string[];
  /** The path without links of what lies in them; null for anything else, whether it exists or not. */
  locate(file: string): Promise<string | null>;
}

/**
 * The path that people mean by one that names nothing here: by its name alone, from their home folder (`~`), as another
 * system writes it, or with another ending. Only what lies in an open folder is looked at. Null where nothing there can be
 * meant, or more than one thing can.
 * @param sort what is named
 */
export async function pathMeant(
  given: string,
  sort: 'file' | 'folder',
  roots: Roots,
): Promise<string | null> {
  if (given.length > longest || /^[a-z][a-z\d+.-]+:/i.test(given)) return null;
  const names = given.split(/[\\/]+/).filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.length > deepest || names.includes('..')) return null;
  const places = placesFor(given, names, roots.real);
  const found = await Promise.all(places.map((place) => thatIs(place, sort, roots)));
  const there = new Map(found.flatMap((one) => (one === null ? [] : [[one.real, one.place] as const])));
  const [only, ...more] = there.values();
  if (only !== undefined) return more.length === 0 ? only : null;
  return sort === 'file' && path.isAbsolute(given) ? withOtherEnding(given, roots) : null;
}

const longest = 4_096;
const deepest = 40;

/** A path that is whole says more than its last name, which many folders have: one of its folders has to be known. */
function placesFor(given: string, names: readonly string[], roots: readonly string[]): string[] {
  const [first = '', ...rest] = names;
  if (first === '~') {
    const home = homeFolder();
    return home === null ? [] : [path.join(home, ...rest)];
  }
  const isWhole = path.isAbsolute(given) || /^([a-z]:)?[\\/]|^[a-z]:/i.test(given);
  return roots.flatMap((root) => {
    const named = names.lastIndexOf(path.basename(root));
    const below = named < 0 ? [] : [path.join(root, ...names.slice(named + 1))];
    const ends = names.flatMap((_, at) =>
      isWhole ? (at === names.length - 1 ? [] : [names.slice(at)]) : [],
    );
    return [...below, ...(isWhole ? ends : [names]).map((end) => path.join(root, ...end))];
  });
}

async function thatIs(
  place: string,
  sort: 'file' | 'folder',
  roots: Roots,
): Promise<{ readonly place: string; readonly real: string } | null> {
  const real = await roots.locate(place);
  if (real === null) return null;
  const status = await orNull(lstat(real));
  const isSort = sort === 'file' ? status?.isFile() : status?.isDirectory();
  return isSort === true ? { place, real } : null;
}

/** The only picture beside it whose name differs in its ending, its case or its separators alone. */
async function withOtherEnding(given: string, roots: Roots): Promise<string | null> {
  const folder = await roots.locate(path.dirname(given));
  if (folder === null) return null;
  const wanted = stemOf(path.basename(given));
  const names = (await orNull(readdir(folder))) ?? [];
  const [only, ...more] = names.filter((name) => picture.test(name) && stemOf(name) === wanted);
  if (only === undefined || more.length > 0) return null;
  return (await thatIs(path.join(folder, only), 'file', roots)) === null ? null : path.join(folder, only);
}

const picture = /\.(png|jpe?g|webp|gif)$/i;

function stemOf(name: string): string {
  return nameKey(path.parse(name).name).replace(/[\s_.-]+/g, ' ');
}

async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}
