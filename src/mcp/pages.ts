import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CataloguePage } from '../catalogue/client.ts';
import { ArtworkError } from '../errors.ts';
import { jsonOf } from '../text.ts';

/**
 * What finds a service whose pages lead in circles, however many calls they are read in (Brent's algorithm): one page
 * that was met, which is another after 1, 2, 4, 8 … further pages.
 */
const trail = z.object({
  /** Fingerprint of that page's path. */
  met: z.string(),
  /** Pages that have followed it. */
  since: z.int().min(0),
  /** How many may follow it before another takes its place. */
  most: z.int().min(1),
});

/** A place within the service's pages. */
export const cursorPosition = z.object({
  /** The service's own path; null for its first page. */
  page: z.string().nullable(),
  /** Items of that page that have been passed. */
  offset: z.int().min(0),
  /** Left out where no page has followed another yet. */
  trail: trail.optional(),
});
export type Position = z.output<typeof cursorPosition>;

interface ServicePage<Item> {
  readonly items: readonly Item[];
  readonly nextPage: string | null;
  /** Where this page stands, where it is another than was asked for: what was asked for is gone. */
  readonly from?: Position;
}

interface Collected<Item> {
  readonly items: Item[];
  readonly next: Position | null;
}

interface Collecting<Item> {
  readonly start: Position;
  readonly limit: number;
  /** Null: this call can't go on from there; what it has read stays. */
  read(at: Position): Promise<ServicePage<Item> | null>;
  keep(item: Item): boolean;
  /** Told of each item that was passed, whether it was kept or not. */
  passed?(item: Item): void;
}

/** One call reads no more of the service's pages, however few items its filter lets through. */
const mostPages = 20;
/** Characters of JSON; stays well below the limit of a result. */
const pageBudget = 14_000;

/**
 * Items from `start` on, across the service's pages, until the limit, the budget or the last page is reached.
 * @throws ArtworkError `bad_response` where the pages lead in a circle
 */
export async function collectPages<Item>({
  start,
  limit,
  read,
  keep,
  passed,
}: Collecting<Item>): Promise<Collected<Item>> {
  const items: Item[] = [];
  let budget = pageBudget;
  let at: Position | null = start;
  let met = new Set<string>();
  for (let pages = 0; at !== null && pages < mostPages; pages += 1) {
    const found: ServicePage<Item> | null = await read(at);
    if (found === null) break;
    // Another snapshot may have the same paths again.
    if (found.from !== undefined) met = new Set();
    const here: Position = found.from ?? at;
    for (let index = here.offset; index < found.items.length; index += 1) {
      const item = found.items[index];
      if (item === undefined) continue;
      if (keep(item)) {
        budget -= JSON.stringify(item).length + 1;
        if (items.length === limit || (budget < 0 && items.length > 0))
          return { items, next: { ...here, offset: index } };
        items.push(item);
      }
      passed?.(item);
    }
    if (here.page !== null) met.add(here.page);
    at = found.nextPage === null ? null : following(here, found.nextPage, met);
    if (items.length === limit) break;
  }
  return { items, next: at };
}

function following({ page, trail }: Position, next: string, met: ReadonlySet<string>): Position {
  const mark = createHash('sha256').update(next).digest('base64url').slice(0, 16);
  if (met.has(next) || mark === trail?.met) {
    const which = next === page ? 'the one that follows itself' : 'a following one again';
    throw new ArtworkError(
      'bad_response',
      `The service names a page as ${which}: its pages lead in a circle.`,
    );
  }
  if (trail === undefined) return { page: next, offset: 0, trail: { met: mark, since: 0, most: 1 } };
  const since = trail.since + 1;
  const moved = since === trail.most ? { met: mark, since: 0, most: trail.most * 2 } : { ...trail, since };
  return { page: next, offset: 0, trail: moved };
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

/**
 * Writes a position in a list as a cursor. Cursors are opaque to hosts, hold the whole position (nothing stays in
 * the server, so they survive a restart), and belong to one tool and all its arguments but `limit` and `cursor`
 * themselves.
 */
export function writeCursor(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  position: unknown,
): string {
  const body = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${binding(tool, args, body)}.${body}`;
}

/**
 * The position that `writeCursor` wrote, or null where there is no cursor.
 * @throws ArtworkError `invalid_arguments` for anything else than a cursor of this tool and these arguments.
 */
export function readCursor<Position extends z.ZodType>(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  position: Position,
): z.output<Position> | null {
  const { cursor, ...again } = args;
  if (cursor === undefined) return null;
  const found = findPosition(tool, args, position);
  if (found !== null) return found;
  throw new ArtworkError(
    'invalid_arguments',
    `This cursor does not belong to this call. Pass a nextCursor of ${tool} unchanged, with the same other arguments, or start again without cursor.`,
    {
      issues: [{ code: 'cursor', message: 'not a cursor of this call', path: ['cursor'] }],
      next: { tool, arguments: again, why: 'It starts again at the first page.' },
    },
  );
}

/** The position in a cursor that belongs to this tool and these arguments; null if the call has no such cursor. */
export function findPosition<Position extends z.ZodType>(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  position: Position,
): z.output<Position> | null {
  const { cursor } = args;
  if (typeof cursor !== 'string') return null;
  const dot = cursor.indexOf('.');
  const body = cursor.slice(dot + 1);
  if (dot < 0 || cursor.slice(0, dot) !== binding(tool, args, body)) return null;
  return position.safeParse(jsonOf(Buffer.from(body, 'base64url').toString('utf8'))).data ?? null;
}

/** Guards against mistakes, not against forgery: whatever a position names is checked again where it is used. */
function binding(tool: string, args: Readonly<Record<string, unknown>>, body: string): string {
  const bound = Object.entries(args)
    .filter(([name, value]) => name !== 'cursor' && name !== 'limit' && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, bound, body]))
    .digest('base64url')
    .slice(0, 16);
}
