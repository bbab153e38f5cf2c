import { ArtworkError, invalidArguments } from '../../errors.ts';
import { isFileUri, parsePath } from '../../files/roots.ts';
import { paths } from '../../machine.ts';
import { countOf } from '../../model/words.ts';
import { openQuestions } from '../../mutations/answer/dry-run.ts';
import { MutationError, type MutationResult } from '../../mutations/answer/result.ts';
import type { PlannedFile, PlannedFiles } from '../../mutations/before/files.ts';
import type { Warning } from '../../mutations/change.ts';
import { cleanText } from '../../text.ts';
import {
  type AmbiguousEntry,
  type FileEntry,
  filesOf,
  findFile,
  itemsOf,
  type MatchedEntry,
  noFileError,
  type Plan,
  type PlannedPlace,
  pathOf,
  planAgain,
} from './plan.ts';

/** A file or an Asset with its place, as the arguments of a Set's creation or edit name it. */
export interface Item {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  /** As the plan shows it, an absolute path, or a `file:` URI. */
  readonly file?: string | undefined;
  readonly operation?: string | undefined;
}

/** A place in the words of arguments. */
export function argumentsOfPlace({ target, slot }: Pick<PlannedPlace, 'target' | 'slot'>) {
  return { targetKind: target.kind, targetId: target.id, slot };
}

/** What a call says beside a plan. */
interface Answers {
  readonly given: readonly Item[];
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
 * @throws ArtworkError `invalid_arguments` while the plan asks about a file that the call does not decide, where
 * nothing is sent, or for a name that no file of the plan has
 */
export function itemsToSend(
  plan: Plan,
  { given, list, leaveOut, dryRun }: Answers,
): { readonly items: readonly Item[]; readonly planned: PlannedFiles } {
  const files = filesOf(plan);
  const byPath = new Map(files.map((entry) => [pathOf(plan, entry), entry]));
  const answers = given.map((item, at) => {
    const { file } = item;
    return file === undefined ? item : { ...item, file: pathGiven(plan, file, [list, String(at), 'file']) };
  });
  const out = leaveOut.map((name, at) => {
    const place = ['leaveOut', String(at)];
    const file = pathGiven(plan, name, place);
    if (!byPath.has(file)) throw noFileError(name, place);
    return file;
  });
  const decided = new Set([...answers.flatMap(({ file }) => file ?? []), ...out]);
  const undecided = files.filter((entry) => !decided.has(pathOf(plan, entry)));
  const filled = new Set(answers.map(keyOf));
  const isFilled = (place: PlannedPlace) => filled.has(keyOf(argumentsOfPlace(place)));

  const asked = undecided.filter((entry) => entry.status === 'ambiguous');
  const open = asked.filter(({ problem }) => problem === null);
  if (open.length > 0 && !dryRun) throw undecidedError(open, list);

  const own = itemsOf(plan).filter((entry) => !decided.has(pathOf(plan, entry)));
  const kept = own.filter(({ place }) => !isFilled(place));
  const items = [...answers, ...kept.map((entry) => itemOf(plan, entry))];
  const again = planAgain(plan.asked);
  if (items.length === 0) {
    const message = `has no file left: give the person's answers as ${list}, leave fewer out (leaveOut), or plan again`;
    throw invalidArguments('Nothing would be sent', [{ code: 'plan', message, path: ['planId'] }], again);
  }
  const unusable = undecided.filter((one) =>
    'problem' in one ? one.problem !== null : one.status === 'unmatched',
  );
  const left = [...unusable, ...own.filter(({ place }) => isFilled(place))];
  const asks = open.length === 0 ? [] : [{ code: openQuestions, message: questionsWords(open, list) }];
  const isLeftOut = { code: 'left_out', message: `Not sent: ${listed(left)}.` };
  const planned: PlannedFiles = {
    files: [
      ...answers.flatMap(({ file }) => (file === undefined ? [] : [plannedAs(byPath.get(file), null)])),
      ...kept.map((entry) => plannedAs(entry, entry.warnings)),
    ],
    again,
    warnings: left.length === 0 ? asks : [...asks, isLeftOut],
  };
  return { items, planned };
}

function itemOf(plan: Plan, entry: MatchedEntry): Item {
  const change = plan.set === null ? {} : entry.change;
  return { file: pathOf(plan, entry), ...argumentsOfPlace(entry.place), ...change };
}

/** A place gets one picture; a change of metadata takes none. */
function keyOf({ targetKind, targetId, slot, operation }: Item): string | null {
  return operation === 'asset_metadata' ? null : `${targetKind} ${targetId} ${slot}`;
}

/** Names that are no path are the plan's own. */
function pathGiven(plan: Plan, given: string, at: readonly string[]): string {
  return isFileUri(given) || paths.syntax.isAbsolute(given) ? parsePath(given) : findFile(plan, given, at);
}

/**
 * What a file was when it was planned; null where the plan did not look at it.
 * @param said of it in its place; null: it gets another place
 */
function plannedAs(entry: FileEntry | undefined, said: readonly Warning[] | null): PlannedFile | null {
  if (entry === undefined || !('picture' in entry) || entry.picture === null) return null;
  return { sha256: entry.picture.sha256, name: cleanText(entry.path), warnings: said };
}

/** How many files a message names. */
const mostNamed = 10;

function questionsWords(open: readonly AmbiguousEntry[], list: string): string {
  return `The plan asks about ${countOf(open.length, 'file')}: ${listed(open)}. Decide each in ${list}, or leave it out in leaveOut.`;
}

function undecidedError(open: readonly AmbiguousEntry[], list: string): ArtworkError {
  const issues = open.slice(0, mostNamed).map(({ path: inner, why: { message } }) => {
    return { code: 'undecided', message: `${cleanText(inner)}: ${message}`.slice(0, 300), path: ['planId'] };
  });
  const why = 'Ask the person what each is for. Then make the same call with the answers beside planId.';
  return new ArtworkError('invalid_arguments', questionsWords(open, list), { issues, next: { why } });
}

/** The error of arguments that don't fit a plan; `problem` follows the argument's name. */
export function wrongPlanError(problem: string, argument = 'planId'): ArtworkError {
  return invalidArguments('The plan does not fit', [{ code: 'plan', message: problem, path: [argument] }]);
}

function listed(entries: readonly FileEntry[]): string {
  const named = entries.slice(0, mostNamed).map((entry) => cleanText(entry.path));
  return [...named, ...(entries.length > mostNamed ? [`${entries.length - mostNamed} more`] : [])].join(', ');
}

/**
 * A mutation that is made of a plan: where a revision is not what the plan saw, what helps is a new plan. Of other
 * conflicts a new one would tell nothing, and the error leads where it does without a plan.
 * @throws ArtworkError as the mutation, with another `next`
 */
export async function ofPlan({ asked }: Plan, mutation: Promise<MutationResult>): Promise<MutationResult> {
  try {
    return await mutation;
  } catch (error) {
    if (!(error instanceof MutationError) || error.failure !== 'stale_revision') throw error;
    throw error.leadingTo(planAgain(asked));
  }
}
