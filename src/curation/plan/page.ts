import { groupedBy } from '../../grouped-by.ts';
import { codeOf, joinRuns } from '../../model/target.ts';
import { cleanText } from '../../text.ts';
import {
  namesOfFiles,
  type OfFile,
  type Plan,
  type PlanEntry,
  type PlannedPicture,
  type PlannedPlace,
  type Said,
} from './plan.ts';
import { namedPlace } from './send-plan.ts';

/** A call that shows pictures of the page. */
interface ViewCall {
  readonly tool: 'view_artwork';
  readonly arguments: { readonly planId: string; readonly items: readonly { readonly file: string }[] };
  readonly why: string;
}

interface PlanPage {
  readonly entries: readonly ShownEntry[];
  /** At most one: of what has to be seen first. */
  readonly view: readonly ViewCall[];
  readonly nextOffset: number | null;
  /** Rows of all pages. */
  readonly total: number;
}

/** What one contact sheet shows at most. */
const mostOnSheet = 24;

/**
 * A page of a plan, and the call that shows its pictures.
 * @param budget characters of JSON for all of it
 */
export function planPageOf(plan: Plan, offset: number, limit: number, budget: number): PlanPage {
  const rows = rowsOf(plan);
  const nameOf = namesOfFiles(plan);
  const page: PlanRow[] = [];
  const asked = new Set<string>();
  let left = budget;
  for (const whole of rows.slice(offset, offset + limit)) {
    const row = askedOnce(whole, asked);
    const picture = pictureIn(row);
    left -= JSON.stringify(row.shown).length + 16;
    if (picture !== null) left -= nameOf(picture).length + 12;
    if (left < 0 && page.length > 0) break;
    page.push(row);
  }
  const end = offset + page.length;
  return {
    entries: page.map(({ shown }) => shown),
    view: viewCalls(plan, page, nameOf),
    nextOffset: end < rows.length ? end : null,
    total: rows.length,
  };
}

/** One question for many files is asked with the first of them. */
function askedOnce({ shown: { ask, ...shown }, entry }: PlanRow, asked: Set<string>): PlanRow {
  if (ask === undefined || asked.has(ask)) return { shown, entry };
  asked.add(ask);
  return { shown: { ...shown, ask }, entry };
}

function viewCalls(plan: Plan, rows: readonly PlanRow[], nameOf: (entry: OfFile) => string): ViewCall[] {
  const pictures = rows
    .flatMap((row) => pictureIn(row) ?? [])
    .map((entry) => ({ file: nameOf(entry), urgency: urgencyOf(entry) }))
    .filter(({ file }) => file.length <= longestName)
    .sort((one, other) => one.urgency - other.urgency);
  const [first] = pictures;
  if (first === undefined) return [];
  const items = pictures.slice(0, mostOnSheet).map(({ file }) => ({ file }));
  const { id: planId } = plan;
  const why =
    first.urgency < 3
      ? 'Shows first what a person has to look at, so that they can say.'
      : 'Shows what goes in.';
  return [{ tool: 'view_artwork', arguments: { planId, items }, why }];
}

/** What is asked, then what is warned of, what is unknown, and the others. */
function urgencyOf(entry: OfFile): number {
  if (entry.status === 'ambiguous') return 0;
  if (entry.status === 'unmatched') return 2;
  return entry.status === 'matched' && entry.warnings.length > 0 ? 1 : 3;
}

/** What view_artwork takes. */
const longestName = 4_000;

/** Null for what holds no picture that could be shown. What matches nothing was not looked at, and is tried. */
function pictureIn({ entry }: PlanRow): OfFile | null {
  if (entry?.status === 'unmatched') return entry.why.code === 'wrong_type' ? null : entry;
  if (entry?.status !== 'matched' && entry?.status !== 'ambiguous') return null;
  return entry.picture === null ? null : entry;
}

/**
 * An entry as it is shown, or several: places without a file, and files that were passed over, come together where
 * they are many. File names, as titles, are other people's writing.
 */
export interface ShownEntry {
  readonly status: PlanEntry['status'];
  readonly file?: string;
  readonly target?: { readonly kind: string; readonly id: number; readonly label: string };
  readonly slot?: string;
  readonly size?: string;
  readonly operation?: string;
  readonly why?: string;
  readonly ask?: string;
  /** Each but for its label, with the file, is an item of the call that takes the plan. */
  readonly candidates?: readonly Readonly<Record<string, string | number>>[];
  readonly problem?: Said;
  readonly warnings?: readonly Said[];
  /** Of several: how many, of what kind, and which, as far as there is room. */
  readonly count?: number;
  readonly kind?: string;
  readonly which?: readonly string[];
}

interface PlanRow {
  readonly shown: ShownEntry;
  /** What it shows, where it is one. */
  readonly entry: PlanEntry | null;
}

/** Of those that come together. */
const mostNamed = 40;
/** Places are for what a person may say of a file, by their ids: a few stand apart. */
const mostApart = 5;

/** The entries of a plan in their order. What is to be said alike of several is said once, with the first of them. */
function rowsOf(plan: Plan): PlanRow[] {
  const groups = groupedBy(plan.entries, reasonOf);
  groups.delete(null);
  const rows = plan.entries.flatMap((entry): PlanRow[] => {
    const group = groups.get(reasonOf(entry)) ?? [];
    const apart = entry.status === 'missing' ? mostApart : 1;
    if (group.length <= apart) return [{ shown: shownEntry(entry, plan), entry }];
    return entry === group[0] ? [{ shown: together(entry, group), entry: null }] : [];
  });
  const { moreMissing: count } = plan;
  if (count === 0) return rows;
  const why = 'More places without a file, which are only counted.';
  return [...rows, { shown: { status: 'missing', count, why }, entry: null }];
}

/** What entries have in common that can be told of all at once; null for what is told by itself. */
function reasonOf(entry: PlanEntry): string | null {
  switch (entry.status) {
    case 'missing':
      return `missing ${entry.place.target.kind} ${entry.place.slot}`;
    case 'ignored':
    case 'unmatched':
      return `${entry.status} ${entry.why.message}`;
    case 'ambiguous':
      return entry.called === undefined || entry.problem !== null ? null : `called ${entry.ask}`;
    case 'matched':
      return null;
  }
}

function together(first: PlanEntry, group: readonly PlanEntry[]): ShownEntry {
  const { status } = first;
  const isPlace = first.status === 'missing';
  const names = group.map((entry) => ('path' in entry ? cleanText(entry.path) : nameOfPlace(entry.place)));
  const which = (isPlace ? joinRuns(names) : names).slice(0, mostNamed);
  const told = isPlace
    ? { kind: first.place.target.kind, slot: first.place.slot }
    : {
        ...('why' in first ? { why: first.why.message } : {}),
        ...('ask' in first ? { ask: first.ask } : {}),
      };
  return { status, ...told, count: group.length, which };
}

/** Of an episode its number, without its title. */
function nameOfPlace({ target, label }: PlannedPlace): string {
  return (target.kind === 'episode' && codeOf(target)) || label;
}

function shownEntry(entry: PlanEntry, { set }: Plan): ShownEntry {
  const { status } = entry;
  switch (status) {
    case 'matched':
      return {
        status,
        file: cleanText(entry.path),
        ...placed(entry.place),
        ...sizeOf(entry.picture),
        ...(set === null ? {} : { operation: entry.change.operation }),
        ...(entry.problem === null ? {} : { problem: entry.problem }),
        ...(entry.warnings.length === 0 ? {} : { warnings: entry.warnings }),
      };
    case 'ambiguous':
      return {
        status,
        file: cleanText(entry.path),
        ...sizeOf(entry.picture),
        why: entry.why.message,
        ask: entry.ask,
        candidates: entry.places.map(({ change, ...place }) => ({
          ...change,
          ...namedPlace(place),
          label: place.label,
        })),
        ...(entry.problem === null ? {} : { problem: entry.problem }),
        ...(entry.warnings === undefined ? {} : { warnings: entry.warnings }),
      };
    case 'unmatched':
    case 'ignored':
      return { status, file: cleanText(entry.path), why: entry.why.message };
    case 'missing':
      return { status, ...placed(entry.place) };
  }
}

function placed({ target: { kind, id }, slot, label }: PlannedPlace): Pick<ShownEntry, 'target' | 'slot'> {
  return { target: { kind, id, label }, slot };
}

function sizeOf(picture: PlannedPicture | null): Pick<ShownEntry, 'size'> {
  return picture === null || picture.width === null ? {} : { size: `${picture.width}×${picture.height}` };
}
