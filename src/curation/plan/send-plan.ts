import path from 'node:path';
import { ArtworkError, type Next } from '../../errors.ts';
import { isFileUri, parsePath } from '../../files/roots.ts';
import { paths } from '../../machine.ts';
import { countOf } from '../../model/words.ts';
import { askStatus } from '../../mutations/answer/next.ts';
import { MutationError, type MutationResult } from '../../mutations/answer/result.ts';
import type { PlannedFile, PlannedFiles } from '../../mutations/before/files.ts';
import type { Warning } from '../../mutations/change.ts';
import type { Mutations } from '../../mutations/mutations.ts';
import { cleanText } from '../../text.ts';
import {
  type AmbiguousEntry,
  countLater,
  filesOf,
  findFile,
  itemsOf,
  noFileError,
  type OfFile,
  type Plan,
  type PlannedPlace,
  planAgain,
} from './plan.ts';
import type { PlanStore } from './store.ts';

/** A file with its place, as the arguments of a Set's creation name it. */
interface NamedItem {
  readonly file: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/** An item as the arguments of a grouped edit name it: which fields belong together is checked with the edit. */
interface EditedItem extends Omit<NamedItem, 'file'> {
  readonly operation: 'add' | 'replace' | 'assign' | 'asset_metadata';
  readonly file?: string | undefined;
  readonly expectedPreviousAssetId?: string | undefined;
  readonly existingAssetId?: string | undefined;
  readonly expectedAssetUpdatedAt?: string | undefined;
}

/** A place in the words of arguments. */
export function namedPlace({ target, slot }: Pick<PlannedPlace, 'target' | 'slot'>) {
  return { targetKind: target.kind, targetId: target.id, slot };
}

/** The files of a plan as the arguments of a Set's creation name them, in the order of the catalogue. */
export function declaredFilesOf(plan: Plan): NamedItem[] {
  return itemsOf(plan).map(({ path: inner, place }) => {
    return { file: path.join(plan.folder, inner), ...namedPlace(place) };
  });
}

/** The files of a plan as the arguments of a Set's edit name them, in the same order. */
export function editItemsOf(plan: Plan): EditedItem[] {
  return itemsOf(plan).flatMap(({ path: inner, place, change }): EditedItem[] => {
    // What the Set has to the byte is never among the items.
    if (change.operation === 'unchanged') return [];
    return [{ file: path.join(plan.folder, inner), ...namedPlace(place), ...change }];
  });
}

/**
 * A plan that a mutation is made of.
 * @throws ArtworkError `not_found`
 */
export async function openPlan(
  planId: string,
  clientMutationId: string,
  store: PlanStore,
  mutations: Pick<Mutations, 'isKnown'>,
): Promise<Plan> {
  try {
    return await store.find(planId);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure !== 'not_found') throw error;
    // An earlier call may have made the mutation of it while it was still kept.
    if (!(await mutations.isKnown(clientMutationId))) throw error;
    const { failure, message, code } = error;
    const why = 'A call was made under this id while the plan was kept: this tells what became of it.';
    throw new ArtworkError(failure, message, { code, next: askStatus(clientMutationId, why), cause: error });
  }
}

/** What a call names beside a plan: what a person answered, or what is no file of the plan at all. */
export interface Item {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  /** As the plan shows it, an absolute path, or a `file:` URI. */
  readonly file?: string | undefined;
  readonly operation?: string | undefined;
}

/** What a call says beside a plan. */
interface Answers<Named> {
  readonly given: readonly Named[];
  /** The argument that holds the given ones. */
  readonly list: string;
  /** Files of the plan that stay out. */
  readonly leaveOut: readonly string[];
  /** A dry run shows what is open; a change is refused while anything is. */
  readonly dryRun: boolean;
}

/**
 * What is sent of a plan: the given items first, so that an error names them by their place in the call, then the
 * plan's own. What is given for a file or a place takes the place of what the plan says of it.
 * @param own the plan's items, as `itemsOf` orders them
 * @throws ArtworkError `invalid_arguments` while the plan asks about a file that the call does not decide, where
 * nothing is sent, or for a name that no file of the plan has
 */
export function itemsToSend<Named extends Item>(
  plan: Plan,
  own: readonly Named[],
  { given, list, leaveOut, dryRun }: Answers<Named>,
): { readonly items: readonly Named[]; readonly planned: PlannedFiles } {
  const byFile = new Map(filesOf(plan).map((entry) => [path.join(plan.folder, entry.path), entry]));
  const answers = given.map((item, at) => {
    return item.file === undefined
      ? item
      : { ...item, file: pathOf(plan, item.file, [list, String(at), 'file']) };
  });
  const out = leaveOut.map((name, at) => {
    const file = pathOf(plan, name, ['leaveOut', String(at)]);
    if (!byFile.has(file)) throw noFileError(name, 'none', ['leaveOut', String(at)]);
    return file;
  });
  const decided = new Set([...answers.flatMap(({ file }) => file ?? []), ...out]);
  const places = new Map(answers.flatMap((item) => (keyOf(item) === null ? [] : [[keyOf(item), item]])));
  const planned = itemsOf(plan);
  const kept = own.flatMap((item, at) => {
    const isTaken = decided.has(item.file ?? '') || places.has(keyOf(item));
    return isTaken ? [] : [{ item, entry: planned[at] ?? null }];
  });
  const open = openFiles(plan).filter((entry) => {
    if (decided.has(path.join(plan.folder, entry.path))) return false;
    // Where another file was named for each place that it may be for, it is decided too.
    const isTaken =
      entry.morePlaces === 0 && entry.places.every((place) => places.has(keyOf(namedPlace(place))));
    return !isTaken;
  });
  if (open.length > 0 && !dryRun) throw undecided(open, list);
  const items = [...answers, ...kept.map(({ item }) => item)];
  const again = planAgain(plan.asked);
  if (items.length === 0) throw nothingSent(list, again);
  const files = [
    ...answers.flatMap(({ file }) => (file === undefined ? [] : [plannedAs(byFile.get(file))])),
    ...kept.map(({ entry }) => plannedAs(entry ?? undefined, true)),
  ];
  const displaced = planned.filter(
    (entry) => !decided.has(path.join(plan.folder, entry.path)) && places.has(keyOf(namedPlace(entry.place))),
  );
  const warnings = [...warnOfOpen(open), ...warnOfLeft(plan, decided), ...warnOfDisplaced(displaced)];
  return { items, planned: { files, again, warnings } };
}

/** A place gets one picture; a change of metadata takes none. */
function keyOf({ targetKind, targetId, slot, operation }: Item): string | null {
  return operation === 'asset_metadata' ? null : `${targetKind} ${targetId} ${slot}`;
}

/** The files that a plan asks about. */
function openFiles({ entries }: Plan): AmbiguousEntry[] {
  return entries.filter((entry) => entry.status === 'ambiguous').filter(({ problem }) => problem === null);
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

/** What a file was when it was planned; null where the plan did not look at it. */
function plannedAs(entry: OfFile | undefined, isPlaced = false): PlannedFile | null {
  if (entry === undefined || !('picture' in entry) || entry.picture === null) return null;
  // What is said of it depends on the place that it gets; what files are to each other is told of those that are sent.
  const warnings = (entry.warnings ?? []).filter(({ code }) => code !== 'same_bytes');
  return { sha256: entry.picture.sha256, name: cleanText(entry.path), warnings: isPlaced ? warnings : null };
}

/** How many files a message names. */
const mostNamed = 20;

function undecided(open: readonly AmbiguousEntry[], list: string): ArtworkError {
  const named = open.slice(0, mostNamed);
  const message = `The plan asks about ${countOf(open.length, 'file')}: each has to be decided in ${list}, or left out in leaveOut.`;
  const issues = named.map((entry) => {
    return {
      code: 'undecided',
      message: `${cleanText(entry.path)}: ${entry.why.message}`.slice(0, 300),
      path: ['planId'],
    };
  });
  const why =
    'The person says what each of them is for, or that it stays out. Then the same call with that beside planId.';
  return new ArtworkError('invalid_arguments', message, { issues, next: { why } });
}

function nothingSent(list: string, again: Next): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    `No file of this plan is sent so: give what the person says of its files as ${list} beside planId, leave fewer out (leaveOut), or plan again.`,
    { issues: [{ code: 'plan', message: 'sends nothing', path: ['planId'] }], next: again },
  );
}

/** The error of a call that leaves files out although it names no plan. */
export function leaveOutWithoutPlanError(): ArtworkError {
  return new ArtworkError('invalid_arguments', 'leaveOut is for the files of a plan: give its planId.', {
    issues: [{ code: 'plan', message: 'needs planId', path: ['leaveOut'] }],
  });
}

/** The error of a plan that is for something else, or of none. */
export function wrongPlanError(message: string): ArtworkError {
  return new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'plan', message: 'for something else', path: ['planId'] }],
  });
}

function warnOfOpen(open: readonly OfFile[]): Warning[] {
  if (open.length === 0) return [];
  const message = `The plan asks about ${countOf(open.length, 'file')}: the call without dryRun is refused until each is decided or in leaveOut.`;
  return [{ code: 'undecided', message }];
}

function warnOfDisplaced(entries: readonly OfFile[]): Warning[] {
  const told = entries.slice(0, mostNamed).map((entry) => {
    return {
      code: 'displaced',
      message: `${cleanText(entry.path)} is left out: this call names something else for its place.`,
    };
  });
  const more = entries.length - told.length;
  if (more === 0) return told;
  return [...told, { code: 'displaced', message: `${more} more files are left out for the same reason.` }];
}

function warnOfLeft(plan: Plan, decided: ReadonlySet<string>): Warning[] {
  const left = filesOf(plan).filter((entry) => !decided.has(path.join(plan.folder, entry.path)));
  const unmatched = left.filter(({ status }) => status === 'unmatched').length;
  const broken = left.filter((entry) => 'problem' in entry && entry.problem !== null).length;
  const later = countLater(plan);
  const words = [
    ...(unmatched === 0 ? [] : [`${unmatched} that match nothing`]),
    ...(broken === 0 ? [] : [`${broken} with a problem`]),
    ...(later === 0 ? [] : [`${later} that follow with the next plan`]),
  ];
  if (words.length === 0) return [];
  const message = `Of the folder that was planned these files are left out: ${words.join(', ')}.`;
  return [{ code: 'left_out', message }];
}

/**
 * A mutation that is made of a plan: where a revision is not what the plan saw, what helps is a new plan. Of other
 * conflicts a new one would tell nothing, and the error leads where it does without a plan.
 * @throws ArtworkError as the mutation, with another `next`
 */
export async function ofPlan(
  plan: Plan,
  store: PlanStore,
  mutation: Promise<MutationResult>,
): Promise<MutationResult> {
  try {
    const result = await mutation;
    await keepNames(plan, result, store);
    return result;
  } catch (error) {
    if (!(error instanceof MutationError) || error.failure !== 'stale_revision') throw error;
    const { failure, message, code, status, details, issues, clientMutationId, outcome } = error;
    const why =
      'Something is not as it was planned: this plans anew, with what is there now. What a person has answered is given again beside the new planId.';
    const next = { ...planAgain(plan.asked), why };
    const facts = { code, status, details, issues, next, clientMutationId, outcome, cause: error };
    throw new MutationError(failure, message, facts);
  }
}

/** A change was made with these names of the work, so the person has confirmed them; a dry run or a failure confirms none. */
async function keepNames(
  { asked: { alsoCalled }, entry }: Plan,
  { outcome }: MutationResult,
  store: PlanStore,
): Promise<void> {
  if (!Array.isArray(alsoCalled) || !['succeeded', 'partial', 'processing'].includes(outcome)) return;
  try {
    await store.keepNames(entry, alsoCalled);
  } catch (error) {
    // The change is made, whatever becomes of its names: a later plan asks for them again.
    if (!(error instanceof ArtworkError)) throw error;
  }
}
