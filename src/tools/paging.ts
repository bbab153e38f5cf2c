import { z } from 'zod';
import type { OmittedSection } from '../mcp/arguments.ts';
import type { Context } from '../mcp/context.ts';
import { readCursor, writeCursor } from '../mcp/pages.ts';
import { pageOfSections, sectionsOf } from './sections.ts';

interface RecordPage {
  readonly data: Readonly<Record<string, unknown>>;
  readonly omitted: OmittedSection[];
  readonly nextCursor: string | null;
}

/**
 * A page of a record's lists, with the call that gets the next one.
 * @param args of the call; its cursor says where the page begins
 * @param budget characters of JSON
 * @param names the lists that are wanted; left out: all
 */
export function pageOfRecord(
  tool: string,
  args: Readonly<Record<string, unknown>> & { readonly limit: number },
  record: Readonly<Record<string, unknown>>,
  budget: number,
  context: Context,
  names = new Set(sectionsOf(record).map(({ path }) => path)),
): RecordPage {
  const offset = readCursor(tool, args, z.int().min(0)) ?? 0;
  const page = pageOfSections(record, names, { offset, limit: args.limit, budget });
  context.shownPaths.learn(page.data);
  const nextCursor = page.nextOffset === null ? null : writeCursor(tool, args, page.nextOffset);
  const next = nextCursor === null ? null : { tool, arguments: { ...args, cursor: nextCursor } };
  return { data: page.data, omitted: page.cut.map((section) => ({ ...section, next })), nextCursor };
}

/** As many of the first items as have room in so many characters of JSON; always one, so that paging moves on. */
export function withinBudget<Item>(items: readonly Item[], budget: number): Item[] {
  let left = budget;
  const end = items.findIndex((item, index) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0 && index > 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
