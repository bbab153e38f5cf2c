import path from 'node:path';
import { ArtworkError } from '../../errors.ts';
import { isFileUri, parsePath } from '../../files/roots.ts';
import { paths } from '../../machine.ts';
import type { PlannedFile } from '../../mutations/before/files.ts';
import { cleanText } from '../../text.ts';
import { filesOf, findFile, noFileError, type OfFile, type Plan, type PlannedPlace } from './plan.ts';
import type { PlanPart } from './store.ts';

/** A file with its place, as the arguments of a Set's creation name it. */
export interface NamedItem {
  readonly file: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/** An item as the arguments of a grouped edit name it: which fields belong together is checked with the edit. */
export interface EditedItem extends Omit<NamedItem, 'file'> {
  readonly operation: 'add' | 'replace' | 'assign' | 'asset_metadata';
  readonly file?: string | undefined;
  readonly expectedPreviousAssetId?: string | undefined;
  readonly existingAssetId?: string | undefined;
  readonly expectedAssetUpdatedAt?: string | undefined;
}

/** The files of a plan as the arguments of a Set's creation would name them, in the same order. */
export function declaredFilesOf({ plan, items }: PlanPart): NamedItem[] {
  return items.map(({ path: inner, place }) => ({
    file: path.join(plan.folder, inner),
    ...namedPlace(place),
  }));
}

/** A place in the words of arguments. */
export function namedPlace({ target, slot }: Pick<PlannedPlace, 'target' | 'slot'>) {
  return { targetKind: target.kind, targetId: target.id, slot };
}

/** The files of a plan as the arguments of a Set's edit would name them, in the same order. */
export function editItemsOf(found: PlanPart): EditedItem[] {
  const files = declaredFilesOf(found);
  return found.items.flatMap(({ change }, at): EditedItem[] => {
    const item = files[at];
    // What the Set has to the byte is never among the items.
    return item === undefined || change.operation === 'unchanged' ? [] : [{ ...item, ...change }];
  });
}

/** What each of them was when it was planned, in the same order. */
export function plannedFilesOf({ items }: PlanPart): PlannedFile[] {
  return items.map(({ path: inner, picture: { sha256 }, warnings }) => ({
    name: cleanText(inner),
    sha256,
    // What the files are to each other is told of those that are sent, when they are.
    warnings: warnings.filter(({ code }) => code !== 'same_bytes'),
  }));
}

/** An item that a call names beside a plan: what a person answered, or what is no file of the plan at all. */
interface Given {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  /** As the plan shows it, an absolute path, or a `file:` URI. */
  readonly file?: string | undefined;
  readonly filename?: string | undefined;
  readonly operation?: string | undefined;
}

interface WithAnswers<Item> {
  /**
   * The given ones, so that an error names them by their place in the call; then the plan's, in their order, without
   * those that the given ones take the place of.
   */
  readonly items: readonly Item[];
  /** What each with a file was when it was planned; null: the plan does not know it. */
  readonly files: readonly (PlannedFile | null)[];
  /** Of the plan's files: those that the answers leave no question about. */
  readonly answered: ReadonlySet<string>;
  /** The plan's files that are not sent, since a call names something else for their place. */
  readonly displaced: readonly Displaced[];
}

/** Names as a plan shows them. */
export interface Displaced {
  readonly file: string;
  /** Null: what takes the place is no file. */
  readonly by: string | null;
}

/** What a call says beside a plan. */
export interface Answers<Item> {
  readonly given: readonly Item[];
  /** The argument that holds the given ones. */
  readonly list: string;
  /** Files of the plan that stay out. */
  readonly leaveOut: readonly string[];
}

/**
 * A plan's items and those of the call together. What is named for a place, or names a file, takes the place of what
 * the plan says of that place or file.
 * @param planned what each of the plan's items was, in the same order
 * @throws ArtworkError `invalid_arguments` for a name that no file of the plan has
 */
export function withAnswers<Item extends Given>(
  plan: Plan,
  items: readonly Item[],
  planned: readonly PlannedFile[],
  { given, list, leaveOut }: Answers<Item>,
): WithAnswers<Item> {
  const byPath = new Map(filesOf(plan).map((entry) => [path.join(plan.folder, entry.path), entry]));
  const answers = given.map((item, at) => {
    if (item.file === undefined) return { item, entry: null };
    const file = pathOf(plan, item.file, [list, String(at), 'file']);
    return { item: { ...item, file }, entry: byPath.get(file) ?? null };
  });
  const out = leaveOut.map((name, at) => pathOf(plan, name, ['leaveOut', String(at)]));
  for (const [at, file] of out.entries()) {
    if (!byPath.has(file)) throw noFileError(leaveOut[at] ?? '', 'none', ['leaveOut', String(at)]);
  }
  const places = new Map(
    answers.map(({ item, entry }) => [placeOf(item), nameOf(item.file, entry)] as const),
  );
  const taken = new Set([
    ...answers.map(({ item }) => item).flatMap(takenBy),
    ...out.map((file) => `file ${file}`),
  ]);
  const kept = items
    .map((item, at) => ({ item, file: planned[at] ?? null }))
    .filter(({ item }) => !takenBy(item).some((one) => taken.has(one)));
  const withFiles = answers.filter(({ item }) => item.file !== undefined);
  return {
    items: [...answers, ...kept].map(({ item }) => item),
    files: [
      ...withFiles.map(({ entry }) => (entry === null ? null : plannedAs(entry))),
      ...kept.map(({ file }) => file),
    ],
    answered: new Set([...byPath].flatMap(([file, one]) => (isAnswered(one, file, taken) ? [one.path] : []))),
    displaced: [...byPath].flatMap(([file, one]) => {
      if (one.status !== 'matched' || taken.has(`file ${file}`)) return [];
      const by = places.get(placeOf(namedPlace(one.place)));
      return by === undefined ? [] : [{ file: cleanText(one.path), by }];
    }),
  };
}

/** Also of what is for a place that another file was named for. */
function isAnswered(entry: OfFile, file: string, taken: ReadonlySet<string>): boolean {
  if (taken.has(`file ${file}`)) return true;
  if (entry.status !== 'matched' && (entry.status !== 'ambiguous' || entry.morePlaces > 0)) return false;
  const places = entry.status === 'matched' ? [entry.place] : entry.places;
  return places.every((place) => takenBy(namedPlace(place)).some((one) => taken.has(one)));
}

/** A place gets one picture; a change of metadata takes none. */
function takenBy({ targetKind, targetId, slot, file, operation }: Given): string[] {
  const place = placeOf({ targetKind, targetId, slot, operation });
  return [...(place === null ? [] : [place]), ...(file === undefined ? [] : [`file ${file}`])];
}

function placeOf({ targetKind, targetId, slot, operation }: Given): string | null {
  return operation === 'asset_metadata' ? null : `place ${targetKind} ${targetId} ${slot}`;
}

/** A file of the plan as it is shown, another by its own name. */
function nameOf(file: string | undefined, entry: OfFile | null): string | null {
  if (entry !== null) return cleanText(entry.path);
  return file === undefined ? null : cleanText(path.basename(file));
}

/** Names that are no path are the plan's own; what is wrong with a path is told when it is opened. */
function pathOf(plan: Plan, given: string, at: readonly string[]): string {
  if (!isFileUri(given) && !paths.syntax.isAbsolute(given)) return findFile(plan, given, at);
  try {
    return parsePath(given);
  } catch (error) {
    if (error instanceof ArtworkError) return given;
    throw error;
  }
}

/** Null where the plan did not look at it. What is said of it depends on the place that it gets. */
function plannedAs(entry: OfFile): PlannedFile | null {
  if (!('picture' in entry) || entry.picture === null) return null;
  return { sha256: entry.picture.sha256, name: cleanText(entry.path), warnings: null };
}
