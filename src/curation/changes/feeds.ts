import { z } from 'zod';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, FeedName, IndexedEpisode } from '../../catalogue/records/kinds.ts';
import { boundedId, cutText, textAt } from '../../catalogue/records/members.ts';
import { ArtworkError } from '../../errors.ts';
import { changeShownBy } from '../../model/feed-item.ts';

/** One thing that happened to an Asset, as the feed tells it (interface document, Resources: feed items). */
export interface AssetEvent {
  readonly of: 'asset';
  /** `added`, `replaced`, `updated` (its language or edition), or the service's own word. */
  readonly what: string;
  /** ISO 8601; null where there is no time that can be right. */
  readonly at: string | null;
  readonly assetId: string;
  readonly previousAssetId: string | null;
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
}

/** One thing that happened to a Set as a whole. */
export interface SetEvent {
  readonly of: 'set';
  readonly what: string;
  readonly at: string | null;
  readonly set: { readonly kind: string; readonly id: number };
}

export type ChangeEvent = AssetEvent | SetEvent;

/** Links of one chain that are looked at, the last ones first: nothing is replaced more often in the time of a feed. */
const mostLinks = 200;
/** No catalogue of artwork with a feed is older. */
const earliest = Date.UTC(2000, 0, 1);
/** Clocks differ, ms. */
const mostAhead = 24 * 60 * 60_000;

/**
 * What an item of a feed tells. A replaced Asset brings the whole chain of its place along, each link of which is an
 * event of its own. Feeds are other people's writing: what is too long or no word is left out.
 * @param now ms since 1970
 */
export function eventsOf(feed: FeedName, item: FeedItem, now: number): ChangeEvent[] {
  const shown = changeShownBy(item);
  const what = wordOf(shown.changeType) || 'updated';
  const at = timeOf(shown.changedAt, now);
  if (feed === 'sets') {
    const kind = wordOf(shown.kind);
    return kind === '' || shown.setId === null
      ? []
      : [{ of: 'set', what, at, set: { kind, id: shown.setId } }];
  }
  const [assetId, slot, kind] = [idOf(shown.assetId), wordOf(shown.slot), wordOf(shown.targetKind)];
  if (assetId === null || slot === '' || kind === '' || shown.targetId === null) return [];
  const place = { of: 'asset', target: { kind, id: shown.targetId }, slot } as const;
  const previous = idOf(shown.previousAssetId);
  if (previous === null) return [{ ...place, what, at, assetId, previousAssetId: null }];
  const chain = shown.replacements.slice(-mostLinks).flatMap((link): AssetEvent[] => {
    const [from, to] = [idOf(link.previousAssetId), idOf(link.newAssetId)];
    if (from === null || to === null) return [];
    return [
      { ...place, what: 'replaced', at: timeOf(link.changedAt, now), assetId: to, previousAssetId: from },
    ];
  });
  return [...chain, { ...place, what: 'replaced', at, assetId, previousAssetId: previous }];
}

/** Tells an event from every other, whichever snapshot it is read from. */
function keyOf(event: ChangeEvent): string {
  if (event.of === 'set') return JSON.stringify([event.set.kind, event.set.id, event.what, event.at]);
  const { target, slot, what, assetId } = event;
  // What was added or replaced was so once, whatever time is told of it.
  return JSON.stringify([target.kind, target.id, slot, what, assetId, what === 'updated' ? event.at : null]);
}

function wordOf(text: string | null): string {
  return text === null ? '' : cutText(text, 60);
}

/** In lower case. */
function idOf(text: string | null): string | null {
  return text !== null && text.length <= 100 ? (boundedId(text)?.toLowerCase() ?? null) : null;
}

/** As the service wrote it, where it is a time that can be right. */
function timeOf(value: string | null, now: number): string | null {
  const text = wordOf(value);
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return moment >= earliest && moment <= now + mostAhead ? text : null;
}

/** The oldest and the newest of some times. */
export function spanOfTimes(times: readonly (string | null)[]) {
  const sorted = times
    .filter((time) => time !== null)
    .sort((one, other) => Date.parse(one) - Date.parse(other));
  return { oldest: sorted[0] ?? null, newest: sorted.at(-1) ?? null };
}

/** How far one feed was read. */
export interface FeedReach {
  /** `cut`: there is more, in a circle, gone before it could be read, or more than a call reads. */
  readonly state: 'reached' | 'ended' | 'cut';
  readonly oldest: string | null;
  readonly newest: string | null;
}

export interface FeedPages {
  /** The first page for null. @throws ArtworkError `snapshot_expired` */
  read<Feed extends FeedName>(feed: Feed, page: string | null): Promise<CataloguePage<FeedItem<Feed>>>;
  /** Whether one more page may be read now; counts it. */
  takePage(): boolean;
  /** ms since 1970 */
  now(): number;
}

/** Where a reading of a list goes on. It is JSON, so that another process can go on with it. */
export const listPlace = z.object({
  /** Null: at the first page. */
  page: z.string().nullable(),
  /** Pages that were followed in this snapshot, and the one at the last power of two: a list that comes to it again has no end. */
  followed: z.number(),
  mark: z.string().nullable(),
  /** The last change of the page before, ms since 1970. */
  last: z.number().nullable(),
  /** All that was read has come newest first. */
  isOrdered: z.boolean(),
  /** A snapshot has expired. */
  isBegunAnew: z.boolean(),
});
export type ListPlace = z.output<typeof listPlace>;

const beginning: ListPlace = {
  ...{ page: null, followed: 0, mark: null, last: null },
  ...{ isOrdered: true, isBegunAnew: false },
};

export interface ListStep<Item> {
  readonly items: readonly Item[];
  /** When each was changed, as the service wrote it, where that can be right. */
  readonly times: readonly string[];
  readonly totalPages: number | null;
  /** Null: it has come to its end, as `state` says. */
  readonly next: ListPlace | null;
  /**
   * `reached`: further back than was asked for. `ended`: the list has no more. `circle`: its pages lead back to one that
   * was read. `gone`: a second snapshot expired. Null: it goes on.
   */
  readonly state: 'reached' | 'ended' | 'circle' | 'gone' | null;
}

interface ListReading<Item> {
  /** The first page for null. @throws ArtworkError `snapshot_expired` */
  read(page: string | null): Promise<CataloguePage<Item>>;
  /** ms since 1970; of a list without times `-Infinity`: it is read to its end. */
  readonly since: number;
  readonly now: number;
}

/**
 * Reads one page of a feed, or of the index of episodes, through `meta.nextPage` alone (interface document, Public reads,
 * rule 3), and says whether it reaches further back than `since`. The order is not promised there: only what has come
 * newest first all along is taken to go on so, and one page that is older as a whole is read in proof. Where the
 * snapshot expires a new one is begun, once.
 * @param place where it goes on; null: from the beginning
 * @throws ArtworkError why the page can't be read
 */
export async function readListPage<Item extends FeedItem | IndexedEpisode>(
  place: ListPlace | null,
  { read, since, now }: ListReading<Item>,
): Promise<ListStep<Item>> {
  const { page, followed, mark, last, isOrdered, isBegunAnew } = place ?? beginning;
  let found: CataloguePage<Item>;
  try {
    found = await read(page);
  } catch (error) {
    const isExpired = error instanceof ArtworkError && error.failure === 'snapshot_expired';
    if (!isExpired || page === null) throw error;
    const gone = { items: [], times: [], totalPages: null };
    if (isBegunAnew) return { ...gone, next: null, state: 'gone' };
    return { ...gone, next: { ...beginning, isBegunAnew: true }, state: null };
  }
  const { items, nextPage, totalPages } = found;
  const times = items.flatMap((item) => timeOf(textAt(item, 'changedAt'), now) ?? []);
  const moments = times.map((time) => Date.parse(time));
  const all = last === null ? moments : [last, ...moments];
  const isStill = isOrdered && all.every((moment, at) => at === 0 || moment <= (all[at - 1] ?? moment));
  // One page alone shows no order of pages.
  const isOlder = last !== null && moments.length > 0 && moments.every((moment) => moment < since);
  const step = { items, times, totalPages };
  if (isStill && isOlder) return { ...step, next: null, state: 'reached' };
  if (nextPage === null) return { ...step, next: null, state: 'ended' };
  if (nextPage === mark || nextPage === page) return { ...step, next: null, state: 'circle' };
  const isMarked = Number.isInteger(Math.log2(followed + 1));
  const next = { page: nextPage, followed: followed + 1, mark: isMarked ? nextPage : mark };
  return {
    ...step,
    next: { ...next, last: moments.at(-1) ?? last, isOrdered: isStill, isBegunAnew },
    state: null,
  };
}

/** Changes that are read of one feed. */
const mostEvents = 20_000;

/**
 * Reads a feed page by page, as `readListPage` does, until it reaches further back than `since`, or ends.
 * @param since ms since 1970
 * @returns each event once, and none that is older than asked for
 */
export async function readFeed<Feed extends FeedName>(feed: Feed, since: number, pages: FeedPages) {
  const events = new Map<string, ChangeEvent>();
  const times: (string | null)[] = [];
  let place: ListPlace | null = null;
  let state: ListStep<unknown>['state'] = null;
  while (state === null && events.size < mostEvents && pages.takePage()) {
    const read = (page: string | null) => pages.read(feed, page);
    const step: ListStep<FeedItem<Feed>> = await readListPage(place, { read, since, now: pages.now() });
    ({ next: place, state } = step);
    times.push(...Object.values(spanOfTimes(step.times)));
    for (const event of step.items.flatMap((item) => eventsOf(feed, item, pages.now()))) {
      if (event.at === null || Date.parse(event.at) >= since) events.set(keyOf(event), event);
    }
  }
  const reach: FeedReach = {
    state: state === 'reached' || state === 'ended' ? state : 'cut',
    ...spanOfTimes(times),
  };
  return { reach, events: [...events.values()] };
}

/** Whether the feed was seen to reach back so far: it ends before that where the service has let go of older ones. */
export function reachesTo({ state, oldest }: FeedReach, since: number): boolean {
  return state === 'reached' || (state === 'ended' && oldest !== null && Date.parse(oldest) <= since);
}
