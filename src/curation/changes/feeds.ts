import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, FeedName } from '../../catalogue/records/kinds.ts';
import { boundedId, cutText } from '../../catalogue/records/members.ts';
import { ArtworkError } from '../../errors.ts';
import { changeShownBy, type ShownChange } from '../../model/feed-item.ts';

// One thing that happened, as a feed tells it (interface document, Resources: feed items). Feeds are other people's
// writing: what is too long or no word is left out, what has no readable time keeps none.

const at = z.string().nullable();
const target = z.object({ kind: z.string(), id: z.int() });

const assetEvent = z.object({
  /** Tells it from every other, whichever snapshot it is read from. */
  key: z.string(),
  change: z.string(),
  at,
  assetId: z.string(),
  previousAssetId: z.string().nullable(),
  target,
  slot: z.string(),
});

const setEvent = z.object({ key: z.string(), change: z.string(), at, set: target });

export const changeEvent = z.union([assetEvent, setEvent]);

export type AssetEvent = Readonly<z.output<typeof assetEvent>>;
export type SetEvent = Readonly<z.output<typeof setEvent>>;
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

/** How far one feed has been read, in as many calls as that takes. */
export const feedPlace = z.object({
  /** The service's own path of the page that follows; null: its first. */
  page: z.string().nullable(),
  state: z.enum(['reading', 'reached', 'ended', 'gave_up']),
  /** Fingerprints of the pages that were read of this snapshot. */
  met: z.array(z.string()),
  /** Times of the oldest and the newest change that it was seen to have. */
  oldest: z.string().nullable(),
  newest: z.string().nullable(),
  /** All that was read came newest first, so that what is older can be left unread. */
  ordered: z.boolean(),
  /** Time of the change that was read last. */
  last: z.string().nullable(),
  /** Calls in a row that had to begin anew and got no further back than those before. */
  inVain: z.int().min(0),
});

export type FeedPlace = Readonly<z.output<typeof feedPlace>>;

export const fromTheBeginning: FeedPlace = {
  page: null,
  state: 'reading',
  met: [],
  oldest: null,
  newest: null,
  ordered: true,
  last: null,
  inVain: 0,
};

export interface FeedPages {
  /** @throws ArtworkError `snapshot_expired` */
  read<Feed extends FeedName>(feed: Feed, page: string | null): Promise<CataloguePage<FeedItem<Feed>>>;
  /** Whether one more page may be read now; counts it. */
  takePage(): boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

interface FeedRead {
  readonly place: FeedPlace;
  /** Those that were not known before, and are not older than asked for. */
  readonly events: readonly ChangeEvent[];
}

/** Pages of one snapshot, in all calls: no feed of recent changes has more. */
const mostPages = 400;
const mostInVain = 3;
/** Changes that one reading holds. */
export const mostEvents = 20_000;

/**
 * Reads a feed on, through `meta.nextPage` alone (interface document, Public reads, rule 3), until it reaches further
 * back than `since`, or ends. The order is not promised there: only what has come newest first all along is taken to go
 * on so, and one page that is older as a whole is read in proof. Where the snapshot has expired it begins a new one:
 * what is known is passed over by its identity, so that nothing comes twice and what is new comes too.
 * @param known the keys of all events that were read before; those of this reading are added
 * @param since milliseconds since 1970
 */
export async function readFeedOn<Feed extends FeedName>(
  feed: Feed,
  start: FeedPlace,
  { since, known, pages }: { readonly since: number; readonly known: Set<string>; readonly pages: FeedPages },
): Promise<FeedRead> {
  let place = start;
  let restarted = false;
  const events: ChangeEvent[] = [];
  while (place.state === 'reading' && pages.takePage()) {
    let found: CataloguePage<FeedItem<Feed>>;
    try {
      found = await pages.read(feed, place.page);
    } catch (error) {
      if (!isExpired(error) || place.page === null) throw error;
      // Twice in one call: the next one tries again, and what was read stays.
      if (restarted && events.length > 0) break;
      if (restarted) throw error;
      restarted = true;
      place = { ...fromTheBeginning, oldest: place.oldest, newest: place.newest, inVain: place.inVain };
      continue;
    }
    const now = pages.now();
    const told = found.items.map((item) => eventsOf(feed, item, now));
    for (const event of told.flat()) {
      const moment = momentOf(event);
      if (known.has(event.key) || (moment !== null && moment < since)) continue;
      if (known.size >= mostEvents) break;
      known.add(event.key);
      events.push(event);
    }
    // The last event of an item is the item's own: its chain lies before it.
    const times = told.flatMap((chain) => chain.at(-1)?.at ?? []);
    place = after(place, found.nextPage, times, since);
    if (known.size >= mostEvents) place = { ...place, state: 'gave_up' };
  }
  const isStuck = restarted && place.state === 'reading' && place.oldest === start.oldest;
  const inVain = isStuck ? start.inVain + 1 : restarted ? 0 : start.inVain;
  // A feed whose snapshots end sooner than its pages can be read is never read whole.
  const state = inVain >= mostInVain ? 'gave_up' : place.state;
  return { place: { ...place, inVain, state }, events };
}

function after(
  before: FeedPlace,
  nextPage: string | null,
  times: readonly string[],
  since: number,
): FeedPlace {
  const moments = times.map((time) => Date.parse(time));
  const all = before.last === null ? moments : [Date.parse(before.last), ...moments];
  const ordered = before.ordered && all.every((moment, at) => at === 0 || moment <= (all[at - 1] ?? moment));
  const { first: oldest, last: newest } = spanOfTimes([...times, before.oldest, before.newest]);
  const met = before.page === null ? before.met : [...before.met, markOf(before.page)];
  // One page alone shows no order of pages.
  const isOlder = before.last !== null && moments.length > 0 && moments.every((moment) => moment < since);
  const inCircle = nextPage !== null && (met.includes(markOf(nextPage)) || met.length >= mostPages);
  return {
    page: nextPage,
    state: ordered && isOlder ? 'reached' : nextPage === null ? 'ended' : inCircle ? 'gave_up' : 'reading',
    ...{ met, oldest, newest, ordered },
    inVain: before.inVain,
    last: times.at(-1) ?? before.last,
  };
}

/** Whether the feed was seen to reach back so far: it ends before that where the service has let go of older ones. */
export function reachesTo({ state, oldest }: FeedPlace, since: number): boolean {
  if (state === 'reached') return true;
  return state === 'ended' && oldest !== null && Date.parse(oldest) <= since;
}

function markOf(page: string): string {
  return createHash('sha256').update(page).digest('base64url').slice(0, 12);
}

function isExpired(error: unknown): error is ArtworkError {
  return error instanceof ArtworkError && error.category === 'snapshot_expired';
}
