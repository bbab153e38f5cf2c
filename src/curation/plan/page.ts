import { namesOfFiles, type OfFile } from './find-file.ts';
import type { Plan } from './plan.ts';
import { type PlanRow, rowsOf, type ShownEntry } from './rows.ts';

/** A call that shows pictures of the page. */
export interface ViewCall {
  readonly tool: 'view_artwork';
  readonly arguments: { readonly planId: string; readonly items: readonly { readonly file: string }[] };
  readonly why: string;
}

export interface PlanPage {
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
  const [planId = ''] = plan.parts;
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
