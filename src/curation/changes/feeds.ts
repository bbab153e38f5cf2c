import { createHash } from 'node:crypto';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, FeedName } from '../../catalogue/records/kinds.ts';
import { boundedId, cutText } from '../../catalogue/records/members.ts';
import { ArtworkError } from '../../errors.ts';
import { changeShownBy, type ShownChange } from '../../model/feed-item.ts';

// One thing that happened, as a feed tells it (interface document, Resources: feed items). Feeds are other people's
// writing: what is too long or no word is left out, what has no readable time keeps none.

interface Happened {
  /** Tells it from every other, whichever snapshot it is read from. */
  readonly key: string;
  readonly change: string;
  readonly at: string | null;
}

export interface AssetEvent extends Happened {
  readonly assetId: string;
  readonly previousAssetId: string | null;
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
}

export interface SetEvent extends Happened {
  readonly set: { readonly kind: string; readonly id: number };
}

export type ChangeEvent = AssetEvent | SetEvent;

const longestWord = 60;

/** Links of one chain that are looked at, the last ones first: nothing is replaced more often in the time of a feed. */
const mostLinks = 200;

/**
 * What an item of a feed tells. A replaced Asset brings the whole chain of its place along, each link of which is an
 * event of its own, also where the feed tells it once more in another item.
 * @param now milliseconds since 1970; a time that can't be right is none
 */
export function eventsOf<Feed extends FeedName>(
  feed: Feed,
  item: FeedItem<Feed>,
  now: number,
): ChangeEvent[] {
  const change = changeShownBy(item);
  return feed === 'sets' ? eventsOfSet(change, now) : eventsOfAsset(change, now);
}

function eventsOfSet({ setId, ...item }: ShownChange, now: number): ChangeEvent[] {
  const kind = wordOf(item.kind);
  if (kind === '' || setId === null) return [];
  const change = wordOf(item.changeType) || 'updated';
  const time = timeOf(item.changedAt, now);
  const key = keyOf('set', kind, setId, change, wordOf(item.changedAt));
  return [{ key, change, at: time, set: { kind, id: setId } }];
}

function eventsOfAsset(item: ShownChange, now: number): ChangeEvent[] {
  const assetId = idOf(item.assetId);
  const slot = wordOf(item.slot);
  const kind = wordOf(item.targetKind);
  const id = item.targetId;
  if (assetId === null || slot === '' || kind === '' || id === null) return [];
  const place = { target: { kind, id }, slot };
  const event = (change: string, one: string, previous: string | null, time: string | null): AssetEvent => ({
    // What was added or made a replacement was so once, whatever time is told of it.
    key: keyOf(kind, id, slot, change, one.toLowerCase(), change === 'updated' ? wordOf(time) : ''),
    ...{ change, at: timeOf(time, now), assetId: one, previousAssetId: previous, ...place },
  });
  const previous = idOf(item.previousAssetId);
  if (previous === null) return [event(wordOf(item.changeType) || 'updated', assetId, null, item.changedAt)];
  const chain = item.replacements.slice(-mostLinks).flatMap((link): AssetEvent[] => {
    const [from, to] = [idOf(link.previousAssetId), idOf(link.newAssetId)];
    return from === null || to === null ? [] : [event('replaced', to, from, link.changedAt)];
  });
  const all = [...chain, event('replaced', assetId, previous, item.changedAt)];
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

/** The time of an item of a feed. Milliseconds; null where there is no readable time. */
export function momentOf({ at: time }: Pick<ChangeEvent, 'at'>): number | null {
  return time === null ? null : Date.parse(time);
}

/** Whether an event of a feed is about an Asset, and not a Set as a whole. */
export function isOfAsset(event: ChangeEvent): event is AssetEvent {
  return 'assetId' in event;
}

function keyOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

function wordOf(text: string | null): string {
  return text === null ? '' : cutText(text, longestWord);
}

/** The first and the last of some times, as the service wrote them; null where there is none. */
export function spanOfTimes(times: readonly (string | null)[]): {
  readonly first: string | null;
  readonly last: string | null;
} {
  const sorted = times
    .filter((time) => time !== null)
    .sort((one, other) => Date.parse(one) - Date.parse(other));
  return { first: sorted[0] ?? null, last: sorted.at(-1) ?? null };
}

function idOf(text: string | null): string | null {
  return text !== null && text.length <= 100 ? boundedId(text) : null;
}

/** As the service wrote it, where it is a time that can be right. */
function timeOf(value: string | null, now: number): string | null {
  const text = wordOf(value);
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return moment >= earliest && moment <= now + mostAhead ? text : null;
}

/** No catalogue of artwork with a feed is older. */
const earliest = Date.UTC(2000, 0, 1);
/** Clocks differ. */
const mostAhead = 24 * 60 * 60_000;

/** How far one feed was read. */
export interface FeedReach {
  /**
   * `reached`: further back than was asked for. `ended`: the feed has no more. `cut`: no more pages could be taken.
   * `gave_up`: its pages lead in a circle, are gone before they can be read, or hold too much.
   */
  readonly state: 'reached' | 'ended' | 'cut' | 'gave_up';
  /** Times of the oldest and the newest change that it was seen to have. */
  readonly oldest: string | null;
  readonly newest: string | null;
}

export interface FeedPages {
  /** @throws ArtworkError `snapshot_expired` */
  read<Feed extends FeedName>(feed: Feed, page: string | null): Promise<CataloguePage<FeedItem<Feed>>>;
  /** Whether one more page may be read now; counts it. */
  takePage(): boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

interface FeedRead {
  readonly reach: FeedReach;
  /** Each once, and none that is older than asked for. */
  readonly events: readonly ChangeEvent[];
}

/** Changes that are read of one feed. */
const mostEvents = 20_000;

/**
 * Reads a feed through `meta.nextPage` alone (interface document, Public reads, rule 3), until it reaches further back
 * than `since`, or ends. The order is not promised there: only what has come newest first all along is taken to go on
 * so, and one page that is older as a whole is read in proof. Where the snapshot expires a new one is begun, once: what
 * is known is passed over by its identity, so that nothing comes twice and what is new comes too.
 * @param since milliseconds since 1970
 */
export async function readFeed<Feed extends FeedName>(
  feed: Feed,
  since: number,
  pages: FeedPages,
): Promise<FeedRead> {
  const events = new Map<string, ChangeEvent>();
  const met = new Set<string>();
  let times: string[] = [];
  let page: string | null = null;
  let last: number | null = null;
  let isOrdered = true;
  let isBegunAnew = false;
  const end = (state: FeedReach['state']): FeedRead => {
    const { first: oldest, last: newest } = spanOfTimes(times);
    return { reach: { state, oldest, newest }, events: [...events.values()] };
  };
  while (events.size < mostEvents && pages.takePage()) {
    let found: CataloguePage<FeedItem<Feed>>;
    try {
      found = await pages.read(feed, page);
    } catch (error) {
      if (!isExpired(error) || page === null) throw error;
      if (isBegunAnew) return end('gave_up');
      isBegunAnew = true;
      [page, last, isOrdered] = [null, null, true];
      met.clear();
      continue;
    }
    const now = pages.now();
    const told = found.items.map((item) => eventsOf(feed, item, now));
    for (const event of told.flat()) {
      const moment = momentOf(event);
      if (events.size < mostEvents && (moment === null || moment >= since)) events.set(event.key, event);
    }
    // The last event of an item is the item's own: its chain lies before it.
    const own = told.flatMap((chain) => chain.at(-1)?.at ?? []);
    const moments = own.map((time) => Date.parse(time));
    const before: number | null = last;
    const all = before === null ? moments : [before, ...moments];
    isOrdered &&= all.every((moment, at) => at === 0 || moment <= (all[at - 1] ?? moment));
    times = Object.values(spanOfTimes([...times, ...own])).filter((time) => time !== null);
    // One page alone shows no order of pages.
    const isOlder = before !== null && moments.length > 0 && moments.every((moment) => moment < since);
    if (isOrdered && isOlder) return end('reached');
    if (found.nextPage === null) return end(events.size < mostEvents ? 'ended' : 'gave_up');
    if (met.has(found.nextPage)) return end('gave_up');
    met.add(found.nextPage);
    page = found.nextPage;
    last = moments.at(-1) ?? last;
  }
  return end(events.size < mostEvents ? 'cut' : 'gave_up');
}

/** Whether the feed was seen to reach back so far: it ends before that where the service has let go of older ones. */
export function reachesTo({ state, oldest }: FeedReach, since: number): boolean {
  if (state === 'reached') return true;
  return state === 'ended' && oldest !== null && Date.parse(oldest) <= since;
}

function isExpired(error: unknown): error is ArtworkError {
  return error instanceof ArtworkError && error.category === 'snapshot_expired';
}
