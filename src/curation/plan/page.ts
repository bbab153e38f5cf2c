import { groupedBy } from '../../grouped-by.ts';
import { joinRuns } from '../../model/target.ts';
import { cleanText } from '../../text.ts';
import {
  type AmbiguousEntry,
  type FileEntry,
  filesOf,
  type MatchedEntry,
  type Plan,
  type PlanEntry,
  type PlannedPlace,
  shownName,
} from './plan.ts';
import { argumentsOfPlace } from './send-plan.ts';

/**
 * A row of a plan's pages, of an entry or of several of which the same is said. `status`, and of a file its `file`
 * with its `target`, `slot` and `size` in pixels, or with its `ask` and its `candidates`, each of which is an item of
 * the call that takes the plan but for its label and the file; of several the `count`, and `which`. File names, as
 * titles, are other people's writing.
 */
export type PlanRow = Readonly<Record<string, unknown>>;

/**
 * The rows of a plan: first what a person has to look at, then what is missing, last the matched files, of which
 * `matchedIn` tells in short. What is to be said alike of several is said once.
 */
export function rowsOf(plan: Plan): { readonly open: PlanRow[]; readonly matched: PlanRow[] } {
  const entries = [...plan.entries].sort((one, other) => urgencyOf(one) - urgencyOf(other));
  const isPlain = (entry: PlanEntry) => isMatched(entry) && entry.warnings.length === 0;
  const groups = groupedBy(
    entries.filter((entry) => !isPlain(entry)),
    sharedIn,
  );
  const open = [...groups.values()].flatMap((group) => rowOfGroup(group, plan));
  return { open, matched: entries.filter(isMatched).map((entry) => rowOf(entry, plan)) };
}

/** The names of the files that can be looked at, those that are not matched first. */
export function picturesIn(plan: Plan): string[] {
  return filesOf(plan).flatMap((entry) => {
    // What matches nothing was not looked at, and is tried.
    const isTried = entry.status === 'unmatched' && entry.why.code !== 'wrong_type';
    return isTried || ('picture' in entry && entry.picture !== null) ? [shownName(entry)] : [];
  });
}

/**
 * What the matched files are for, by slot and season, as a person tells it: `{kind, season, slot, count, which,
 * missing}`; of an edit with its `operation`. Files that can't be sent don't count, places without a file do.
 */
export function matchedIn({ entries, set }: Plan): PlanRow[] {
  const ofWhat = ({ place: { target, season, slot } }: { readonly place: PlannedPlace }) =>
    `${target.kind} ${target.kind === 'episode' ? season : ''} ${slot}`;
  const lacking = groupedBy(
    entries.filter((entry) => entry.status === 'missing'),
    ofWhat,
  );
  const groups = groupedBy(
    entries.filter(isMatched),
    (entry) => `${entry.change.operation} ${ofWhat(entry)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { target, season, slot } = first.place;
    const missing = lacking.get(ofWhat(first))?.length ?? 0;
    return {
      kind: target.kind,
      ...(target.kind === 'episode' ? { season } : {}),
      slot,
      ...(set === null ? {} : { operation: first.change.operation }),
      ...countOfThese(group.map(({ place }) => nameOf(place))),
      ...(missing === 0 ? {} : { missing }),
    };
  });
}

/** It has its place, and can be sent. */
function isMatched(entry: PlanEntry): entry is MatchedEntry {
  return entry.status === 'matched' && entry.problem === null;
}

function urgencyOf(entry: PlanEntry): number {
  if ('problem' in entry && entry.problem !== null) return 0;
  if (entry.status === 'matched') return entry.warnings.length > 0 ? 2 : 5;
  return { ambiguous: 1, unmatched: 3, ignored: 3, missing: 4 }[entry.status];
}

/** What entries have in common that is told of all of them at once. */
function sharedIn(entry: PlanEntry): string {
  if (entry.status === 'missing') return `missing ${entry.place.target.kind} ${entry.place.slot}`;
  if ('problem' in entry && entry.problem !== null) return `problem ${entry.path}`;
  if (entry.status === 'ambiguous') return `ask ${entry.ask}`;
  if (entry.status === 'matched') return `warned ${entry.warnings.map(({ code }) => code).join(' ')}`;
  return `${entry.status} ${entry.why.message}`;
}

function rowOfGroup(group: readonly PlanEntry[], plan: Plan): PlanRow[] {
  const [first] = group;
  if (first === undefined) return [];
  const { status } = first;
  const names = group.map((entry) => ('path' in entry ? cleanText(entry.path) : nameOf(entry.place)));
  if (first.status === 'missing') {
    const { target, slot } = first.place;
    return [{ status, kind: target.kind, slot, ...countOfThese(names) }];
  }
  // Of the first: what they say of sizes and names differs.
  if (isMatched(first)) return [{ status: 'warned', warnings: first.warnings, ...countOfThese(names) }];
  if (group.length === 1) return [rowOf(first, plan)];
  if (first.status !== 'ambiguous')
    return [{ status, ...('why' in first ? { why: first.why.message } : {}), ...countOfThese(names) }];
  // Rivals for one place have the same candidates; of others the answer is another plan.
  const candidates = first.why.code === 'several_files' ? { candidates: candidatesOf(first) } : {};
  return [{ status, why: first.why.message, ask: first.ask, ...candidates, ...countOfThese(names) }];
}

/** How many of those that come together are named. */
const mostNamed = 40;

function countOfThese(names: readonly string[]) {
  return { count: names.length, which: joinRuns(names).slice(0, mostNamed) };
}

/** Of an episode its number, without its title. */
function nameOf({ target, code, label }: PlannedPlace): string {
  return (target.kind === 'episode' && code) || label;
}

function candidatesOf({ places }: AmbiguousEntry) {
  return places.map((place) => ({ ...place.change, ...argumentsOfPlace(place), label: place.label }));
}

function rowOf(entry: FileEntry, { set }: Plan): PlanRow {
  const named = { status: entry.status, file: cleanText(entry.path) };
  if (!('picture' in entry)) return { ...named, why: entry.why.message };
  const { picture, problem, warnings } = entry;
  const looked = {
    ...(picture?.width == null ? {} : { size: `${picture.width}×${picture.height}` }),
    ...(problem === null ? {} : { problem }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  if (entry.status === 'ambiguous')
    return { ...named, why: entry.why.message, ask: entry.ask, candidates: candidatesOf(entry), ...looked };
  const { target, slot, label } = entry.place;
  const operation = set === null ? {} : { operation: entry.change.operation };
  return { ...named, target: { ...target, label }, slot, ...operation, ...looked };
}
