import { z } from 'zod';
import type { Catalogue } from '../../catalogue/client.ts';
import type { Clock } from '../../clock.ts';
import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isKind } from '../../model/kinds.ts';
import { sightingsOf, type TitleReference } from '../../model/sightings.ts';
import { jsonOf } from '../../text.ts';
import { listPlace, readListPage } from '../changes/feeds.ts';
import type { TitleIndex } from './title-index.ts';
import type { Seen } from './titles.ts';
import { createTurns } from './turns.ts';

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
 * `done`: everything that was wanted was read. `busy`: another process reads. `rests`: the day's requests are used up, or
 * the service has turned one away. `failed`: the service can't be read now.
 */
export type FillingEnd =
  | { readonly end: 'done' | 'busy' | 'stopped' | 'rests' }
  | { readonly end: 'failed'; readonly error: ArtworkError };

/** What the service lists page by page (interface document, Endpoints): both feeds and the index of episodes. */
const listNames = ['assets', 'sets', 'episodes'] as const;
type ListName = (typeof listNames)[number];
/** What one request reads: a page of a list, or a work. */
type Job = ListName | TitleReference;

const hourMs = 60 * 60_000;
/** How long a list that was read to its end is fresh, ms. */
const freshFor = { assets: 6 * hourMs, sets: 6 * hourMs, episodes: 30 * 24 * hourMs } as const;
/** Changes show late: a later reading of a feed goes so far beyond where the one before began, ms. */
const overlapMs = hourMs;
const requestMs = 40_000;
/** So many requests in a row that fail end the reading: it is the service that is away. */
const mostFailures = 5;

/**
 * Reads of the catalogue what the index lacks, one request at a time: both feeds, the index of episodes, then the works
 * that these name, the newest change first (a work's record names its Sets, seasons and films). What a page shows and
 * where the reading goes on are written together, so that it may be killed at any moment.
 */
export async function fillIndex(ports: ReaderPorts, filling: Filling): Promise<FillingEnd> {
  const { index, clock, log, isOurs } = ports;
  const { signal, isByHand, isFull = false, onProgress } = filling;
  const turns = createTurns(ports, isByHand);
  /** What failed in this reading is left for the next one. */
  const left = new Set<string>();
  let failures = 0;
  const nextJob = async (): Promise<Job | undefined> => {
    for (const name of listNames) {
      const { ended } = await listOf(index, name);
      if (!left.has(name) && (ended === null || clock.now() - ended >= freshFor[name])) return name;
    }
    return (await index.wanted(1 + left.size)).find((work) => !left.has(nameOf(work)));
  };

  try {
    if (isFull) await index.forgetReadings();
    for (;;) {
      const job = await nextJob();
      if (job === undefined) break;
      const turn = await turns.take(signal);
      if (turn !== 'go') return { end: turn };
      try {
        if (typeof job === 'string') await readPage(ports, job, signal);
        else await readWork(ports, job, signal);
        failures = 0;
      } catch (error) {
        if (!(error instanceof ArtworkError) || error.failure === 'internal') throw error;
        if (error.failure === 'cancelled') continue;
        if (!isOurs && (error.status === 429 || error.status === 403)) {
          await turns.end(true);
          return { end: 'rests' };
        }
        log.debug(`${nameOf(job)} could not be read for the index of titles: ${error.message}`);
        left.add(nameOf(job));
        failures = error.passes ? failures + 1 : 0;
        if (failures >= mostFailures) return { end: 'failed', error };
        // What is gone, or is no record, is not asked for again before it changes.
        if (!error.passes && typeof job !== 'string') await index.learn([{ ...job, whole: true }]);
      }
      onProgress?.(await readingStatus(ports));
    }
    const lists = await Promise.all(listNames.map((name) => listOf(index, name)));
    if (left.size === 0 && lists.every(({ whole }) => whole > 0))
      await index.learn([], { complete: new Date(clock.now()).toISOString() });
    return { end: 'done' };
  } finally {
    await turns.end();
  }
}

function nameOf(job: Job): string {
  return typeof job === 'string' ? job : `${job.kind} ${job.id}`;
}

async function readWork(
  { index, catalogue }: ReaderPorts,
  { kind, id }: TitleReference,
  signal: AbortSignal,
) {
  if (!isKind(kind)) return;
  const record = await catalogue.readEntity(kind, id, deadlineIn(requestMs, signal));
  await index.learn([...sightingsOf({ of: 'entity', kind, record }), { kind, id, whole: true }]);
}

/** How far the reading of a list is. */
const list = z.object({
  /** Where it goes on; null: at the first page. */
  next: listPlace.nullable().default(null),
  /** When it began and ended, ms; `ended` null: it is under way. */
  began: z.number().default(0),
  ended: z.number().nullable().default(null),
  /** When the last reading that came to the end of the list began, ms; 0: none has. */
  whole: z.number().default(0),
});
type List = z.output<typeof list>;

async function listOf(index: TitleIndex, name: ListName): Promise<List> {
  return list.safeParse(jsonOf((await index.note(`list ${name}`)) ?? '')).data ?? list.parse({});
}

/** One page of a list, learnt together with where the next one is. */
async function readPage({ index, catalogue, clock }: ReaderPorts, name: ListName, signal: AbortSignal) {
  const deadline = deadlineIn(requestMs, signal);
  const known = await listOf(index, name);
  const now = clock.now();
  const began = known.next === null ? now : known.began;
  const { sightings, next, state } = await readShown();
  const whole = state === 'ended' || state === 'reached' ? began : known.whole;
  const ended = next === null ? clock.now() : null;
  await index.learn(sightings, {
    [`list ${name}`]: JSON.stringify({ next, began, ended, whole } satisfies List),
  });

  async function readShown() {
    if (name === 'episodes') {
      const read = (page: string | null) => catalogue.readEpisodesPage(page, deadline);
      const step = await readListPage(known.next, { read, since: Number.NEGATIVE_INFINITY, now });
      return { ...step, sightings: sightingsOf({ of: 'episodes', items: step.items }) };
    }
    const read = (page: string | null) => catalogue.readFeedPage(name, page, deadline);
    const step = await readListPage(known.next, { read, since: known.whole - overlapMs, now });
    return { ...step, sightings: sightingsOf({ of: 'feed', items: step.items }) };
  }
}

/** How much the index has seen, and how many works are still to be read of those that are known. */
export interface ReaderStatus extends Seen {
  readonly left: number;
}

export async function readingStatus({ index }: Pick<ReaderPorts, 'index'>): Promise<ReaderStatus> {
  return { ...(await index.seen()), left: await index.left() };
}

export type ReaderActivity = 'idle' | 'reading' | 'failed';

/** How long until it is looked again what has grown old, or been named by others, ms. */
const pauseMs = 5 * 60_000;
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
  const run = async (): Promise<void> => {
    await clock.sleep(firstPauseMs, signal);
    while (!signal.aborted) {
      activity = 'reading';
      try {
        const { ports, close } = await connect();
        const { end } = await fillIndex(ports, { signal, isByHand: false }).finally(close);
        activity = end === 'failed' ? 'failed' : end === 'busy' ? 'reading' : 'idle';
      } catch (error) {
        // No caller's call fails by it: find_titles goes on with what there is.
        activity = 'failed';
        const why = error instanceof ArtworkError ? error.message : 'a defect';
        if (!signal.aborted) log.warn(`The catalogue is not read for the index of titles: ${why}`);
      }
      await clock.sleep(pauseMs, signal);
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
