import { isRecord, type JsonRecord as Json } from '../catalogue/records/members.ts';

/** A list inside a record, with the path that names it, such as `assets.posters`. */
export interface Section {
  readonly path: string;
  readonly items: readonly unknown[];
}

interface CutSection {
  readonly section: string;
  readonly total: number;
  readonly returned: number;
}

/** The lists of a record, at any depth of its objects. Lists within list items belong to their items. */
export function sectionsOf(record: Json): Section[] {
  const found: Section[] = [];
  const look = (within: Json, at: string): void => {
    for (const [name, value] of Object.entries(within)) {
      const path = at === '' ? name : `${at}.${name}`;
      if (Array.isArray(value)) found.push({ path, items: value });
      else if (isRecord(value)) look(value, path);
    }
  };
  look(record, '');
  return found;
}

/**
 * The record with its lists as long as they are short: a list is left out whole when it would take more than
 * `sectionBudget` characters, or when the lists that matter more have used up `budget`. Assets come last: what
 * a record consists of, and who made Sets for it, is asked for more often.
 */
export function outlineRecord(
  record: Json,
  budget: number,
  sectionBudget: number,
): { data: Json; cut: CutSection[] } {
  const sections = sectionsOf(record).map((section) => ({
    ...section,
    size: JSON.stringify(section.items).length,
  }));
  const rank = ({ path, size }: { path: string; size: number }) =>
    (path.startsWith('assets.') ? 1e9 : 0) + size;
  const kept = new Set<string>();
  let left = budget;
  for (const { path, size } of sections.sort((a, b) => rank(a) - rank(b))) {
    if (size > Math.min(left, sectionBudget)) continue;
    left -= size;
    kept.add(path);
  }
  const cut: CutSection[] = [];
  const data = rebuild(record, (path, items) => {
    if (kept.has(path)) return items;
    cut.push({ section: path, total: items.length, returned: 0 });
    return undefined;
  });
  return { data, cut };
}

interface SectionPage {
  readonly data: Json;
  readonly cut: CutSection[];
  /** Where the next page starts, or null at the end of the last section. */
  readonly nextOffset: number | null;
}

/**
 * One page of the named sections, which are read one after the other as one long list: at most `limit` items
 * and about `budget` characters from `offset` on. The record's other lists are left out of `data`.
 */
export function pageOfSections(
  record: Json,
  names: ReadonlySet<string>,
  { offset, limit, budget }: { offset: number; limit: number; budget: number },
): SectionPage {
  const sections = sectionsOf(record).filter((section) => names.has(section.path));
  const flat = sections.flatMap(({ path, items }) => items.map((item) => ({ path, item })));
  const page = takeWithin(flat.slice(offset, offset + limit), budget);
  const of = (path: string) => page.filter((entry) => entry.path === path).map((entry) => entry.item);
  const end = offset + page.length;
  return {
    data: rebuild(record, (path, items) => {
      const returned = names.has(path) ? of(path) : [];
      return returned.length > 0 || (names.has(path) && items.length === 0) ? returned : undefined;
    }),
    cut: sections.flatMap(({ path, items }) => {
      const returned = of(path).length;
      return returned < items.length ? [{ section: path, total: items.length, returned }] : [];
    }),
    nextOffset: end < flat.length ? end : null,
  };
}

/** The members that say which record it is. */
export function identityOf(record: Json): Json {
  return Object.fromEntries(identity.filter((name) => name in record).map((name) => [name, record[name]]));
}

const identity = 'id kind title name year releaseDate firstReleaseDate seasonNumber episodeNumber'.split(' ');

/** The members of `data` that are, or hold, lists. */
export function listsOf(data: Json): Json {
  return Object.fromEntries(
    Object.entries(data).filter(
      ([, value]) => Array.isArray(value) || (isRecord(value) && sectionsOf(value).length > 0),
    ),
  );
}

/** A copy in which each list is what `keep` makes of it; objects of nothing but dropped lists go with them. */
function rebuild(
  record: Json,
  keep: (path: string, items: readonly unknown[]) => readonly unknown[] | undefined,
): Json {
  const copy = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return keep(path, value);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value);
    const kept = entries.flatMap(([key, inner]) => {
      const copied = copy(inner, path === '' ? key : `${path}.${key}`);
      return copied === undefined ? [] : [[key, copied]];
    });
    return kept.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(kept);
  };
  const copied = copy(record, '');
  return isRecord(copied) ? copied : {};
}

/** As many of the first items as fit; always one, so that paging moves on. */
function takeWithin<T extends { readonly item: unknown }>(items: readonly T[], budget: number): T[] {
  let left = budget;
  const taken: T[] = [];
  for (const entry of items) {
    left -= (JSON.stringify(entry.item)?.length ?? 4) + 1;
    if (left < 0 && taken.length > 0) break;
    taken.push(entry);
  }
  return taken;
}
