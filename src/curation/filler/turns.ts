import { z } from 'zod';
import { jsonOf } from '../../text.ts';
import type { FillerClock, FillerIndex, FillerSelf } from './ports.ts';

/**
 * One process of this machine reads a service for the index at a time. It holds a lease in the index, which ends by
 * itself some seconds after its last heartbeat, or once its process is seen to have ended, so that one that dies
 * hands over. One that a person started
 * goes before one in the background: it holds a second lease, and the other releases its own when it sees that.
 */
export interface FillerLease {
  /** Aborted once it is lost, or a person's own reading wants it. */
  readonly lost: AbortSignal;
  /** To be awaited before each request: a process that was stopped for a while learns here that it holds nothing. */
  held(): Promise<boolean>;
  /** Lets go at once. */
  release(): Promise<void>;
}

interface Ports {
  readonly index: Pick<FillerIndex, 'hold' | 'holderOf'>;
  readonly clock: FillerClock;
  readonly self: FillerSelf;
}

const heartbeatMs = 5_000;
/** Longer than a heartbeat may be late on a busy machine. */
export const leaseMs = 25_000;
const lease = 'filler';
const attended = 'filler by hand';

async function take({ index, self }: Ports, name: string, forMs: number): Promise<boolean> {
  if (await index.hold(name, self.holder, forMs)) return true;
  const other = await index.holderOf(name);
  if (other === null || !(await self.hasEnded(other))) return false;
  return index.hold(name, self.holder, forMs, other);
}

/** Takes the lease of the one process that fills the index; null where another process has it. */
export async function takeLease(ports: Ports, isByHand: boolean): Promise<FillerLease | null> {
  const { index, clock, self } = ports;
  const hold = async (forMs: number): Promise<boolean> => {
    // For no time at all: asks whether another has it.
    if (!(await take(ports, attended, isByHand ? forMs : 0))) return false;
    return take(ports, lease, forMs);
  };
  if (!(await hold(leaseMs))) return null;
  let renewedAt = clock.now();
  const lost = new AbortController();
  const ended = new AbortController();

  const renew = async (): Promise<boolean> => {
    if (lost.signal.aborted || ended.signal.aborted) return false;
    const at = clock.now();
    if (await hold(leaseMs)) {
      renewedAt = at;
      return true;
    }
    lost.abort();
    return false;
  };
  const beat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(heartbeatMs, ended.signal);
      if (ended.signal.aborted || !(await renew())) return;
    }
  };
  // A store that fails ends the reading, as it would at the next record.
  const beating = beat().catch(() => lost.abort());

  return {
    lost: lost.signal,
    async held() {
      const age = clock.now() - renewedAt;
      if (lost.signal.aborted || ended.signal.aborted) return false;
      return age >= 0 && age < leaseMs / 2 ? true : renew();
    },
    async release() {
      ended.abort();
      await beating;
      if (isByHand) await index.hold(attended, self.holder, 0);
      await index.hold(lease, self.holder, 0);
    },
  };
}

/**
 * Says that a person waits for the lease, and takes it once it is free; null where another person's reading has it.
 * Whoever else has it lets go at its next heartbeat, or has died and its lease ends.
 */
export async function takeLeaseByHand(ports: Ports, signal: AbortSignal): Promise<FillerLease | null> {
  const until = ports.clock.now() + leaseMs + heartbeatMs;
  do {
    if (!(await take(ports, attended, leaseMs))) return null;
    const taken = await takeLease(ports, true);
    if (taken !== null) return taken;
    await ports.clock.sleep(pollMs, signal);
  } while (!signal.aborted && ports.clock.now() < until);
  await ports.index.hold(attended, ports.self.holder, 0);
  return null;
}

const pollMs = 250;

/** How much is asked of the service, which names no limit (interface document, Limits). */
interface Politeness {
  /** Requests at a time. */
  readonly atOnce: number;
  /** From the start of one request to the start of the next, ms. */
  readonly gapMs: number;
  /** Requests in any hour; null: no limit. */
  readonly perHour: number | null;
}

/** For reading that no person has asked for. */
const unattended: Politeness = { atOnce: 2, gapMs: 500, perHour: 2_000 };
/** For a person who waits for it, and for the embedded catalogue, which serves this machine alone. */
const asFastAsItAnswers: Politeness = { atOnce: 4, gapMs: 0, perHour: null };

/** How much a reading may ask of the service: of other people's less, where no person waits for it. */
export function politenessOf(isOurs: boolean, isByHand: boolean): Politeness {
  return isOurs || isByHand ? asFastAsItAnswers : unattended;
}

export type Pace = Awaited<ReturnType<typeof openPace>>;

const minuteMs = 60_000;
/** The service is not left alone for longer, whatever it asked for: a wrong figure must not end all reading, ms. */
const longestRestMs = 24 * 60 * minuteMs;
const noteName = 'pace';

const stored = z.object({
  /** When the last request started, ms. */
  last: z.number(),
  /** Left alone from the first to the second moment, ms. */
  alone: z.tuple([z.number(), z.number()]),
  /** Requests by the minute in which they started, minutes since 1970. */
  minutes: z.array(z.tuple([z.number(), z.number()])),
});
type Stored = z.infer<typeof stored>;

/**
 * When the next request may start. What it knows outlives the process, and goes on in the next one. To be opened by the
 * one process that holds the lease: it alone writes what is stored.
 */
export async function openPace(
  index: Pick<FillerIndex, 'note' | 'setNote'>,
  clock: FillerClock,
  { gapMs, perHour }: Politeness,
) {
  let state = read(await index.note(noteName));
  let turns: Promise<void> = Promise.resolve();
  let pausedUntil = 0;
  const keep = (next: Stored) => {
    state = next;
    return index.setNote(noteName, JSON.stringify(next));
  };

  const rest = (now: number) => Math.max(restOf(asOf(state, now), now, perHour), pausedUntil - now);

  const take = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      if (signal.aborted) return;
      const now = clock.now();
      state = asOf(state, now);
      const wait = Math.max(rest(now), state.last + gapMs - now);
      if (wait <= 0) break;
      await clock.sleep(wait, signal);
    }
    const now = clock.now();
    state = asOf(state, now);
    // Counted and on the disk before it is sent: a process that dies has not asked more than is known.
    if (perHour !== null || gapMs > 0) await keep({ ...state, last: now, minutes: counted(state, now) });
  };
  return {
    /** Waits for one's turn and counts the request, or ends with nothing counted once the signal is aborted. */
    turn(signal: AbortSignal): Promise<void> {
      const mine = turns.then(() => take(signal));
      turns = mine.catch(() => {});
      return mine;
    },
    /**
     * So many milliseconds, a day at most; where the service asked for it, the process that reads it next keeps to that
     * too.
     */
    async leaveAlone(asked: number, isAsked: boolean): Promise<void> {
      const now = clock.now();
      const milliseconds = Math.min(asked, longestRestMs);
      if (!isAsked) pausedUntil = Math.max(pausedUntil, now + milliseconds);
      else await keep({ ...state, alone: [now, Math.max(asOf(state, now).alone[1], now + milliseconds)] });
    },
    /** Until when the service is left alone, or the hour's requests are used up, ms; null: it may be asked. */
    restsUntil(): number | null {
      const now = clock.now();
      return rest(now) > 0 ? now + rest(now) : null;
    },
  };
}

/** How long nothing may be asked, ms: the service wants to be left alone, or the hour is used up. */
function restOf({ alone, minutes }: Stored, now: number, perHour: number | null): number {
  const left = alone[1] - now;
  if (perHour === null) return left;
  let over = minutes.reduce((sum, [, count]) => sum + count, 0) - perHour + 1;
  for (const [minute, count] of minutes) {
    if (over <= 0) break;
    over -= count;
    // A minute has left the hour once its end has, so that no hour, wherever it begins, has more.
    if (over <= 0) return Math.max(left, (minute + 61) * minuteMs - now);
  }
  return left;
}

/** Without what is over. A clock that was set back must not make it wait for the time that it lost. */
function asOf({ last, alone, minutes }: Stored, now: number): Stored {
  const minute = Math.floor(now / minuteMs);
  const [from, asked] = alone;
  const until = Math.min(asked, from + longestRestMs);
  const merged = new Map<number, number>();
  for (const [at, count] of minutes) {
    if (at <= minute - 61) continue;
    const then = Math.min(at, minute);
    merged.set(then, (merged.get(then) ?? 0) + count);
  }
  return {
    last: Math.min(last, now),
    alone: from > now ? [now, now + until - from] : [from, until],
    minutes: [...merged].sort(([one], [other]) => one - other),
  };
}

function counted({ minutes }: Stored, now: number): Stored['minutes'] {
  const minute = Math.floor(now / minuteMs);
  const before = minutes.find(([at]) => at === minute)?.[1] ?? 0;
  return [...minutes.filter(([at]) => at !== minute), [minute, before + 1]];
}

/** What can't be read is begun anew, as the index is that it stands in. */
function read(note: string | null): Stored {
  const none: Stored = { last: 0, alone: [0, 0], minutes: [] };
  return note === null ? none : (stored.safeParse(jsonOf(note)).data ?? none);
}
