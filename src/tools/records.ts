import { z } from 'zod';
import { isRecord, type JsonRecord as Json } from '../catalogue/records/members.ts';
import type { OmittedSection } from '../mcp/arguments.ts';
import type { Context, PictureLabel } from '../mcp/context.ts';
import { readCursor, writeCursor } from '../mcp/pages.ts';
import { fitting } from './answer.ts';

/** A list inside a record, with the path that names it, such as `assets.posters`. */
export interface Section {
  readonly path: string;
  readonly items: readonly unknown[];
}

/** The lists of a record, at any depth of its objects. A list within an element belongs to that element. */
export function sectionsOf(record: Json, within = ''): Section[] {
  return Object.entries(record).flatMap(([name, value]): Section[] => {
    const path = within === '' ? name : `${within}.${name}`;
    if (Array.isArray(value)) return [{ path, items: value }];
    return isRecord(value) ? sectionsOf(value, path) : [];
  });
}

/** The record with other lists in the place of its own; undefined leaves one out, and the object that held nothing else. */
function withLists(
  record: Json,
  listFor: (path: string, items: readonly unknown[]) => readonly unknown[] | undefined,
  within = '',
): Json {
  const members = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const path = within === '' ? name : `${within}.${name}`;
    if (Array.isArray(value)) {
      const list = listFor(path, value);
      return list === undefined ? [] : [[name, list]];
    }
    if (!isRecord(value)) return [[name, value]];
    const inner = withLists(value, listFor, path);
    const isEmptied = Object.keys(inner).length === 0 && Object.keys(value).length > 0;
    return isEmptied ? [] : [[name, inner]];
  });
  return Object.fromEntries(members);
}

interface Cut {
  readonly section: string;
  readonly total: number;
  readonly returned: number;
}

/** Characters of JSON: of all lists of an outline, and of one of them. A show then takes about 1,500 tokens. */
const roomOfLists = 2_400;
const roomOfList = 1_500;

/**
 * A record with its short lists; a long one is left out whole, and counted. Assets come last: what a record consists of,
 * and who made Sets for it, is asked for more often.
 */
export function outlineOf(record: Json): { readonly data: Json; readonly cut: readonly Cut[] } {
  const isOfAssets = (path: string) => path.startsWith('assets.');
  const sections = sectionsOf(record)
    .map(({ path, items }) => ({ path, size: JSON.stringify(items).length }))
    .sort((a, b) => Number(isOfAssets(a.path)) - Number(isOfAssets(b.path)) || a.size - b.size);
  const kept = new Set<string>();
  let left = roomOfLists;
  for (const { path, size } of sections) {
    if (size > Math.min(left, roomOfList)) continue;
    left -= size;
    kept.add(path);
  }
  const cut: Cut[] = [];
  const data = withLists(record, (path, items) => {
    if (kept.has(path)) return items;
    cut.push({ section: path, total: items.length, returned: 0 });
    return undefined;
  });
  return { data, cut };
}

type PictureLabels = ReadonlyMap<string, PictureLabel>;

interface RecordPage {
  readonly data: Json;
  readonly omitted: OmittedSection[];
  readonly nextCursor: string | null;
}

/**
 * A page of a record's lists, which are read one after the other as one long list; the record's other lists are left out.
 * @param args of the call; its cursor says where the page begins
 * @param room characters of JSON
 * @param names the paths of the lists that are wanted; left out: all
 * @param labels of the pictures in it
 */
export function pageOfRecord(
  tool: string,
  args: Readonly<Record<string, unknown>> & { readonly limit: number },
  record: Json,
  room: number,
  context: Context,
  {
    names,
    labels,
  }: { readonly names?: ReadonlySet<string>; readonly labels?: PictureLabels | undefined } = {},
): RecordPage {
  const offset = readCursor(tool, args, z.int().min(0)) ?? 0;
  const sections = sectionsOf(record).filter(({ path }) => names === undefined || names.has(path));
  const all = sections.flatMap(({ path, items }) => items.map((item) => ({ path, item })));
  const page = fitting(all.slice(offset, offset + args.limit), room);
  const onPage = (wanted: string) => page.filter(({ path }) => path === wanted).map(({ item }) => item);
  const wanted = new Set(sections.map(({ path }) => path));
  const data = withLists(record, (path, items) => {
    const shown = onPage(path);
    return wanted.has(path) && (shown.length > 0 || items.length === 0) ? shown : undefined;
  });
  context.shownPaths.learn(data, labels);
  const end = offset + page.length;
  const nextCursor = end < all.length ? writeCursor(tool, args, end) : null;
  const next = nextCursor === null ? null : { tool, arguments: { ...args, cursor: nextCursor } };
  const omitted = sections.flatMap(({ path, items }): OmittedSection[] => {
    const returned = onPage(path).length;
    return returned < items.length ? [{ section: path, total: items.length, returned, next }] : [];
  });
  return { data, omitted, nextCursor };
}
