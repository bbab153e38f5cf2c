import { z } from 'zod';
import type { Page } from '../catalogue/client.ts';
import { ArtworkError } from '../errors.ts';

/** A place within the service's pages: `page` is the service's own path, null for its first page. */
export interface Position {
  readonly page: string | null;
  /** Items of that page that have been passed. */
  readonly offset: number;
}

export interface ServicePage<Item> {
  readonly items: readonly Item[];
  readonly nextPage: string | null;
  /** Where this page stands, where it is another than was asked for: what was asked for is gone. */
  readonly from?: Position;
}

export interface Collected<Item> {
  readonly items: Item[];
  readonly next: Position | null;
}

export interface Collecting<Item> {
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

/** Items from `start` on, across the service's pages, until the limit, the budget or the last page is reached. */
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
  for (let pages = 0; at !== null && pages < mostPages; pages += 1) {
    const found: ServicePage<Item> | null = await read(at);
    if (found === null) break;
    const { page, offset }: Position = found.from ?? at;
    for (let index = offset; index < found.items.length; index += 1) {
      const item = found.items[index];
      if (item === undefined) continue;
      if (keep(item)) {
        budget -= JSON.stringify(item).length + 1;
        if (items.length === limit || (budget < 0 && items.length > 0))
          return { items, next: { page, offset: index } };
        items.push(item);
      }
      passed?.(item);
    }
    const { nextPage } = found;
    if (nextPage !== null && nextPage === page) {
      throw new ArtworkError('bad_response', 'The service names a page as the one that follows itself.');
    }
    at = nextPage === null ? null : { page: nextPage, offset: 0 };
    if (items.length === limit) break;
  }
  return { items, next: at };
}

/** Where the service's latest page of an answer stands in the whole; null where the service does not say. */
export const pageFacts = {
  snapshot: z.string().nullable(),
  page: z.number().nullable(),
  totalPages: z.number().nullable(),
};

export type PageFacts = z.output<z.ZodObject<typeof pageFacts>>;

export const noPage: PageFacts = { snapshot: null, page: null, totalPages: null };

export function factsOf({ snapshot, page, totalPages }: Page<unknown>): PageFacts {
  return { snapshot, page, totalPages };
}
