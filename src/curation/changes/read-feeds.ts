import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, FeedName } from '../../catalogue/records/index.ts';
import { ArtworkError } from '../../errors.ts';
import { type ChangeEvent, eventsOf, momentOf } from './events.ts';

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

export interface FeedRead {
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
    const told = found.items.flatMap((item) => eventsOf(feed, item, now).slice(-mostEvents));
    for (const event of told) {
      const moment = momentOf(event);
      if (known.has(event.key) || (moment !== null && moment < since)) continue;
      if (known.size >= mostEvents) break;
      known.add(event.key);
      events.push(event);
    }
    place = after(
      place,
      found,
      found.items.flatMap((item) => ownMoment(feed, item, now)),
      since,
    );
    if (known.size >= mostEvents) place = { ...place, state: 'gave_up' };
  }
  const isStuck = restarted && place.state === 'reading' && place.oldest === start.oldest;
  const inVain = isStuck ? start.inVain + 1 : restarted ? 0 : start.inVain;
  // A feed whose snapshots end sooner than its pages can be read is never read whole.
  const state = inVain >= mostInVain ? 'gave_up' : place.state;
  return { place: { ...place, inVain, state }, events };
}

/** The time of the item itself: its chain lies before it. */
function ownMoment<Feed extends FeedName>(feed: Feed, item: FeedItem<Feed>, now: number): string[] {
  const at = eventsOf(feed, item, now).at(-1)?.at ?? null;
  return at === null ? [] : [at];
}

function after(
  before: FeedPlace,
  { nextPage }: CataloguePage<unknown>,
  times: readonly string[],
  since: number,
): FeedPlace {
  const moments = times.map((time) => Date.parse(time));
  const all = before.last === null ? moments : [Date.parse(before.last), ...moments];
  const ordered = before.ordered && all.every((moment, at) => at === 0 || moment <= (all[at - 1] ?? moment));
  const sorted = [...times, before.oldest, before.newest]
    .filter((time) => time !== null)
    .sort((one, other) => Date.parse(one) - Date.parse(other));
  const met = before.page === null ? before.met : [...before.met, markOf(before.page)];
  // One page alone shows no order of pages.
  const isOlder = before.last !== null && moments.length > 0 && moments.every((moment) => moment < since);
  const inCircle = nextPage !== null && (met.includes(markOf(nextPage)) || met.length >= mostPages);
  return {
    page: nextPage,
    state: ordered && isOlder ? 'reached' : nextPage === null ? 'ended' : inCircle ? 'gave_up' : 'reading',
    met,
    oldest: sorted[0] ?? null,
    newest: sorted.at(-1) ?? null,
    ordered,
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
