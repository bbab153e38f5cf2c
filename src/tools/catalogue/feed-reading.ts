import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalAnswer } from '../../canonical-json.ts';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, IndexedEpisode } from '../../catalogue/records/kinds.ts';
import { ArtworkError } from '../../errors.ts';
import {
  collectPages,
  cursorPosition,
  factsOfPage,
  noPage,
  type PageFacts,
  type Position,
} from '../../mcp/pages.ts';
import { changedAtOf } from '../../model/feed-item.ts';

/** An element of a list that the service may shift or shorten between its pages. */
type Listed = FeedItem | IndexedEpisode;

/**
 * Where a reading goes on. A snapshot's first page has no path of its own, and any snapshot may be gone by then: so it
 * also holds what finds the place in another snapshot.
 */
export const feedPosition = cursorPosition.extend({
  /** Fingerprints of the changes that were passed last. */
  passed: z.array(z.string()).max(4),
  /** `changedAt` of the newest change that was passed. */
  newest: z.string().nullable(),
  /** The place is still to be found, from `page` on. */
  seeking: z.boolean(),
});
export type FeedPosition = z.output<typeof feedPosition>;

export interface FeedReading<Item extends Listed> {
  /** Null: from the beginning. */
  readonly start: FeedPosition | null;
  readonly limit: number;
  /** The first page for null. @throws ArtworkError `snapshot_expired` */
  read(page: string | null): Promise<CataloguePage<Item>>;
  passes(item: Item): boolean;
}

export interface FeedPart<Item extends Listed> {
  readonly items: readonly Item[];
  /** Every change that was looked at, whether it passed or not. */
  readonly looked: readonly Item[];
  readonly next: FeedPosition | null;
  /** Of the page that was read last. */
  readonly facts: PageFacts;
  /** Changes that stand in a new snapshot and are newer than all that was read before; they are not among `items`. */
  readonly newer: number;
}

interface State {
  tail: readonly string[];
  newest: string | null;
  facts: PageFacts;
  newer: number;
  /** It reads another snapshot than the one in which changes were passed. */
  moved: boolean;
  seeking: boolean;
  /** The first 410 of this call. */
  expired: { readonly at: Position; readonly error: ArtworkError } | null;
  /** A second one ended the call. */
  stopped: boolean;
}

/**
 * Reads a feed across its pages (interface document, Public reads, rule 3): later pages through `meta.nextPage` alone,
 * and from the first page on where a snapshot has expired. No change comes twice. A call that did all of the reading
 * knows what it has passed; one that goes on with the reading of another call goes on behind the changes that were
 * passed last, and only counts what is newer than that reading.
 * @throws ArtworkError `snapshot_expired` where the place can't be found any more and nothing was read
 */
export async function readFeedPart<Item extends Listed>({
  start,
  limit,
  read,
  passes,
}: FeedReading<Item>): Promise<FeedPart<Item>> {
  const goesOn = start !== null && start.passed.length > 0;
  const looked: Item[] = [];
  const seen = new Set<string>();
  let first = goesOn && !start.seeking && start.page === null ? await read(null) : null;
  // Where the place still has what was passed nothing is sought: an item that stands twice would be found too early.
  const stays = first !== null && goesOn && isBehind(first.items.slice(0, start.offset), start.passed);
  const elsewhere = goesOn && !stays && (start.seeking || start.page === null);
  const now: State = {
    tail: start?.passed ?? [],
    newest: start?.newest ?? null,
    facts: noPage,
    newer: 0,
    moved: elsewhere,
    seeking: elsewhere,
    expired: null,
    stopped: false,
  };

  const open = async (page: string | null) => {
    const found = first ?? (await read(page));
    first = null;
    now.facts = factsOfPage(found);
    return found;
  };
  const wasPassed = (item: Item): boolean => {
    const mark = fingerprint(item);
    if (seen.has(mark)) return true;
    if (now.tail.includes(mark)) {
      now.seeking = false;
      return true;
    }
    if (now.seeking && isNewer(item, now.newest)) now.newer += 1;
    return now.seeking;
  };

  const { items, next } = await collectPages<Item>({
    start:
      start === null || (start.page === null && !stays)
        ? { page: null, offset: 0 }
        : { page: start.page, offset: start.offset, trail: start.trail },
    limit,
    async read(at) {
      try {
        return await open(at.page);
      } catch (error) {
        if (!isExpired(error) || at.page === null) throw error;
        if (now.expired !== null) {
          now.stopped = true;
          return null;
        }
        now.expired = { at, error };
        now.moved = true;
        now.seeking = goesOn;
        return { ...(await open(null)), from: { page: null, offset: 0 } };
      }
    },
    keep: (item) => !(now.moved && wasPassed(item)) && passes(item),
    passed(item) {
      const mark = fingerprint(item);
      if (now.moved && (now.seeking || seen.has(mark) || now.tail.includes(mark))) return;
      looked.push(item);
      seen.add(mark);
      now.tail = [...now.tail.slice(-3), mark];
      if (isNewer(item, now.newest)) now.newest = changedAtOf(item);
    },
  });
  const place = { passed: [...now.tail], newest: now.newest, seeking: now.seeking };
  const part = { items, looked, facts: now.facts, newer: now.newer };
  const isLost = now.seeking && next === null;
  if (looked.length === 0 && (isLost || now.stopped)) throw now.expired?.error ?? vanished();
  // The next call meets the end of that snapshot again, and has nothing then that could be lost.
  if (isLost && now.expired !== null)
    return { ...part, next: { ...place, ...now.expired.at, seeking: false } };
  return { ...part, next: next === null ? null : { ...place, ...next } };
}

/** Whether these changes were the last ones of some. */
function isBehind(items: readonly Listed[], passed: readonly string[]): boolean {
  const last = items.slice(-passed.length).map(fingerprint);
  return last.length === passed.length && last.every((mark, at) => mark === passed[at]);
}

function isExpired(error: unknown): error is ArtworkError {
  return error instanceof ArtworkError && error.category === 'snapshot_expired';
}

function vanished(): ArtworkError {
  return new ArtworkError('snapshot_expired', 'The changes that were read last are no longer in the feed.');
}

function isNewer(item: Listed, than: string | null): boolean {
  const at = Date.parse(changedAtOf(item) ?? '');
  return !Number.isNaN(at) && (than === null || at > Date.parse(than));
}

function fingerprint(item: Listed): string {
  return createHash('sha256').update(canonicalAnswer(item)).digest('base64url').slice(0, 16);
}
