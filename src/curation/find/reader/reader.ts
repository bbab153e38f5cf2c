import { deadlineIn } from '../../../deadline.ts';
import { ArtworkError } from '../../../errors.ts';
import type { Seen, TitleIndex, TitleReference } from '../title-index.ts';
import { createListReader, type ListName, listNames, readListState } from './lists.ts';
import type { ReaderPorts } from './ports.ts';
import { restsUntil, takeTurns, type Turns } from './turns.ts';
import { createWorkReader } from './works.ts';

export interface Filling {
  readonly signal: AbortSignal;
  /** A person waits for it: the whole catalogue is read, however many requests that takes. */
  readonly isByHand: boolean;
  /** Reads all of it again, what is fresh too; a full reading that was interrupted goes on. */
  readonly isFull?: boolean;
  /** How often each page or record failed in earlier readings of this process. */
  readonly tries?: Map<string, number>;
  readonly onProgress?: (progress: ReaderProgress) => void;
}

export interface ReaderProgress {
  readonly lists: Readonly<Record<ListName, ListStatus>>;
  /** Records that this reading has read. */
  readonly records: number;
  /** How many are known to be left. */
  readonly left: () => Promise<number>;
}

/**
 * `done`: everything that was wanted was read, and is fresh. `full`: the index takes no more. `busy`: another process
 * reads. `lost`: another process reads from now on. `rests`: the day's requests are used up, or the service has turned
 * one away. `failed`: the service can't be read now.
 */
export type FillingEnd =
  | { readonly end: 'done' | 'full' | 'busy' | 'lost' | 'stopped' | 'rests' }
  | { readonly end: 'failed'; readonly error: ArtworkError };

/**
 * Reads of the catalogue what the index lacks, one request at a time, until nothing is left, the signal is aborted, or
 * another process has the lease. Everything that was read stands in the index at once with where the reading goes on,
 * so that it may be killed at any moment. Rejects with the store's errors.
 */
export async function fillIndex(ports: ReaderPorts, filling: Filling): Promise<FillingEnd> {
  const { signal, isByHand } = filling;
  const turns = await takeTurns(ports, isByHand, signal);
  if (turns === null) return { end: 'busy' };
  try {
    const everything = isByHand || ports.isOurs;
    const fullSince = await fullReadingSince(ports, filling.isFull === true);
    return await readAll(ports, filling, turns, { everything, fullSince });
  } finally {
    await turns.release();
  }
}

const fullNote = 'full since';

/** What was read before this moment is read again, ms; 0: only what is not fresh. */
async function fullReadingSince({ index, clock }: ReaderPorts, isFull: boolean): Promise<number> {
  const begun = Number((await index.note(fullNote)) ?? 0);
  if (begun > 0 || !isFull) return begun;
  const now = clock.now();
  await index.setNote(fullNote, String(now));
  return now;
}

type Job = ListName | TitleReference;

const requestMs = 40_000;
/** So many requests in a row that fail end the reading: it is the service that is away. */
const mostFailures = 5;
/** After a failure, times as many as there were in a row, ms. */
const failurePauseMs = 2_000;
/** One page or record that fails so often while others can be read is left for later. */
const mostTries = 3;

async function readAll(
  ports: ReaderPorts,
  { signal, onProgress, tries = new Map() }: Filling,
  turns: Turns,
  wants: { readonly everything: boolean; readonly fullSince: number },
): Promise<FillingEnd> {
  const { index, clock, log } = ports;
  const lists = createListReader(ports, wants);
  const works = createWorkReader(ports, wants);
  let failures = 0;
  let records = 0;
  let turn = 0;

  const dueList = async (...names: readonly ListName[]): Promise<ListName | null> => {
    for (const name of names) if (await lists.isDue(name)) return name;
    return null;
  };
  const ways: readonly (() => Promise<Job | null>)[] = [
    () => dueList('assets', 'sets'),
    () => dueList('episodes'),
    () => works.next((reference) => tries.get(nameOf(reference)) ?? 0),
  ];
  /** From the feeds, the index of episodes and the works in turn, so that something of each can soon be found. */
  const choose = async (): Promise<Job | null> => {
    // A snapshot can be read for some time only: where all of it is wanted it is read first.
    if (wants.everything && failures === 0) turn = 0;
    for (const _ of ways) {
      const job = await ways[turn++ % ways.length]?.();
      if (job != null) return job;
    }
    return null;
  };
  const leave = async (job: Job, why: string, isGone = false): Promise<void> => {
    if (typeof job !== 'string') await works.passOver(job, isGone);
    else await lists.giveUp(job, why);
  };
  /** @returns why the reading ends, where it does */
  const settle = async (job: Job, error: ArtworkError): Promise<FillingEnd | null> => {
    const { category, status, message } = error;
    if (category === 'internal') throw error;
    if (category === 'cancelled') return null;
    if (!ports.isOurs && (status === 429 || status === 403)) {
      await turns.refused();
      return null;
    }
    log.debug(`${nameOf(job)} could not be read for the index of titles: ${message}`);
    const isGone = category === 'not_found' || category === 'snapshot_expired';
    if (isGone && typeof job === 'string') await lists.restart(job, message);
    else if (['network', 'service_unavailable', 'rate_limited'].includes(category)) {
      failures += 1;
      const tried = (tries.get(nameOf(job)) ?? 0) + 1;
      tries.set(nameOf(job), tried);
      // Something else was read since it failed first: so it is this one.
      if (tried >= mostTries && failures < tried) await leave(job, message);
      else if (failures >= mostFailures) return { end: 'failed', error };
      await clock.sleep(failures * failurePauseMs, signal);
      return null;
    } else await leave(job, message, category === 'not_found');
    failures = 0;
    return null;
  };

  for (;;) {
    if (await index.isFull()) return { end: 'full' };
    const job = signal.aborted ? null : await choose();
    if (job === null) break;
    const may = await turns.next();
    if (may !== 'go') return { end: may };
    const deadline = deadlineIn(requestMs, signal);
    try {
      if (typeof job === 'string') await lists.readPage(job, deadline);
      else await works.read(job, deadline);
      if (typeof job !== 'string') records += 1;
      failures = 0;
      tries.delete(nameOf(job));
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      const end = await settle(job, error);
      if (end !== null) return end;
    }
    onProgress?.({ lists: await listStatus(index), records, left: works.left });
  }
  if (signal.aborted) return { end: 'stopped' };
  if (wants.everything) {
    const states = await Promise.all(listNames.map((name) => readListState(index, name)));
    // A list that could not be read to its end this time may have grown since it was.
    await index.setComplete(states.every((state) => state?.whole === true) ? clock.now() : null);
    await index.setNote(fullNote, null);
  }
  return { end: 'done' };
}

function nameOf(job: Job): string {
  return typeof job === 'string' ? `the list of ${job}` : `${job.kind} ${job.id}`;
}

/** `reading` includes that it is left to another process. */
export type ReaderActivity = 'idle' | 'reading' | 'failed';

/** Reads the catalogue while the host is open, without anybody waiting for it. */
export interface BackgroundReader {
  activity(): ReaderActivity;
  /** Ends at once, in the middle of what is being read. */
  close(): Promise<void>;
}

/** How long it takes until it is looked again what has grown old, or been named by others, ms. */
const pauses = {
  ...{ done: 10 * 60_000, full: 60 * 60_000, rests: 10 * 60_000, failed: 5 * 60_000 },
  ...{ busy: 20_000, lost: 20_000, stopped: 0 },
} as const satisfies Record<FillingEnd['end'], number>;
/** After the store has failed, ms: a full disk is not full for a second. */
const brokenPauseMs = 15 * 60_000;

/** ms */
const firstPauseMs = 250;

/**
 * Runs the reader in the background, again and again, while the server is open.
 * @param connect opens the way to the catalogue, and closes it again; asked for each reading
 */
export function runInBackground(
  connect: () => Promise<{ readonly ports: ReaderPorts; close(): Promise<void> }>,
  { log, clock }: Pick<ReaderPorts, 'log' | 'clock'>,
): BackgroundReader {
  const closing = new AbortController();
  const { signal } = closing;
  const tries = new Map<string, number>();
  let told: string | null = null;
  let activity: ReaderActivity = 'reading';

  const once = async (): Promise<number> => {
    activity = 'reading';
    const { ports, close } = await connect();
    try {
      const { end } = await fillIndex(ports, { signal, isByHand: false, tries });
      activity = end === 'failed' ? 'failed' : end === 'busy' || end === 'lost' ? 'reading' : 'idle';
      return pauses[end];
    } finally {
      await close();
    }
  };
  const run = async (): Promise<void> => {
    // The call at hand is answered first.
    await clock.sleep(firstPauseMs, signal);
    while (!signal.aborted) {
      let pause = brokenPauseMs;
      try {
        pause = await once();
      } catch (error) {
        if (signal.aborted) return;
        activity = 'failed';
        // No caller's call fails by it: the log says it once, and find_titles goes on with what there is.
        const why = error instanceof ArtworkError ? error.message : 'a defect';
        if (why !== told) log.warn(`The catalogue could not be read for the index of titles: ${why}`);
        told = why;
      }
      await clock.sleep(pause, signal);
    }
  };
  const running = run();
  return {
    activity: () => activity,
    async close() {
      closing.abort();
      await running;
    },
  };
}

export interface ListStatus {
  readonly pages: number;
  readonly totalPages: number | null;
  /** `reading`: a reading of it is under way, or was interrupted. `short`: it could not be read to its end. */
  readonly state: 'not begun' | 'reading' | 'read' | 'short';
  /** When the last reading ended, ISO 8601. */
  readonly readAt: string | null;
  /** Why it could not be read to its end. */
  readonly why: string | null;
}

/** How much the index has seen, and how far the reading of the catalogue is. */
export interface ReaderStatus extends Seen {
  readonly lists: Readonly<Record<ListName, ListStatus>>;
  /** Records that are still to be read, of those that are known. */
  readonly left: number;
  /** Until when nothing is read without a person, ISO 8601; null: now. */
  readonly restsUntil: string | null;
  /** The index is as large as it may become. */
  readonly full: boolean;
  /** When a damaged index was set aside in the last day, ISO 8601. */
  readonly rebuilt: string | null;
}

/** How far the catalogue was read for the index, list by list. */
export async function readingStatus(
  ports: ReaderPorts & { readonly index: Pick<TitleIndex, 'seen' | 'isFull' | 'rebuilt'> },
): Promise<ReaderStatus> {
  const { index } = ports;
  const rests = await restsUntil(ports, false);
  return {
    ...(await index.seen()),
    lists: await listStatus(index),
    left: await createWorkReader(ports, { everything: true, fullSince: 0 }).left(),
    restsUntil: rests === null ? null : new Date(rests).toISOString(),
    full: await index.isFull(),
    rebuilt: await index.rebuilt(),
  };
}

async function listStatus(index: ReaderPorts['index']): Promise<Record<ListName, ListStatus>> {
  const statusOf = async (name: ListName): Promise<ListStatus> => {
    const state = await readListState(index, name);
    if (state === null) return { pages: 0, totalPages: null, state: 'not begun', readAt: null, why: null };
    const { pages, totalPages, ended, whole, why } = state;
    const readAt = ended === null ? null : new Date(ended).toISOString();
    return { pages, totalPages, state: ended === null ? 'reading' : whole ? 'read' : 'short', readAt, why };
  };
  const [assets, sets, episodes] = [statusOf('assets'), statusOf('sets'), statusOf('episodes')];
  return { assets: await assets, sets: await sets, episodes: await episodes };
}
