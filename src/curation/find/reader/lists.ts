import { z } from 'zod';
import type { Deadline } from '../../../deadline.ts';
import { changedAtOf } from '../../../model/feed-item.ts';
import { jsonOf } from '../../../text.ts';
import { sightingsOf } from '../sightings.ts';
import type { Sighting } from '../title-index.ts';
import type { ReaderPorts } from './ports.ts';

/** What the service lists page by page (interface document, Endpoints): both feeds and the episodes index. */
export const listNames = ['assets', 'sets', 'episodes'] as const;
export type ListName = (typeof listNames)[number];

const day = 24 * 60 * 60_000;
/** How long a reading to the end is fresh, ms. Changes are asked for oftener: that takes a page or two. */
const freshFor = { assets: day / 4, sets: day / 4, episodes: 30 * day } as const satisfies Record<
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
  /** Where it was to go on once, to be known again in a circle; moved on as the pages read double. */
  landmark: z.string().nullable(),
  /** Feeds: when the newest change happened that it saw, not after it began. */
  newest: z.number().nullable(),
  /** Feeds: changes from before were seen by an earlier reading. */
  until: z.number().nullable(),
  restarts: z.number(),
  /** Whether this reading, once it has ended, and those before it went through the whole list. */
  whole: z.boolean(),
  /** Why it ended early, for a person. */
  why: z.string().nullable(),
});

/** How far the reading of one list is: a checkpoint, written with what the page has shown. */
type ListState = z.infer<typeof stateSchema>;

/** How far a list was read; null: not at all. */
export async function readListState(
  index: Pick<ReaderPorts['index'], 'note'>,
  name: ListName,
): Promise<ListState | null> {
  const note = await index.note(noteOf(name));
  return note === null ? null : (stateSchema.safeParse(jsonOf(note)).data ?? null);
}

interface Wants {
  /** Also what an earlier reading left out. */
  readonly everything: boolean;
  /** What was read before this moment is read again, however fresh, ms. */
  readonly fullSince: number;
}

/** Reads the lists of the catalogue, each at most once. */
export function createListReader({ index, catalogue, clock }: ReaderPorts, { everything, fullSince }: Wants) {
  const over = new Set<ListName>();

  const keep = async (name: ListName, state: ListState, seen: readonly Sighting[] = []): Promise<void> => {
    await index.learn(seen, { name: noteOf(name), value: JSON.stringify(state) });
    if (state.ended !== null) over.add(name);
  };
  const ended = (state: ListState, why: string): ListState => ({
    ...{ ...state, next: null, ended: clock.now(), whole: false, why },
  });
  /** The reading that is under way, or a new one: of a feed, as far back as the one before had seen. */
  const current = async (name: ListName): Promise<ListState> => {
    const before = await readListState(index, name);
    if (before !== null && before.ended === null && before.begun >= fullSince) return before;
    const goesOn = before !== null && before.begun >= fullSince && (before.whole || !everything);
    const seen = goesOn ? before.newest : null;
    return {
      ...{ next: null, begun: clock.now(), ended: null, pages: 0, totalPages: null, landmark: null },
      ...{ newest: seen, until: seen, restarts: 0, whole: goesOn && before.whole, why: null },
    };
  };
  const readPage = async (name: ListName, nextPage: string | null, deadline: Deadline) => {
    if (name === 'episodes') {
      const page = await catalogue.readEpisodesPage(nextPage, deadline);
      return { ...page, times: [], seen: sightingsOf({ of: 'episodes', items: page.items }) };
    }
    const page = await catalogue.readFeedPage(name, nextPage, deadline);
    const times = page.items.map((item) => Date.parse(changedAtOf(item) ?? ''));
    return {
      ...page,
      times: times.filter((time) => !Number.isNaN(time)),
      seen: sightingsOf({ of: 'feed', items: page.items }),
    };
  };

  return {
    async isDue(name: ListName): Promise<boolean> {
      if (over.has(name)) return false;
      const state = await readListState(index, name);
      if (state === null || state.begun < fullSince || state.ended === null) return true;
      const age = clock.now() - state.ended;
      return age < 0 || age >= freshFor[name] || (everything && !state.whole);
    },
    /** Reads the next page, and keeps it and where it goes on. Rejects with what the catalogue or the store rejects with. */
    async readPage(name: ListName, deadline: Deadline): Promise<void> {
      const state = await current(name);
      const page = await readPage(name, state.next, deadline);
      // A change that says to come from the future would make later readings end at what they don't know yet.
      const times = page.times.map((time) => Math.min(time, state.begun));
      const pages = state.pages + 1;
      const after: ListState = {
        ...state,
        next: page.nextPage,
        pages,
        totalPages: page.totalPages,
        landmark: Number.isInteger(Math.log2(pages)) ? page.nextPage : state.landmark,
        newest: state.pages === 0 ? Math.max(...times, state.newest ?? 0) || null : state.newest,
      };
      const astray = whyAstray(state, after);
      const isKnown = state.until !== null && Math.min(...times) < state.until - overlap;
      const last = { ...after, next: null, ended: clock.now(), whole: page.nextPage === null || state.whole };
      const isOver = page.nextPage === null || isKnown;
      await keep(name, astray !== null ? ended(after, astray) : isOver ? last : after, distinct(page.seen));
    },
    /** What can't be read any further for now. */
    async giveUp(name: ListName, why: string): Promise<void> {
      await keep(name, ended(await current(name), why));
    },
    /** The snapshot has expired, or the page is gone: from the first page on, unless that was tried in vain. */
    async restart(name: ListName, why: string): Promise<void> {
      const state = await current(name);
      const anew = { ...state, next: null, pages: 0, landmark: null, restarts: state.restarts + 1 };
      const isInVain = state.next === null || anew.restarts > mostRestarts;
      await keep(name, isInVain ? ended(state, why) : anew);
    },
  };
}

/**
 * Why a page that names another is not to be followed, for a person; null where it is. A circle is told by an address
 * that comes again: of all addresses only the landmark is kept, and as it moves on at each power of two, a circle of
 * any length is known soon after it was gone round once (Brent's way).
 */
function whyAstray(state: ListState, { next, pages, totalPages }: ListState): string | null {
  if (next === null) return null;
  if (next === state.next || next === state.landmark) return 'its pages lead in a circle';
  const most = totalPages ?? mostPages;
  return pages >= most ? `its pages go on beyond the ${most} that it may have` : null;
}

/** A page of episodes names its show a hundred times. */
function distinct(seen: readonly Sighting[]): Sighting[] {
  return [...new Map(seen.map((one) => [JSON.stringify(one), one])).values()];
}

function noteOf(name: ListName): string {
  return `list ${name}`;
}
