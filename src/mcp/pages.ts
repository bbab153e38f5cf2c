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
  /** Where this very page can be read again; differs from what was asked where that drew a new snapshot. */
  readonly self: string | null;
}

export interface Collected<Item> {
  readonly items: Item[];
  readonly next: Position | null;
}

export interface Collecting<Item> {
  readonly start: Position;
  readonly limit: number;
  read(page: string | null): Promise<ServicePage<Item>>;
  keep(item: Item): boolean;
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
}: Collecting<Item>): Promise<Collected<Item>> {
  const items: Item[] = [];
  let budget = pageBudget;
  let at: Position | null = start;
  for (let pages = 0; at !== null && pages < mostPages; pages += 1) {
    const { items: found, nextPage, self }: ServicePage<Item> = await read(at.page);
    const page: string | null = self ?? at.page;
    for (let index = at.offset; index < found.length; index += 1) {
      const item = found[index];
      if (item === undefined || !keep(item)) continue;
      budget -= JSON.stringify(item).length + 1;
      if (items.length === limit || (budget < 0 && items.length > 0))
        return { items, next: { page, offset: index } };
      items.push(item);
    }
    if (nextPage !== null && nextPage === page) {
      throw new ArtworkError('bad_response', 'The service names a page as the one that follows itself.');
    }
    at = nextPage === null ? null : { page: nextPage, offset: 0 };
    if (items.length === limit) break;
  }
  return { items, next: at };
}
