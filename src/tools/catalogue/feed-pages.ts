import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalAnswer } from '../../canonical-json.ts';
import type { CataloguePage } from '../../catalogue/client.ts';
import { ArtworkError } from '../../errors.ts';
import { collectPages, cursorPosition, factsOfPage, noPage, type PageFacts } from '../../mcp/pages.ts';

/** Where a reading goes on, and what finds the place again where its snapshot is gone by then. */
export const feedPosition = cursorPosition.extend({
  /** Fingerprints of the elements that were passed last. */
  passed: z.array(z.string()).max(3),
  /** The place is still to be found, from `page` on. */
  seeking: z.boolean(),
});
export type FeedPosition = z.output<typeof feedPosition>;

interface FeedReading<Item> {
  /** Null: from the beginning. */
  readonly start: FeedPosition | null;
  readonly limit: number;
  /** The first page for null. @throws ArtworkError `snapshot_expired` */
  read(page: string | null): Promise<CataloguePage<Item>>;
  passes(item: Item): boolean;
}

export interface FeedPart<Item> {
  readonly items: readonly Item[];
  /** Every element that was looked at, whether it passed or not. */
  readonly looked: readonly Item[];
  readonly next: FeedPosition | null;
  /** Of the page that was read last. */
  readonly facts: PageFacts;
  /** It goes on in another snapshot, whose beginning may be new. */
  readonly moved: boolean;
}

/**
 * Reads a feed, or the index of episodes, across its pages (interface document, Public reads, rule 3): later pages by
 * `meta.nextPage` alone, and from the first page on where a snapshot has expired. There the reading goes on behind the
 * elements that it passed last, so that none comes twice.
 * @throws ArtworkError `snapshot_expired` where that place can't be found
 */
export async function readFeedPart<Item>({
  start,
  limit,
  read,
  passes,
}: FeedReading<Item>): Promise<FeedPart<Item>> {
  const known = new Set(start?.passed);
  const looked: Item[] = [];
  let passed = start?.passed ?? [];
  let facts = noPage;
  let seeking = start?.seeking ?? false;
  let moved = seeking;
  let expired: ArtworkError | null = null;

  const open = async (page: string | null) => {
    const found = await read(page);
    facts = factsOfPage(found);
    return found;
  };
  const startOver = () => {
    seeking = known.size > 0;
    moved = true;
    return { page: null, offset: 0 };
  };
  const { items, next } = await collectPages<Item>({
    start: start === null ? { page: null, offset: 0 } : { ...start },
    limit,
    async read({ page, offset }) {
      try {
        const found = await open(page);
        const before = found.items[offset - 1];
        const isSame = before !== undefined && fingerprint(before) === passed.at(-1);
        if (offset === 0 || isSame || moved) return found;
        // The list has changed below the cursor. The first page has no path that would hold it to a snapshot.
        return { ...(page === null ? found : await open(null)), from: startOver() };
      } catch (error) {
        if (!isExpired(error) || page === null || expired !== null) throw error;
        expired = error;
        // What was read stays. The next call begins with the expired page.
        if (looked.length > 0) return null;
        return { ...(await open(null)), from: startOver() };
      }
    },
    keep: (item) => !seeking && !(moved && known.has(fingerprint(item))) && passes(item),
    passed(item) {
      const mark = fingerprint(item);
      if (seeking) seeking = !known.has(mark);
      else if (!moved || !known.has(mark)) {
        looked.push(item);
        passed = [...passed, mark].slice(-3);
      }
    },
  });
  if (seeking && next === null) throw expired ?? notFound();
  return { items, looked, facts, moved, next: next === null ? null : { ...next, passed, seeking } };
}

function isExpired(error: unknown): error is ArtworkError {
  return error instanceof ArtworkError && error.category === 'snapshot_expired';
}

function notFound(): ArtworkError {
  return new ArtworkError('snapshot_expired', 'What was read last is no longer in the list.');
}

function fingerprint(item: unknown): string {
  return createHash('sha256').update(canonicalAnswer(item)).digest('base64url').slice(0, 16);
}
