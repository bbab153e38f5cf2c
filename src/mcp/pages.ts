import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CataloguePage } from '../catalogue/client.ts';
import { ArtworkError } from '../errors.ts';
import { jsonOf } from '../text.ts';

/** A place within the service's pages. */
export const cursorPosition = z.object({
  /** The service's own path; null for its first page. */
  page: z.string().nullable(),
  /** Items of that page that have been passed. */
  offset: z.int().min(0),
  /** The digest of the first page that followed another. Pages that come to it again lead in a circle. */
  trail: z.string().optional(),
});
export type Position = z.output<typeof cursorPosition>;

interface Collecting<Item> {
  readonly start: Position;
  readonly limit: number;
  read(page: string | null): Promise<{ readonly items: readonly Item[]; readonly nextPage: string | null }>;
}

/** One call reads no more of the service's pages, however few items its filter lets through. */
export const mostPages = 20;
/** Characters of JSON. It stays well below the limit of a result. */
export const pageBudget = 14_000;

/**
 * Items from `start` on, across the service's pages, until the limit, the budget or the last page is reached.
 * @throws ArtworkError `bad_response` where the pages lead in a circle
 */
export async function collectPages<Item>({ start, limit, read }: Collecting<Item>): Promise<{
  readonly items: Item[];
  readonly next: Position | null;
}> {
  const items: Item[] = [];
  const met = new Set<string>();
  let budget = pageBudget;
  let at: Position | null = start;
  for (let pages = 0; at !== null && pages < mostPages && items.length < limit; pages += 1) {
    const here: Position = at;
    const found = await read(here.page);
    for (const [index, item] of found.items.entries()) {
      if (index < here.offset) continue;
      budget -= JSON.stringify(item).length + 1;
      if (items.length === limit || (budget < 0 && items.length > 0))
        return { items, next: { ...here, offset: index } };
      items.push(item);
    }
    if (here.page !== null) met.add(here.page);
    at = found.nextPage === null ? null : following(here, found.nextPage, met);
  }
  return { items, next: at };
}

/** @param met the pages of this call */
function following({ page, trail }: Position, next: string, met: ReadonlySet<string>): Position {
  const mark = digestOf(next);
  if (next === page || met.has(next) || mark === trail) throw leadInCircle();
  return { page: next, offset: 0, trail: trail ?? mark };
}

export function leadInCircle(): ArtworkError {
  return new ArtworkError('bad_response', 'The pages of the service lead in a circle: one follows itself.');
}

/** Where the service's latest page of an answer stands in the whole; null where the service does not say. */
export const pageFacts = {
  snapshot: z.string().nullable(),
  page: z.number().nullable(),
  totalPages: z.number().nullable(),
};

export type PageFacts = z.output<z.ZodObject<typeof pageFacts>>;

export const noPage: PageFacts = { snapshot: null, page: null, totalPages: null };

/** Which snapshot and page of the service an answer was read from. */
export function factsOfPage({ snapshot, page, totalPages }: CataloguePage<unknown>): PageFacts {
  return { snapshot, page, totalPages };
}

type Args = Readonly<Record<string, unknown>>;

/**
 * Writes a position in a list as a cursor. Cursors are opaque to hosts and hold the whole position, so that they survive a
 * restart. They belong to one tool and all its arguments but `limit` and `cursor`.
 */
export function writeCursor(tool: string, args: Args, position: unknown): string {
  const body = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${binding(tool, args, body)}.${body}`;
}

/**
 * The position that `writeCursor` wrote, or null where there is no cursor.
 * @throws ArtworkError `invalid_arguments` for anything else than a cursor of this tool and these arguments
 */
export function readCursor<Place extends z.ZodType>(
  tool: string,
  args: Args,
  position: Place,
): z.output<Place> | null {
  const { cursor, ...again } = args;
  if (cursor === undefined) return null;
  const [bound, body = ''] = typeof cursor === 'string' ? cursor.split('.', 2) : [];
  const place =
    bound === binding(tool, args, body) ? jsonOf(Buffer.from(body, 'base64url').toString()) : null;
  const found = position.safeParse(place);
  if (found.success) return found.data;
  const message = `This cursor is not of this call. Pass a nextCursor of ${tool} unchanged, with the same arguments, or leave it out.`;
  throw new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'cursor', message: 'is not a cursor of this call', path: ['cursor'] }],
    next: { tool, arguments: again, why: 'It starts again at the first page.' },
  });
}

/** Guards against mistakes, not against forgery: whatever a position names is checked again where it is used. */
function binding(tool: string, args: Args, body: string): string {
  const bound = Object.entries(args)
    .filter(([name, value]) => name !== 'cursor' && name !== 'limit' && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digestOf(JSON.stringify([tool, bound, body]));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
