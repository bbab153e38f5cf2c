import v8 from 'node:v8';
import type { ArtworkError } from '../../errors.ts';
import { type FillerLease, takeLease, takeLeaseByHand } from './lease.ts';
import { listNames, openLists } from './lists.ts';
import { byHand, openPace, type Politeness, unattended } from './pace.ts';
import type { FillerPorts } from './ports.ts';
import { TitleReading, type Filling } from './reading.ts';
import { createFillerRecords } from './records.ts';

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
  const politeness: Politeness = isByHand ? byHand : unattended;
  const pace = await openPace(index, clock, politeness);
  const lists = await openLists(ports);
  const records = createFillerRecords(ports, () => fullSince);
  const reading = new TitleReading({
    ports,
    filling,
    lease,
    signal,
    broken,
    pace,
    lists,
    records,
    fullSince,
  });
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
 * Runs `work`, of which each step leaves much behind, with a heap that is cleaned up before it has grown by half: V8
 * reads these flags whenever it is about to let its heap grow.
 */
async function withSmallHeap<Value>(work: () => Promise<Value>): Promise<Value> {
  v8.setFlagsFromString('--heap-growing-percent=40');
  try {
    return await work();
  } finally {
    // As V8 sees fit again.
    v8.setFlagsFromString('--heap-growing-percent=0');
  }
}
