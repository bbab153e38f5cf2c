import { isRecord, type JsonRecord as Json } from '../catalogue/records/members.ts';
import type { OmittedSection } from '../mcp/arguments.ts';
import { pageOf } from './answer.ts';

// A record that a read shows is answered as the service gave it, its lists in part: they may be far longer than an answer.

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

/** The record with these lists, by their paths, and no others; without objects that then hold nothing. */
function withLists(record: Json, lists: ReadonlyMap<string, readonly unknown[]>, within = ''): Json {
  const members = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const path = within === '' ? name : `${within}.${name}`;
    if (Array.isArray(value)) return lists.has(path) ? [[name, lists.get(path)]] : [];
    if (!isRecord(value)) return [[name, value]];
    const inner = withLists(value, lists, path);
    const isEmptied = Object.keys(inner).length === 0 && Object.keys(value).length > 0;
    return isEmptied ? [] : [[name, inner]];
  });
  return Object.fromEntries(members);
}

/** Characters of JSON that one list of an outline may have. A show then takes about 1,500 tokens. */
const roomOfOne = 800;

/** A record with its short lists; a long one is left out whole, and counted. */
export function outlineOf(record: Json): { readonly data: Json; readonly left: readonly Section[] } {
  const sections = sectionsOf(record);
  const isLong = ({ items }: Section) => items.length > 0 && JSON.stringify(items).length > roomOfOne;
  const left = sections.filter(isLong);
  const kept = sections.filter((section) => !left.includes(section));
  return { data: withLists(record, new Map(kept.map(({ path, items }) => [path, items]))), left };
}

interface RecordPage {
  readonly data: Json;
  readonly omitted: OmittedSection[];
  readonly nextCursor: string | null;
}

/**
 * A page of a record's lists, which are read one after the other as one long list; the record's other lists are left out.
 * @param args of the call; its cursor says where the page begins
 * @param wanted the paths of the lists; left out: all
 */
export function pageOfRecord(
  tool: string,
  args: Readonly<Record<string, unknown>> & { readonly limit: number },
  record: Json,
  wanted?: ReadonlySet<string>,
): RecordPage {
  const sections = sectionsOf(record).filter(({ path }) => wanted?.has(path) !== false);
  const all = sections.flatMap(({ path, items }) => items.map((item) => ({ path, item })));
  const { data: page, nextCursor, next } = pageOf(tool, args, all);
  const shown = sections.map(({ path, items }) => {
    const some = page.flatMap((one) => (one.path === path ? [one.item] : []));
    return { path, items: some, total: items.length };
  });
  // A list that another page shows is no empty list.
  const here = shown.filter(({ items, total }) => items.length > 0 || total === 0);
  const omitted = shown.flatMap(({ path, items: { length: returned }, total }): OmittedSection[] =>
    returned < total ? [{ section: path, total, returned, next }] : [],
  );
  return {
    data: withLists(record, new Map(here.map(({ path, items }) => [path, items]))),
    omitted,
    nextCursor,
  };
}
