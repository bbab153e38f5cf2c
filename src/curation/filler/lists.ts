import { z } from 'zod';
import type { Call, CataloguePage } from '../../catalogue/client.ts';
import { jsonOf } from '../../text.ts';
import { sightingsOf } from '../titles/sightings.ts';
import type { Sighting } from '../titles/title-index.ts';
import type { FillerPorts } from './ports.ts';

/** What the service lists page by page (interface document, Endpoints): the episodes index and both feeds. */
export const listNames = ['assets', 'sets', 'episodes'] as const;
export type ListName = (typeof listNames)[number];

const day = 24 * 60 * 60_000;
/** How long a reading to the end is fresh, ms. Changes are asked for oftener: that takes a page or two. */
const freshFor = { assets: day / 4, sets: day / 4, episodes: 7 * day } as const satisfies Record<
  ListName,
  number
>;
/** Changes show late: a later reading goes so far beyond where the one before began, ms. */
const overlap = 60 * 60_000;
/** A snapshot may expire sooner than it can be read through: so often it is begun anew at most. */
const mostRestarts = 2;
/** Beyond what any service has: pages without numbers may go on with ever new addresses. */
const mostPages = 500_000;

const stateSchema = z.object({
  /** Where the reading goes on; null: at the first page. */
  next: z.string().nullable(),
  /** When it began, ms. */
  begun: z.number(),
  /** Null while it is under way. */
  ended: z.number().nullable(),
  pages: z.number(),
  totalPages: z.number().nullable(),
  /** The number that the last page gave itself; null where it gave none. */
  page: z.number().nullable().default(null),
  /** Where it was to go on once, to be known again in a circle; moved on as the pages read double. */
  landmark: z.string().nullable().default(null),
  /** Feeds: when the newest change happened that it saw, not after it began. */
  newest: z.number().nullable(),
  /** Feeds: changes from before were seen by an earlier reading. */
  until: z.number().nullable(),
  restarts: z.number(),
  /** The pages of the longest of its attempts. */
  furthest: z.number(),
  /** Whether this reading, once it has ended, and those before it went through the whole list. */
  whole: z.boolean(),
  /** Why it ended early, for a person. */
  why: z.string().nullable(),
});

/** How far the reading of one list is: a checkpoint, written with what the page has shown. */
type ListState = z.infer<typeof stateSchema>;

export type Lists = Awaited<ReturnType<typeof openLists>>;

/** The lists of the catalogue that the filler reads, each with how far it was read. */
export async function openLists({ index, catalogue, clock, user }: FillerPorts) {
  const states = new Map<ListName, ListState>();
  for (const name of listNames) {
    const state = parse(await index.note(noteOf(name)));
    if (state !== null) states.set(name, state);
  }
  const keep = async (name: ListName, state: ListState, seen: readonly Sighting[] = []): Promise<void> => {
    await index.learn(seen, { name: noteOf(name), value: JSON.stringify(state) });
    states.set(name, state);
  };

  const readPage = async (name: ListName, nextPage: string | null, call: Call) => {
    if (name === 'episodes') {
      const page = await catalogue.readEpisodesPage(nextPage, call);
      return { ...page, times: [], seen: sightingsOf({ of: 'episodes', items: page.items }, user) };
    }
    const page = await catalogue.readFeedPage(name, nextPage, call);
    const times = page.items.map((item) => timeOf(item.changedAt)).filter((time) => !Number.isNaN(time));
    return { ...page, times, seen: sightingsOf({ of: 'feed', feed: name, items: page.items }, user) };
  };

  return {
    state: (name: ListName): ListState | null => states.get(name) ?? null,
    /** Whether a page is to be read, by what was begun before a moment being old (ms). */
    isDue(name: ListName, fullSince: number): boolean {
      const state = states.get(name);
      if (state === undefined || state.begun < fullSince || state.ended === null) return true;
      const age = clock.now() - state.ended;
      return age < 0 || age >= freshFor[name];
    },
    /** Reads the next page, and keeps it and where it goes on. Rejects with what the catalogue or the store rejects with. */
    async readPage(name: ListName, fullSince: number, call: Call): Promise<void> {
      const before = states.get(name);
      const now = clock.now();
      const isNew = before === undefined || before.ended !== null || before.begun < fullSince;
      const state = isNew ? begin(before, now, fullSince) : before;
      const page = await readPage(name, state.next, call);
      // A change that says to come from the future would make later readings end at what they don't know yet.
      const times = page.times.map((time) => Math.min(time, state.begun));
      const newest = state.pages === 0 ? Math.max(...times, state.newest ?? 0) || null : state.newest;
      const oldest = Math.min(...times);
      const isKnown = state.until !== null && oldest < state.until - overlap;
      const isLast = page.nextPage === null;
      const pages = state.pages + 1;
      const astray = isLast ? null : whyAstray(state, page, pages);
      const hasEnded = isLast || isKnown || astray !== null;
      const after: ListState = {
        ...{ ...state, pages, newest, totalPages: page.totalPages, page: page.page },
        landmark: isPowerOfTwo(pages) ? page.nextPage : state.landmark,
        next: hasEnded ? null : page.nextPage,
        ended: hasEnded ? clock.now() : null,
        whole: isLast || (astray === null && state.whole),
        why: astray,
      };
      await keep(name, after, distinct(page.seen));
    },
    /** What can't be read any further for now. */
    async giveUp(name: ListName, why: string): Promise<void> {
      const now = clock.now();
      const state = states.get(name) ?? begin(undefined, now, 0);
      await keep(name, { ...state, next: null, ended: now, whole: false, why });
    },
    /** The snapshot has expired, or the page is gone: from the first page on, unless that was tried in vain. */
    async restart(name: ListName): Promise<void> {
      const state = states.get(name);
      if (state === undefined) throw new TypeError(`The reading of ${name} has not begun.`);
      const isInVain =
        state.restarts >= mostRestarts || (state.restarts > 0 && state.pages <= state.furthest);
      if (isInVain) {
        const why = 'the snapshot expired before it was read through';
        await keep(name, { ...state, next: null, ended: clock.now(), whole: false, why });
        return;
      }
      const furthest = Math.max(state.furthest, state.pages);
      const anew = { next: null, pages: 0, page: null, landmark: null };
      await keep(name, { ...state, ...anew, restarts: state.restarts + 1, furthest });
    },
  };
}

/** A new reading; of a feed, as far back as the one before had seen, unless everything is wanted. */
function begin(before: ListState | undefined, now: number, fullSince: number): ListState {
  // One whose newest change is from its future, as earlier versions kept it, may have missed some.
  const isFull = before === undefined || before.begun < fullSince || (before.newest ?? 0) > before.begun;
  return {
    next: null,
    begun: now,
    ended: null,
    pages: 0,
    totalPages: null,
    page: null,
    landmark: null,
    newest: isFull ? null : before.newest,
    until: isFull ? null : before.newest,
    restarts: 0,
    furthest: 0,
    whole: !isFull && before.whole,
    why: null,
  };
}

/**
 * Why a page that names another is not to be followed, for a person; null where it is. Page numbers tell a circle at
 * once. Without them it is told by an address that comes again: of all addresses only the landmark is kept, and as it
 * moves on at each power of two, a circle of any length is known soon after it was gone round once (Brent's way).
 */
function whyAstray(
  state: ListState,
  page: Pick<CataloguePage<unknown>, 'page' | 'totalPages' | 'nextPage'>,
  pages: number,
): string | null {
  if (page.nextPage === state.next || page.nextPage === state.landmark) return 'its pages lead in a circle';
  if (page.page !== null) {
    if (state.page !== null && page.page <= state.page) return 'its pages lead in a circle';
    if (page.totalPages !== null && page.page > page.totalPages) {
      return `its pages go on beyond the ${page.totalPages} that it says it has`;
    }
  }
  return pages >= mostPages ? 'its pages do not end' : null;
}

function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}

/** A page of episodes names its show a hundred times. */
function distinct(seen: readonly Sighting[]): Sighting[] {
  return [...new Map(seen.map((one) => [JSON.stringify(one), one])).values()];
}

function timeOf(changedAt: unknown): number {
  return typeof changedAt === 'string' ? Date.parse(changedAt) : Number.NaN;
}

function noteOf(name: ListName): string {
  return `list ${name}`;
}

function parse(note: string | null): ListState | null {
  return note === null ? null : (stateSchema.safeParse(jsonOf(note)).data ?? null);
}
