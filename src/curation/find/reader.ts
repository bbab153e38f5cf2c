import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/client.ts';
import type { Clock } from '../../clock.ts';
import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isKind } from '../../model/kinds.ts';
import { jsonOf } from '../../text.ts';
import { type FeedPages, readFeedPage } from '../changes/feeds.ts';
import { sightingsOf } from './sightings.ts';
import type { TitleIndex } from './title-index.ts';
import type { Seen, Sighting, TitleReference } from './titles.ts';

/** What reads the catalogue on its own works with. */
export interface ReaderPorts {
  readonly index: TitleIndex;
  /** Of its own: it sends each request once, since how often and when is the reader's to say. */
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readEpisodesPage' | 'readFeedPage'>;
  /** The catalogue is a process of this program on this machine: no pace is kept, and all of it is read. */
  readonly isOurs: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Filling {
  readonly signal: AbortSignal;
  /** A person waits for it: the whole catalogue is read, however many requests that takes. */
  readonly isByHand: boolean;
  /** Reads all of it again. */
  readonly isFull?: boolean;
  readonly onProgress?: (status: ReaderStatus) => void;
}

/**
 * `done`: everything that was wanted was read. `full`: the index takes no more. `busy`: another process reads. `rests`:
 * the day's requests are used up, or the service has turned one away. `failed`: the service can't be read now.
 */
export type FillingEnd =
  | { readonly end: 'done' | 'full' | 'busy' | 'stopped' | 'rests' }
  | { readonly end: 'failed'; readonly error: ArtworkError };

/** What the service lists page by page (interface document, Endpoints): both feeds and the index of episodes. */
const listNames = ['assets', 'sets', 'episodes'] as const;
type ListName = (typeof listNames)[number];

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** How long a list that was read to its end is fresh, ms. */
const freshFor = { assets: 6 * hourMs, sets: 6 * hourMs, episodes: 30 * dayMs } as const;
/** Changes show late: a later reading of a feed goes so far beyond where the one before began, ms. */
const overlapMs = hourMs;
const requestMs = 40_000;
/** So many requests in a row that fail end the reading: it is the service that is away. */
const mostFailures = 5;
const failurePauseMs = 2_000;
const atOnce = 100;

const place = z.object({
  page: z.string().nullable(),
  visited: z.array(z.string()),
  last: z.number().nullable(),
  isOrdered: z.boolean(),
  isBegunAnew: z.boolean(),
});
const list = z.object({
  /** Where the reading goes on: a page of the index of episodes, a place in a feed; null: at the first page. */
  next: z.union([z.string(), place]).nullable().default(null),
  pages: z.number().default(0),
  totalPages: z.number().nullable().default(null),
  /** When it began and ended, ms; `ended` null: it is under way. */
  began: z.number().default(0),
  ended: z.number().nullable().default(null),
  /** Of a feed: at a page that is older as a whole, ms, the rest is known. */
  until: z.number().default(0),
  /** Whether this reading and those before it went through the whole list. */
  whole: z.boolean().default(false),
});
type List = z.output<typeof list>;

/**
 * Reads of the catalogue what the index lacks, one request at a time: both feeds, the index of episodes, then the works
 * that these name, the newest change first (a work's record names its Sets, seasons and films). What a page shows and
 * where the reading goes on are written together, so that it may be killed at any moment.
 */
export async function fillIndex(ports: ReaderPorts, filling: Filling): Promise<FillingEnd> {
  const { index, clock, log, isOurs } = ports;
  const { signal, isByHand, isFull = false, onProgress } = filling;
  const takeTurn = turnsOf(ports, isByHand);
  /** What failed in this reading is left for the next one. */
  const left = new Set<string>();
  /** Pages of the index of episodes that this reading has seen: a list that leads back to one of them has no end. */
  const visited = new Set<string>();
  let failures = 0;
  if (isFull) {
    await index.forgetReadings();
    for (const name of listNames) await index.learn([], noteOf(name, list.parse({})));
  }
  const nextJob = async (): Promise<ListName | TitleReference | undefined> => {
    for (const name of listNames) {
      const { ended } = await listOf(index, name);
      if (!left.has(name) && (ended === null || clock.now() - ended >= freshFor[name])) return name;
    }
    return (await index.wanted(atOnce + left.size)).find((work) => !left.has(nameOf(work)));
  };
  const leave = async (job: ListName | TitleReference, { failure, passes }: ArtworkError): Promise<void> => {
    failures = passes ? failures + 1 : 0;
    if (passes) await clock.sleep(failures * failurePauseMs, signal);
    left.add(nameOf(job));
    if (typeof job === 'string' || passes) return;
    if (failure === 'not_found') await index.forget(job);
    else await index.learn([{ ...job, whole: true }]);
  };

  try {
    for (;;) {
      if (await index.isFull()) return { end: 'full' };
      const job = await nextJob();
      if (job === undefined) break;
      const turn = await takeTurn(signal);
      if (turn !== 'go') return { end: turn };
      try {
        if (typeof job === 'string') await readPage(ports, job, signal, visited);
        else await readWork(ports, job, signal);
        failures = 0;
      } catch (error) {
        if (!(error instanceof ArtworkError) || error.failure === 'internal') throw error;
        if (error.failure === 'cancelled') continue;
        if (!isOurs && (error.status === 429 || error.status === 403)) {
          await takeTurn.end(true);
          return { end: 'rests' };
        }
        log.debug(`${nameOf(job)} could not be read for the index of titles: ${error.message}`);
        await leave(job, error);
        if (failures >= mostFailures) return { end: 'failed', error };
      }
      onProgress?.(await readingStatus(ports));
    }
    const lists = await Promise.all(listNames.map((name) => listOf(index, name)));
    const isWhole = left.size === 0 && lists.every(({ whole }) => whole);
    if ((isByHand || isOurs) && isWhole)
      await index.learn([], { complete: new Date(clock.now()).toISOString() });
    return { end: 'done' };
  } finally {
    await takeTurn.end();
  }
}

async function readWork(
  { index, catalogue }: ReaderPorts,
  { kind, id }: TitleReference,
  signal: AbortSignal,
) {
  if (!isKind(kind)) return;
  const record = await catalogue.readEntity(kind, id, deadlineIn(requestMs, signal));
  const shown = sightingsOf({ of: 'entity', kind, record });
  // A record that says another id is no answer to what was asked for.
  const isItself = shown.some((one) => one.whole === true && one.kind === kind && one.id === id);
  await index.learn(isItself ? shown : [{ kind, id, whole: true }]);
}

/** One page of a list, learnt together with where the next one is. */
async function readPage(ports: ReaderPorts, name: ListName, signal: AbortSignal, visited: Set<string>) {
  const { index, catalogue, clock } = ports;
  const known = await listOf(index, name);
  const isFirst = known.next === null;
  const isAgain = isFirst && known.whole && known.ended !== null;
  const until = isAgain ? known.began - overlapMs : isFirst ? 0 : known.until;
  const began = isFirst ? clock.now() : known.began;
  const deadline = deadlineIn(requestMs, signal);
  const pages = (isFirst ? 0 : known.pages) + 1;
  const keep = (
    shown: readonly Sighting[],
    next: List['next'],
    isWhole: boolean,
    totalPages: number | null,
  ) => {
    const [ended, whole] = next === null ? [clock.now(), isWhole] : [null, known.whole];
    return index.learn(shown, noteOf(name, { next, pages, totalPages, began, ended, until, whole }));
  };
  if (name !== 'episodes') {
    const read: FeedPages['read'] = (feed, page) => catalogue.readFeedPage(feed, page, deadline);
    const from = typeof known.next === 'string' ? null : known.next;
    const { items, next, state } = await readFeedPage(name, from, until, { read, now: clock.now });
    await keep(
      sightingsOf({ of: 'feed', items }),
      next === null ? null : { ...next, visited: [...next.visited] },
      state !== 'cut',
      null,
    );
    return;
  }
  const from = typeof known.next === 'string' ? known.next : null;
  const { items, nextPage, totalPages } = await catalogue.readEpisodesPage(from, deadline);
  const isCircle = nextPage !== null && visited.has(nextPage);
  if (nextPage !== null) visited.add(nextPage);
  await keep(sightingsOf({ of: 'episodes', items }), isCircle ? null : nextPage, !isCircle, totalPages);
}

async function listOf(index: TitleIndex, name: ListName): Promise<List> {
  return list.safeParse(jsonOf((await index.note(`list ${name}`)) ?? '')).data ?? list.parse({});
}

function noteOf(name: ListName, state: List): Readonly<Record<string, string>> {
  return { [`list ${name}`]: JSON.stringify(state) };
}

function nameOf(job: ListName | TitleReference): string {
  return typeof job === 'string' ? job : `${job.kind} ${job.id}`;
}

/** From one request to the next, ms. The service names no limit (interface document, Limits), so it is little. */
const gapMs = 1_000;
/** Within any day, of all processes of this machine; a person's reading is not bound by it. */
const mostADay = 1_000;
/** A reader that has not asked for so long has ended or sleeps, ms: a request with its pause takes less. */
const silentMs = 60_000;

/** The one row by which the processes of this machine take turns. */
const row = z.object({
  /** Who reads; null: nobody. */
  holder: z.string().nullable(),
  isByHand: z.boolean(),
  /** When the last request began, ms. */
  last: z.number(),
  /** Since the last day without any: the bound then holds for every day, wherever it begins. */
  count: z.number(),
  /** The service has turned the last one away. */
  refused: z.boolean(),
});
type Row = z.output<typeof row>;
type Turn = 'go' | 'rests' | 'busy' | 'stopped';

/**
 * One process of this machine reads a service at a time: it writes its name into the row before each request. A reading
 * that a person has started takes its place, and the other one ends before its next request.
 */
function turnsOf({ index, clock, isOurs }: ReaderPorts, isByHand: boolean) {
  const me = randomUUID();
  let hasHeld = false;
  /** Waits for the next turn, and counts its request before that is sent. */
  const take = async (signal: AbortSignal): Promise<Turn> => {
    const { last } = rowIn(await index.note('reader'), clock.now());
    if (!isOurs) await clock.sleep(last + gapMs - clock.now(), signal);
    if (signal.aborted) return 'stopped';
    const next: { turn: Turn } = { turn: 'busy' };
    await index.changeNote('reader', (text) => {
      const now = clock.now();
      const seen = rowIn(text, now);
      const isFree = seen.holder === null || now - seen.last >= silentMs;
      const may = hasHeld ? seen.holder === me : isFree || (isByHand && !seen.isByHand);
      next.turn = !may ? 'busy' : !isOurs && restOf(seen, isByHand) !== null ? 'rests' : 'go';
      const mine: Row = {
        holder: me,
        isByHand,
        last: now,
        count: seen.count + (isOurs ? 0 : 1),
        refused: false,
      };
      return next.turn === 'go' ? JSON.stringify(mine) : null;
    });
    hasHeld ||= next.turn === 'go';
    return next.turn;
  };
  /** @param refused the service has turned a request away: nothing more is asked for a day */
  const end = (refused = false): Promise<void> =>
    index.changeNote('reader', (text) => {
      const now = rowIn(text, clock.now());
      return now.holder === me ? JSON.stringify({ ...now, holder: null, refused }) : null;
    });
  return Object.assign(take, { end });
}

/** Until when nothing is asked, ms; null: it may be asked now. */
function restOf({ last, count, refused }: Row, isByHand: boolean): number | null {
  return refused || (count >= mostADay && !isByHand) ? last + dayMs : null;
}

function rowIn(text: string | null, now: number): Row {
  const told = row.safeParse(jsonOf(text ?? '')).data;
  if (told === undefined || now - told.last >= dayMs)
    return { holder: null, isByHand: false, last: 0, count: 0, refused: false };
  // The clock was set back: nobody waits for the time that it lost.
  return told.last <= now ? told : { ...told, holder: null, last: now };
}

/** How much the index has seen, and how far the reading of the catalogue is. Times are ISO 8601. */
export interface ReaderStatus extends Seen {
  /** `readAt`: when it was read to its end; null: it is under way. */
  readonly lists: Readonly<
    Record<ListName, Pick<List, 'pages' | 'totalPages'> & { readonly readAt: string | null }>
  >;
  /** Records that are still to be read, of those that are known. */
  readonly left: number;
  /** Until when nothing is read without a person; null: now. */
  readonly restsUntil: string | null;
  /** The index is as large as it may become. */
  readonly full: boolean;
}

export async function readingStatus({ index, clock }: ReaderPorts): Promise<ReaderStatus> {
  const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const statusOf = async (name: ListName) => {
    const { pages, totalPages, ended } = await listOf(index, name);
    return { pages, totalPages, readAt: timeOf(ended) };
  };
  return {
    ...(await index.seen()),
    lists: {
      assets: await statusOf('assets'),
      sets: await statusOf('sets'),
      episodes: await statusOf('episodes'),
    },
    left: await index.left(),
    restsUntil: timeOf(restOf(rowIn(await index.note('reader'), clock.now()), false)),
    full: await index.isFull(),
  };
}

export type ReaderActivity = 'idle' | 'reading' | 'failed';

const minuteMs = 60_000;
/** How long until it is looked again what has grown old, or been named by others, ms. */
const pauses = { done: 10, full: 60, rests: 10, failed: 5, busy: 1 / 3, stopped: 0 } as const;
/** The call at hand is answered first, ms. */
const firstPauseMs = 250;

/**
 * Reads the catalogue while the host is open, without anybody waiting for it.
 * @param connect opens the way to the catalogue for one reading, and closes it again
 */
export function runInBackground(
  connect: () => Promise<{ readonly ports: ReaderPorts; close(): Promise<void> }>,
  { log, clock }: Pick<ReaderPorts, 'log' | 'clock'>,
) {
  const closing = new AbortController();
  const { signal } = closing;
  let activity: ReaderActivity = 'reading';
  let told: string | null = null;
  const once = async (): Promise<FillingEnd['end']> => {
    const { ports, close } = await connect();
    return fillIndex(ports, { signal, isByHand: false })
      .then(({ end }) => end)
      .finally(close);
  };
  const run = async (): Promise<void> => {
    await clock.sleep(firstPauseMs, signal);
    while (!signal.aborted) {
      activity = 'reading';
      const end = await once().catch((error: unknown) => {
        // No caller's call fails by it: the log says it once, and find_titles goes on with what there is.
        const why = error instanceof ArtworkError ? error.message : 'a defect';
        if (why !== told && !signal.aborted)
          log.warn(`The catalogue is not read for the index of titles: ${why}`);
        told = why;
        return 'failed' as const;
      });
      activity = end === 'failed' ? 'failed' : end === 'busy' ? 'reading' : 'idle';
      await clock.sleep(pauses[end] * minuteMs, signal);
    }
  };
  const running = run();
  return {
    activity: () => activity,
    /** Ends at once, in the middle of what is being read. */
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
