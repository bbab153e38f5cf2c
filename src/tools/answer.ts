import { z } from 'zod';
import type { OmittedSection } from '../mcp/arguments.ts';
import { readCursor, writeCursor } from '../mcp/pages.ts';

/** All that hosts are told of the answer of a read: to name each member would cost a conversation more than it tells. */
export const readAnswer = z.looseObject({ data: z.unknown() });

/** The answer of a read. Where no member says otherwise, nothing was left out, no page follows and nothing is odd. */
export function answerOf(members: {
  readonly data: unknown;
  readonly omitted?: readonly OmittedSection[];
  readonly nextCursor?: string | null;
  readonly warnings?: readonly string[] | undefined;
  readonly [name: string]: unknown;
}) {
  const { omitted = [], nextCursor = null, warnings = [] } = members;
  const odd = warnings.length === 0 ? undefined : warnings;
  return { structured: { ...members, omitted, nextCursor, warnings: odd } };
}

/** Characters of JSON that the list of an answer may have: with the rest it stays well below the limit of a result. */
export const roomOfList = 13_000;

/** As many of the first elements as have room in so many characters of JSON; always one, so that paging moves on. */
export function fitting<Element>(elements: readonly Element[], room = roomOfList): Element[] {
  let left = room;
  const end = elements.findIndex((element, at) => {
    left -= (JSON.stringify(element)?.length ?? 4) + 1;
    return left < 0 && at > 0;
  });
  return elements.slice(0, end < 0 ? elements.length : end);
}

/** A part of a list, and the call that gets the part behind it; null where none is. */
interface ListPage<Element> {
  readonly data: Element[];
  /** How many elements come before. */
  readonly offset: number;
  readonly nextCursor: string | null;
  readonly next: OmittedSection['next'];
}

/**
 * The page of a list at hand that a call asks for.
 * @param args of the call: its cursor says where the page begins
 * @param limit how many elements it has at most; left out: what the call says
 */
export function pageOf<Element>(
  tool: string,
  args: Readonly<Record<string, unknown>> & { readonly limit?: number },
  all: readonly Element[],
  limit = args.limit ?? all.length,
): ListPage<Element> {
  const offset = readCursor(tool, args, z.int().min(0)) ?? 0;
  const data = fitting(all.slice(offset, offset + limit));
  const end = offset + data.length;
  if (end >= all.length) return { data, offset, nextCursor: null, next: null };
  const nextCursor = writeCursor(tool, args, end);
  return { data, offset, nextCursor, next: { tool, arguments: { ...args, cursor: nextCursor } } };
}
