import { groupedBy } from '../../grouped-by.ts';
import { codeOf, joinRuns } from '../../model/target.ts';
import { cleanText } from '../../text.ts';
import {
  filesByName,
  type MatchedEntry,
  type OfFile,
  type Plan,
  type PlanEntry,
  type PlannedPlace,
} from './plan.ts';
import { argumentsOfPlace } from './send-plan.ts';

/** A row of a plan's pages: an entry, or several of which the same is said. */
interface PlanRow {
  /** File names, as titles, are other people's writing. */
  readonly shown: ShownEntry;
  /** The file whose picture can be looked at; null: there is none. */
  readonly file: OfFile | null;
}

/**
 * A file with its place (`target`, `slot`, `size` in pixels), or with its `ask` and its `candidates`, each of which is
 * an item of the call that takes the plan but for its label and the file; a place without a file; or of several of these
 * their `count`, and `which`.
 */
interface ShownEntry extends Readonly<Record<string, unknown>> {
  readonly status: PlanEntry['status'] | 'warned';
  readonly ask?: string;
}

/** Places without a file, and matched files, are told one by one with their ids where they are few. */
export const fewApart = 5;

/**
 * The rows of a plan: first what a person has to look at, then what is missing, last the matched files, of which
 * `matchedIn` tells in short. What is to be said alike of several is said once.
 */
export function rowsOf(plan: Plan): { readonly open: PlanRow[]; readonly matched: PlanRow[] } {
  const entries = [...plan.entries].sort((one, other) => urgencyOf(one) - urgencyOf(other));
  const groups = groupedBy(entries, sharedIn);
  const asked = new Set<string>();
  const rowOf = (entry: PlanEntry): PlanRow => ({ shown: shownAlone(entry, plan), file: pictured(entry) });
  const open = entries.flatMap((entry): PlanRow[] => {
    const shared = sharedIn(entry);
    const group = shared === null ? [entry] : (groups.get(shared) ?? []);
    if (isMatched(entry) && shared === null) return [];
    if (isMatched(entry) || group.length > (entry.status === 'missing' ? fewApart : 1))
      return entry === group[0] ? [{ shown: shownTogether(entry, group), file: null }] : [];
    const { shown, file } = rowOf(entry);
    const { ask, ...rest } = shown;
    // One question for several files is asked with the first of them.
    if (ask === undefined || asked.has(ask)) return [{ shown: rest, file }];
    asked.add(ask);
    return [{ shown, file }];
  });
  const { moreMissing: count } = plan;
  const why = 'More places without a file, which are only counted.';
  if (count > 0) open.push({ shown: { status: 'missing', count, why }, file: null });
  return { open, matched: entries.filter(isMatched).map(rowOf) };
}

/** It has its place, and can be sent. */
function isMatched(entry: PlanEntry): entry is MatchedEntry {
  return entry.status === 'matched' && entry.problem === null;
}

/**
 * What the matched files are for, by slot and season, as a person tells it: `{kind, season, slot, count, which,
 * missing}`; of an edit with its `operation`. Files that can't be sent don't count, places without a file do.
 */
export function matchedIn({ entries, set }: Plan): Readonly<Record<string, unknown>>[] {
  const ofWhat = ({ place: { target, slot } }: { readonly place: PlannedPlace }) =>
    `${target.kind} ${target.kind === 'episode' ? target.season : ''} ${slot}`;
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
    const { target, slot } = first.place;
    const missing = lacking.get(ofWhat(first))?.length ?? 0;
    return {
      kind: target.kind,
      ...(target.kind === 'episode' ? { season: target.season } : {}),
      slot,
      ...(set === null ? {} : { operation: first.change.operation }),
      count: group.length,
      which: joinRuns(group.map(({ place }) => nameOf(place))).slice(0, mostNamed),
      ...(missing === 0 ? {} : { missing }),
    };
  });
}

/** The names of the files of these rows that can be looked at. What shares its name with another can't be named. */
export function picturesIn(plan: Plan, rows: readonly PlanRow[]): string[] {
  const byName = filesByName(plan);
  return rows.flatMap(({ file }) => {
    const name = file === null ? '' : cleanText(file.path);
    return byName.get(name.normalize())?.length === 1 ? [name] : [];
  });
}

function urgencyOf(entry: PlanEntry): number {
  if ('problem' in entry && entry.problem !== null) return 0;
  switch (entry.status) {
    case 'ambiguous':
      return 1;
    case 'matched':
      return entry.warnings.length > 0 ? 2 : 5;
    case 'unmatched':
    case 'ignored':
      return 3;
    case 'missing':
      return 4;
  }
}

/** What entries have in common that can be told of all at once; null for what is told by itself. */
function sharedIn(entry: PlanEntry): string | null {
  switch (entry.status) {
    case 'missing':
      return `missing ${entry.place.target.kind} ${entry.place.slot}`;
    case 'ignored':
    case 'unmatched':
      return `${entry.status} ${entry.why.message}`;
    case 'ambiguous':
      return entry.called === undefined || entry.problem !== null ? null : `called ${entry.ask}`;
    case 'matched':
      if (entry.problem !== null || entry.warnings.length === 0) return null;
      return `warned ${entry.warnings.map(({ code }) => code).join(' ')}`;
  }
}

/** What matches nothing was not looked at, and is tried. */
function pictured(entry: PlanEntry): OfFile | null {
  if (entry.status === 'unmatched') return entry.why.code === 'wrong_type' ? null : entry;
  return 'picture' in entry && entry.picture !== null ? entry : null;
}

/** How many of those that come together are named. */
const mostNamed = 40;

function shownTogether(first: PlanEntry, group: readonly PlanEntry[]): ShownEntry {
  const { status } = first;
  const names = group.map((entry) => ('path' in entry ? cleanText(entry.path) : nameOf(entry.place)));
  const some = (which: readonly string[]) => ({ count: group.length, which: which.slice(0, mostNamed) });
  if (first.status === 'missing') {
    const { target, slot } = first.place;
    return { status, kind: target.kind, slot, ...some(joinRuns(names)) };
  }
  const why = 'why' in first ? { why: first.why.message } : {};
  // Of the first: what they say of sizes and names differs.
  if (first.status === 'matched') return { status: 'warned', warnings: first.warnings, ...some(names) };
  return { status, ...why, ...('ask' in first ? { ask: first.ask } : {}), ...some(names) };
}

/** Of an episode its number, without its title. */
function nameOf({ target, label }: PlannedPlace): string {
  return (target.kind === 'episode' && codeOf(target)) || label;
}

function shownAlone(entry: PlanEntry, { set }: Plan): ShownEntry {
  if (entry.status === 'missing') return { status: entry.status, ...placed(entry.place) };
  const named = { status: entry.status, file: cleanText(entry.path) };
  if (!('picture' in entry)) return { ...named, why: entry.why.message };
  const { picture, problem, warnings = [] } = entry;
  const looked = {
    ...(picture?.width == null ? {} : { size: `${picture.width}×${picture.height}` }),
    ...(problem === null ? {} : { problem }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  if (entry.status === 'matched') {
    const operation = set === null ? {} : { operation: entry.change.operation };
    return { ...named, ...placed(entry.place), ...operation, ...looked };
  }
  const candidates = entry.places.map(({ change, label, ...place }) => {
    return { ...change, ...argumentsOfPlace(place), label };
  });
  return { ...named, why: entry.why.message, ask: entry.ask, candidates, ...looked };
}

function placed({ target: { kind, id }, slot, label }: PlannedPlace) {
  return { target: { kind, id, label }, slot };
}
