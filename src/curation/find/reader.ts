import { z } from 'zod';
import type { Catalogue } from '../../catalogue/client.ts';
import type { Clock } from '../../clock.ts';
import { type Deadline, deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { changedAtOf } from '../../model/feed-item.ts';
import { isKind } from '../../model/kinds.ts';
import { jsonOf } from '../../text.ts';
import { restsUntil, takeTurns } from './pace.ts';
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
  /** Reads all of it again, what is fresh too. */
  readonly isFull?: boolean;
  readonly onProgress?: (status: ReaderStatus) => void;
}

/**
 * `done`: everything that was wanted was read, and is fresh. `full`: the index takes no more. `busy`: another process
 * reads. `lost`: another process reads from now on. `rests`: the day's requests are used up, or the service has turned
 * one away. `failed`: the service can't be read now.
 */
export type FillingEnd =
  | { readonly end: 'done' | 'full' | 'busy' | 'lost' | 'stopped' | 'rests' }
  | { readonly end: 'failed'; readonly error: ArtworkError };

/** What the service lists page by page (interface document, Endpoints): both feeds and the index of episodes. */
export const listNames = ['assets', 'sets', 'episodes'] as const;
export type ListName = (typeof listNames)[number];

const dayMs = 24 * 60 * 60_000;
/** How long a list that was read to its end is fresh, ms. Of changes only the newest pages are read then. */
const freshFor: Readonly<Record<ListName, number>> = {
  assets: dayMs / 4,
  sets: dayMs / 4,
  episodes: 30 * dayMs,
};
const recordsFreshFor = 30 * dayMs;
/** Changes show late: a later reading goes so far beyond where the one before began, ms. */
const overlapMs = 60 * 60_000;
/** Beyond what any service has: pages may lead on for ever. */
const mostPages = 500_000;
const requestMs = 40_000;
/** So many requests in a row that fail end the reading: it is the service that is away. */
const mostFailures = 5;
const failurePauseMs = 2_000;
const atOnce = 100;

const listSchema = z.object({
  /** Where the reading goes on; null: at the first page. */
  next: z.string().nullable(),
  pages: z.number(),
  totalPages: z.number().nullable(),
  /** When it ended, ms; null while it is under way. */
  ended: z.number().nullable(),
  /** Feeds: the newest change that it saw, and that of the reading before, ms. */
  newest: z.number(),
  until: z.number(),
  /** Whether this reading and those before it went through the whole list. */
  whole: z.boolean(),
});
type ListState = z.output<typeof listSchema>;
const notBegun: ListState = {
  ...{ next: null, pages: 0, totalPages: null, ended: null, newest: 0, until: 0, whole: false },
};

/**
 * Reads of the catalogue what the index lacks, one request at a time: what changed, the index of episodes, then the
 * works that these name, the newest change first (a work's record names its Sets, seasons and films). Each page stands in
 * the index with where the reading goes on, so that it may be killed at any moment.
 */
export async function fillIndex(ports: ReaderPorts, filling: Filling): Promise<FillingEnd> {
  const { index, catalogue, clock, log, isOurs } = ports;
  const { signal, isByHand, isFull = false, onProgress } = filling;
  /** What failed in this reading is left for the next one. */
  const left = new Set<string>();
  const turns = await takeTurns(ports, isByHand, signal);
  if (turns === null) return { end: 'busy' };
  const everything = isByHand || isOurs;
  const begun = clock.now();
  const readBefore = () => (isFull ? begun : clock.now() - recordsFreshFor);
  /** Pages that this reading has seen: a list that leads back to one of them has no end. */
  const visited = new Set<string>();
  let failures = 0;

  const listDue = async (): Promise<ListName | null> => {
    for (const name of listNames) {
      const { ended } = await listState(index, name);
      const isFresh = ended !== null && ended > (isFull ? begun : clock.now() - freshFor[name]);
      if (!isFresh && !left.has(name)) return name;
    }
    return null;
  };
  const workDue = async (): Promise<TitleReference | null> => {
    const due = await index.changed(atOnce);
    const wanted = due.length > 0 ? due : await index.due(everything ? readBefore() : 0, atOnce);
    return wanted.find((reference) => !left.has(nameOf(reference))) ?? null;
  };
  const readWork = async ({ kind, id }: TitleReference): Promise<void> => {
    if (!isKind(kind)) return;
    const record = await catalogue.readEntity(kind, id, deadlineIn(requestMs, signal));
    const shown = sightingsOf({ of: 'entity', kind, record });
    // A record that says another id is no answer to what was asked for.
    const isItself = shown.some((one) => one.whole === true && one.kind === kind && one.id === id);
    await index.learn(isItself ? shown : [{ kind, id, whole: true }]);
  };
  /** @returns the error that ends the reading, where it does */
  const failed = async (
    job: ListName | TitleReference,
    error: ArtworkError,
  ): Promise<ArtworkError | null> => {
    const { category, status, message } = error;
    if (category === 'internal') throw error;
    if (category === 'cancelled') return null;
    if (!isOurs && (status === 429 || status === 403)) {
      await turns.refused();
      return null;
    }
    log.debug(`${nameOf(job)} could not be read for the index of titles: ${message}`);
    if (category === 'snapshot_expired' && typeof job === 'string') {
      // A snapshot may expire sooner than it is read through: it is begun anew once.
      const state = await listState(index, job);
      if (visited.has(`${job} anew`))
        await keepList(index, job, { ...state, next: null, ended: clock.now() });
      else await keepList(index, job, { ...state, next: null });
      visited.add(`${job} anew`);
      return null;
    }
    failures = error.passes ? failures + 1 : 0;
    if (failures >= mostFailures) return error;
    left.add(nameOf(job));
    if (typeof job !== 'string' && !error.passes) {
      if (category === 'not_found') await index.forget(job);
      else await index.learn([{ ...job, whole: true }]);
    }
    if (error.passes) await clock.sleep(failures * failurePauseMs, signal);
    return null;
  };

  try {
    for (;;) {
      if (await index.isFull()) return { end: 'full' };
      const job = signal.aborted ? null : ((await listDue()) ?? (await workDue()));
      if (signal.aborted) return { end: 'stopped' };
      if (job === null) break;
      const may = await turns.next();
      if (may !== 'go') return { end: may };
      try {
        if (typeof job === 'string') await readListPage(ports, job, deadlineIn(requestMs, signal), visited);
        else await readWork(job);
        failures = 0;
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        const end = await failed(job, error);
        if (end !== null) return { end: 'failed', error: end };
      }
      onProgress?.(await readingStatus(ports));
    }
    const states = await Promise.all(listNames.map((name) => listState(index, name)));
    if (everything && states.every(({ whole }) => whole) && left.size === 0) {
      await index.setNote('complete', String(clock.now()));
    }
    return { end: 'done' };
  } finally {
    await turns.release();
  }
}

/** One page of a list, learnt together with where the next one is. */
async function readListPage(
  { index, catalogue, clock }: ReaderPorts,
  name: ListName,
  deadline: Deadline,
  visited: Set<string>,
): Promise<void> {
  const before = await listState(index, name);
  const isFirst = before.next === null;
  const state = isFirst
    ? { ...before, pages: 0, ended: null, newest: before.ended === null ? 0 : before.newest }
    : before;
  const until = isFirst && before.ended !== null && before.whole ? before.newest - overlapMs : state.until;
  const read = async (): Promise<{ page: ListedPage; shown: Sighting[]; times: number[] }> => {
    if (name === 'episodes') {
      const page = await catalogue.readEpisodesPage(state.next, deadline);
      return { page, shown: sightingsOf({ of: 'episodes', items: page.items }), times: [] };
    }
    const page = await catalogue.readFeedPage(name, state.next, deadline);
    const times = page.items.map((item) => Date.parse(changedAtOf(item) ?? '') || 0);
    return { page, shown: sightingsOf({ of: 'feed', items: page.items }), times };
  };
  const { page, shown, times } = await read();
  const pages = state.pages + 1;
  const isKnown = until > 0 && times.length > 0 && Math.min(...times) < until;
  const next = `${name} ${page.nextPage}`;
  const leadsNowhere = page.nextPage !== null && (visited.has(next) || pages >= mostPages);
  visited.add(next);
  const isLast = page.nextPage === null || isKnown || leadsNowhere;
  const after: ListState = {
    next: isLast ? null : page.nextPage,
    pages,
    totalPages: page.totalPages,
    ended: isLast ? clock.now() : null,
    newest: Math.min(clock.now(), Math.max(state.newest, ...times)),
    until,
    whole: isLast ? !leadsNowhere : state.whole,
  };
  await index.learn(shown, '', { name: `list ${name}`, value: JSON.stringify(after) });
}

interface ListedPage {
  readonly nextPage: string | null;
  readonly totalPages: number | null;
}

async function listState(index: TitleIndex, name: ListName): Promise<ListState> {
  return listSchema.safeParse(jsonOf((await index.note(`list ${name}`)) ?? '')).data ?? notBegun;
}

async function keepList(index: TitleIndex, name: ListName, state: ListState): Promise<void> {
  await index.setNote(`list ${name}`, JSON.stringify(state));
}

function nameOf(job: ListName | TitleReference): string {
  return typeof job === 'string' ? job : `${job.kind} ${job.id}`;
}

/** How much the index has seen, and how far the reading of the catalogue is. */
export interface ReaderStatus extends Seen {
  readonly lists: Readonly<
    Record<
      ListName,
      { readonly pages: number; readonly totalPages: number | null; readonly readAt: string | null }
    >
  >;
  /** Records that are still to be read, of those that are known. */
  readonly left: number;
  /** Until when nothing is read without a person, ISO 8601; null: now. */
  readonly restsUntil: string | null;
  /** The index is as large as it may become. */
  readonly full: boolean;
}

/** How far the catalogue was read for the index, list by list. */
export async function readingStatus({
  index,
  clock,
}: Pick<ReaderPorts, 'index' | 'clock'>): Promise<ReaderStatus> {
  const rests = await restsUntil({ index, clock }, false);
  const listOf = async (name: ListName) => {
    const { pages, totalPages, ended } = await listState(index, name);
    return { pages, totalPages, readAt: ended === null ? null : new Date(ended).toISOString() };
  };
  return {
    ...(await index.seen()),
    lists: { assets: await listOf('assets'), sets: await listOf('sets'), episodes: await listOf('episodes') },
    left: await index.countDue(clock.now() - recordsFreshFor),
    restsUntil: rests === null ? null : new Date(rests).toISOString(),
    full: await index.isFull(),
  };
}

export type ReaderActivity = 'idle' | 'reading' | 'failed';

/** How long until it is looked again what has grown old, or been named by others, ms. */
const pauses: Readonly<Record<FillingEnd['end'], number>> = {
  ...{ done: 10 * 60_000, full: 60 * 60_000, rests: 10 * 60_000, failed: 5 * 60_000 },
  ...{ busy: 20_000, lost: 20_000, stopped: 0 },
};
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

  const once = async (): Promise<number> => {
    activity = 'reading';
    const { ports, close } = await connect();
    try {
      const { end } = await fillIndex(ports, { signal, isByHand: false });
      activity = end === 'failed' ? 'failed' : end === 'busy' || end === 'lost' ? 'reading' : 'idle';
      return pauses[end];
    } finally {
      await close();
    }
  };
  const run = async (): Promise<void> => {
    await clock.sleep(firstPauseMs, signal);
    while (!signal.aborted) {
      const pause = await once().catch((error: unknown) => {
        activity = 'failed';
        // No caller's call fails by it: the log says it once, and find_titles goes on with what there is.
        const why = error instanceof ArtworkError ? error.message : 'a defect';
        if (why !== told && !signal.aborted)
          log.warn(`The catalogue is not read for the index of titles: ${why}`);
        told = why;
        return pauses.failed;
      });
      await clock.sleep(pause, signal);
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
