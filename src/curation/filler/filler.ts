import v8 from 'node:v8';
import { ArtworkError } from '../../errors.ts';
import type { Seen, TitleIndex } from '../titles/title-index.ts';
import { type ListName, listNames, openLists } from './lists.ts';
import type { FillerPorts } from './ports.ts';
import { type Filling, TitleReading } from './reading.ts';
import { createFillerRecords } from './records.ts';
import { type FillerLease, openPace, politenessOf, takeLease, takeLeaseByHand } from './turns.ts';

/**
 * `done`: everything that can be listed was read, and is fresh. `full`: the index takes no more. `busy`: another process reads. `lost`: another
 * process reads from now on. `failed`: the service can't be read now.
 */
export type FillingEnd =
  | { readonly end: 'done' | 'full' | 'busy' | 'lost' | 'stopped' }
  | { readonly end: 'failed'; readonly error: ArtworkError };

/**
 * Reads of the catalogue what the index lacks, until nothing is left, the signal is aborted, or another process has the
 * lease. Everything that was read stands in the index at once with where the reading goes on, so that it may be
 * killed at any moment. Rejects with the store's errors.
 */
export async function fillIndex(ports: FillerPorts, filling: Filling): Promise<FillingEnd> {
  const { isByHand, signal } = filling;
  const lease = isByHand ? await takeLeaseByHand(ports, signal) : await takeLease(ports, false);
  if (lease === null) return { end: signal.aborted ? 'stopped' : 'busy' };
  try {
    return await withSmallHeap(() => fillHolding(ports, filling, lease));
  } finally {
    await lease.release();
  }
}

const fullNote = 'full since';

async function fillHolding(ports: FillerPorts, filling: Filling, lease: FillerLease): Promise<FillingEnd> {
  const { index, clock } = ports;
  const { isByHand } = filling;
  const fullSince = await fullReadingSince(ports, filling.isFull === true);
  const broken = new AbortController();
  const signal = AbortSignal.any([filling.signal, lease.lost, broken.signal]);
  const politeness = politenessOf(ports.isOurs, isByHand);
  const pace = await openPace(index, clock, politeness);
  const lists = await openLists(ports);
  const records = createFillerRecords(ports, fullSince);
  const parts = { ports, filling, lease, signal, broken, pace, lists, records, fullSince };
  const reading = new TitleReading(parts);
  const failed = await reading.run(politeness.atOnce);
  if (filling.signal.aborted) return { end: 'stopped' };
  if (lease.lost.aborted) return { end: 'lost' };
  if (failed !== null) return { end: 'failed', error: failed };
  if (reading.isFull) return { end: 'full' };
  // A list that could not be read to its end this time may have grown since it was.
  const isWhole = listNames.every((name) => lists.state(name)?.whole === true);
  await index.setComplete(isWhole ? clock.now() : null);
  await index.setNote(fullNote, null);
  return { end: 'done' };
}

/** What was read before this moment is read again, ms; 0: only what is not fresh. */
async function fullReadingSince({ index, clock }: FillerPorts, isFull: boolean): Promise<number> {
  const begun = Number((await index.note(fullNote)) ?? 0);
  if (Number.isSafeInteger(begun) && begun > 0) return begun;
  if (!isFull) return 0;
  const now = clock.now();
  await index.setNote(fullNote, String(now));
  return now;
}

/**
 * Runs `work`, of which each step leaves much behind, with a heap that is cleaned up before it has grown by 2 MB, not
 * by 8 MB or half: V8 reads these flags whenever it is about to let its heap grow.
 */
async function withSmallHeap<Value>(work: () => Promise<Value>): Promise<Value> {
  v8.setFlagsFromString('--heap-growing-percent=15');
  v8.setFlagsFromString('--optimize-for-size');
  try {
    return await work();
  } finally {
    // As V8 sees fit again.
    v8.setFlagsFromString('--heap-growing-percent=0');
    v8.setFlagsFromString('--no-optimize-for-size');
  }
}

/** Reads the catalogue while the host is open, without anybody waiting for it. */
export interface BackgroundFiller {
  /** From now on, where it does not do so already. Throws nothing, and takes no time. */
  begin(): void;
  /** Whether the last reading failed, and none has begun since. */
  hasFailed(): boolean;
  /** Ends at once, in the middle of what is being read. */
  close(): Promise<void>;
}

/** How long it takes until it is looked again what has grown old, or been named by others, ms. */
const pauses = {
  done: 10 * 60_000,
  full: 60 * 60_000,
  busy: 20_000,
  lost: 20_000,
  failed: 60_000,
  stopped: 0,
} as const;
/** After the store has failed, ms: a full disk is not full for a second. */
const brokenPauseMs = 15 * 60_000;

/** ms */
const firstPauseMs = 250;

/**
 * Runs the filler in the background, again and again, while the server is open.
 * @param connect opens the way to the catalogue, and closes it again; asked for each reading
 */
export function createBackgroundFiller(
  connect: () => Promise<{ readonly ports: FillerPorts; close(): Promise<void> }>,
  { log, clock }: Pick<FillerPorts, 'log' | 'clock'>,
): BackgroundFiller {
  const closing = new AbortController();
  const { signal } = closing;
  let running: Promise<void> | null = null;
  let told: string | null = null;
  let failed = false;

  const once = async (): Promise<number> => {
    const { ports, close } = await connect();
    try {
      failed = false;
      const { end } = await fillIndex(ports, { signal, isByHand: false });
      failed = end === 'failed';
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
        failed = true;
        // No caller's call fails by it: the log says it once, and find_titles goes on with what there is.
        const why = error instanceof ArtworkError ? error.message : 'a defect';
        if (why !== told) log.warn(`The catalogue could not be read for the index of titles: ${why}`);
        told = why;
      }
      await clock.sleep(pause, signal);
    }
  };
  return {
    begin() {
      if (!signal.aborted) running ??= run();
    },
    hasFailed: () => failed,
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
export interface FillerStatus extends Seen {
  readonly lists: Readonly<Record<ListName, ListStatus>>;
  /** Records that are still to be read, of those that are known. */
  readonly left: number;
  /** When the service may be asked again, ISO 8601; null: now. */
  readonly restsUntil: string | null;
  /** The index is as large as it may become. */
  readonly full: boolean;
  /** When a damaged index was set aside in the last day, ISO 8601. */
  readonly rebuilt: string | null;
}

/** How far the catalogue was read for the index, list by list. */
export async function readFillerStatus(
  ports: FillerPorts & { readonly index: Pick<TitleIndex, 'seen' | 'isFull' | 'rebuilt'> },
): Promise<FillerStatus> {
  const { index, clock } = ports;
  const lists = await openLists(ports);
  const statusOf = (name: ListName): ListStatus => {
    const state = lists.state(name);
    if (state === null) return { pages: 0, totalPages: null, state: 'not begun', readAt: null, why: null };
    const { pages, totalPages, ended, whole, why } = state;
    const readAt = ended === null ? null : new Date(ended).toISOString();
    return { pages, totalPages, state: ended === null ? 'reading' : whole ? 'read' : 'short', readAt, why };
  };
  const pace = await openPace(index, clock, politenessOf(ports.isOurs, false));
  const rest = pace.restsUntil();
  return {
    ...(await index.seen()),
    lists: { assets: statusOf('assets'), sets: statusOf('sets'), episodes: statusOf('episodes') },
    left: await createFillerRecords(ports, 0).left(),
    restsUntil: rest === null ? null : new Date(rest).toISOString(),
    full: await index.isFull(),
    rebuilt: await index.rebuilt(),
  };
}
