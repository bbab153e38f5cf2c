import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../clock.ts';
import { signals } from '../machine.ts';

/** How often a holder moves its counter, ms. */
export const heartbeatEveryMs = 10_000;

/** A holder whose counter a judge has seen stand still for so long counts as gone, even if its process exists. ms */
export const leaseMs = 30_000;

/**
 * How long after its last heartbeat, by its own clock, a holder can be sure that nobody has judged it gone. ms; less
 * than the lease by more than any moment between this judgement and what is done on it.
 */
export const surelyHeldMs = leaseMs - heartbeatEveryMs;

/** Who this process is, and what it knows of others. */
export interface Holders {
  /** Names this process to others that share what it holds: one for each store or file that it opened. */
  readonly self: string;
  /** Whether the process that `self` or one of its leases names has surely ended. Never asked about one's own. */
  isGone(holder: string): boolean;
}

/** The process that runs this program. */
export function holdersOfMachine(): Holders {
  const machine = `${hostname()} ${processNamespace()}`.trim();
  return {
    self: `${process.pid} ${randomUUID()} ${machine}`,
    isGone(holder) {
      const [, pid, at] = /^(?:\d+ )?(\d+) [0-9a-f-]{36} (.*)$/.exec(holder) ?? [];
      // Nothing is known here of a process on another machine: then the counter decides.
      return at === machine && !signals.mayRun(Number(pid));
    },
  };
}

/** Those which see each other, as the processes of a container do. Only Linux has them, and may hide them. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Counts the leases of this process, and tells whether the holder of any lease may still be at work. */
export interface LeaseJudge {
  /** A new name for a lease of this process, which lasts until `end`. */
  start(): string;
  end(holder: string): void;
  /**
   * A holder lives as long as its counter moves, by the judge's own clock: nothing that is written by another clock is
   * compared. One that is seen for the first time lives, unless its process has ended. One that is only stopped may wake
   * up: the number of its lease is outdated then.
   */
  isLive(holder: string | null, beat: number): boolean;
}

export function createLeaseJudge(clock: Pick<Clock, 'monotonic'>, { self, isGone }: Holders): LeaseJudge {
  const own = new Set<string>();
  const seen = new Map<string, { readonly beat: number; readonly since: number }>();
  let last = 0;
  const hasMovedLately = (holder: string, beat: number): boolean => {
    const before = seen.get(holder);
    const now = clock.monotonic();
    if (before?.beat === beat) return now - before.since <= leaseMs;
    seen.set(holder, { beat, since: now });
    return true;
  };
  return {
    start() {
      last += 1;
      const holder = `${last} ${self}`;
      own.add(holder);
      return holder;
    },
    end: (holder) => void own.delete(holder),
    isLive(holder, beat) {
      if (holder === null) return false;
      if (holder.endsWith(` ${self}`)) return own.has(holder);
      return hasMovedLately(holder, beat) && !isGone(holder);
    },
  };
}
