import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cleanText } from '../../catalogue/text.ts';
import type { Plan, PlanEntry, PlannedPicture, PlannedPlace, Said } from './plan.ts';

/** An entry as it is shown. File names, as titles, are other people's writing. */
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
}

/** A call that shows pictures of the page. */
export interface ViewCall {
  readonly tool: 'view_artwork';
  readonly arguments: { readonly items: readonly { readonly path: string }[] };
  readonly why: string;
}

export interface PlanPage {
  readonly entries: readonly ShownEntry[];
  readonly view: readonly ViewCall[];
  readonly nextOffset: number | null;
}

/** What one contact sheet shows at most. */
const mostOnSheet = 24;

/**
 * A page of a plan, and the calls that show its pictures: what is to be asked first.
 * @param budget characters of JSON for all of it
 */
export function pageOf(plan: Plan, offset: number, limit: number, budget: number): PlanPage {
  const shown: PlanEntry[] = [];
  let left = budget;
  for (const entry of plan.entries.slice(offset, offset + limit)) {
    left -= JSON.stringify(shownEntry(entry)).length + (uriOf(plan, entry)?.length ?? 0) + 16;
    if (left < 0 && shown.length > 0) break;
    shown.push(entry);
  }
  const end = offset + shown.length;
  return {
    entries: shown.map(shownEntry),
    view: viewCalls(plan, shown),
    nextOffset: end < plan.entries.length ? end : null,
  };
}

function shownEntry(entry: PlanEntry): ShownEntry {
  const { status } = entry;
  switch (status) {
    case 'matched':
      return {
        status,
        file: cleanText(entry.path),
        ...placed(entry.place),
        ...sizeOf(entry.picture),
        ...(entry.change.operation === 'add' ? {} : { operation: entry.change.operation }),
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
        candidates: entry.places.map(({ change, ...place }) => ({ ...change, ...place })),
        ...(entry.problem === null ? {} : { problem: entry.problem }),
      };
    case 'unmatched':
    case 'ignored':
      return { status, file: cleanText(entry.path), why: entry.why.message };
    case 'missing':
      return { status, ...placed(entry.place) };
  }
}

function placed({ targetKind, targetId, slot, label }: PlannedPlace): Pick<ShownEntry, 'target' | 'slot'> {
  return { target: { kind: targetKind, id: targetId, label }, slot };
}

function sizeOf(picture: PlannedPicture | null): Pick<ShownEntry, 'size'> {
  return picture === null || picture.width === null ? {} : { size: `${picture.width}×${picture.height}` };
}

function viewCalls(plan: Plan, entries: readonly PlanEntry[]): ViewCall[] {
  const uris = (ambiguous: boolean) =>
    entries
      .filter(({ status }) => (status === 'ambiguous') === ambiguous)
      .map((entry) => uriOf(plan, entry))
      .filter((uri) => uri !== null);
  const all = [...uris(true), ...uris(false)];
  const asked = uris(true).length;
  const calls: ViewCall[] = [];
  for (let first = 0; first < all.length; first += mostOnSheet) {
    const items = all.slice(first, first + mostOnSheet).map((uri) => ({ path: uri }));
    const why =
      first < asked ? 'Shows what is to be asked, so that the person can say.' : 'Shows what goes in.';
    calls.push({ tool: 'view_artwork', arguments: { items }, why });
  }
  return calls;
}

/** What view_artwork takes. */
const longestUri = 4_000;

/** Null for what holds no picture that could be shown. */
function uriOf({ folder }: Plan, entry: PlanEntry): string | null {
  if (entry.status !== 'matched' && entry.status !== 'ambiguous') return null;
  const uri = entry.picture === null ? null : pathToFileURL(path.join(folder, entry.path)).href;
  return uri === null || uri.length > longestUri ? null : uri;
}
