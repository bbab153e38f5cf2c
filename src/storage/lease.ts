import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { signals } from '../machine.ts';

/** How often a holder moves its counter, ms. */
export const heartbeatEvery = 10_000;

/** A holder whose counter a judge has seen stand still for so long counts as gone, even if its process exists. ms */
export const heartbeatLimit = 30_000;

/**
 * How long after its last heartbeat, by its own clock, a holder can be sure that nobody has judged it gone. ms; less
 * than the limit by more than any moment between this judgement and what is done on it.
 */
export const heartbeatLasts = heartbeatLimit - heartbeatEvery;

/** Who holds a lease, as it stands in what the lease is of. */
export const holderSchema = z.object({
  /** The machine's name; on Linux with that of the processes which see each other, as those of a container do. */
  machine: z.string(),
  pid: z.number().int(),
  /** Drawn for each judge: one for a store that a process opened. */
  instance: z.string(),
  /** Counts the leases of that instance. */
  hold: z.number().int(),
  /** Counts the heartbeats. It is no time: two processes need not agree on one. */
  beat: z.number().int(),
});

export type Holder = Readonly<z.infer<typeof holderSchema>>;

/** A process, as others recognize it. */
export type ProcessIdentity = Omit<Holder, 'hold' | 'beat'>;

/** What judging holders takes of the world. */
export interface LeaseIo {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly self: ProcessIdentity;
  /**
   * Whether the holder's process may still be running: false only if it is known to have ended. Never asked about a
   * lease of one's own.
   */
  mayRun(owner: Holder): Promise<boolean>;
}

export type LeaseJudge = ReturnType<typeof createLeaseJudge>;

/** Counts the leases of one instance, and tells whether the holder of any lease may still be at work. */
export function createLeaseJudge({ clock, self, mayRun }: LeaseIo) {
  const own = new Set<number>();
  const seen = new Map<string, { readonly beat: number; readonly since: number }>();
  let last = 0;
  const hasMovedLately = ({ instance, hold, beat }: Holder): boolean => {
    const key = `${instance} ${hold}`;
    const before = seen.get(key);
    const now = clock.monotonic();
    if (before?.beat === beat) return now - before.since <= heartbeatLimit;
    remember(seen, key, { beat, since: now });
    return true;
  };
  return {
    /** Lasts until `endHolding`. */
    startHolding(): Holder {
      last += 1;
      own.add(last);
      return { ...self, hold: last, beat: 0 };
    },
    endHolding({ instance, hold }: Pick<Holder, 'instance' | 'hold'>): void {
      if (instance === self.instance) own.delete(hold);
    },
    /**
     * A holder lives as long as its counter moves, by the judge's own clock: nothing that is written by another clock
     * is compared. One that is seen for the first time lives, unless its process has ended. One that is only stopped
     * may wake up: its fencing token fails then.
     */
    async isLive(owner: Holder | null): Promise<boolean> {
      if (owner === null) return false;
      if (owner.instance === self.instance) return own.has(owner.hold);
      return hasMovedLately(owner) && mayRun(owner);
    },
  };
}

/** A server that runs for months sees many holders; what it forgets is judged anew. */
const mostSeen = 10_000;

function remember<Value>(seen: Map<string, Value>, key: string, value: Value): void {
  seen.delete(key);
  seen.set(key, value);
  for (const oldest of seen.keys()) {
    if (seen.size <= mostSeen) return;
    seen.delete(oldest);
  }
}

/** The process that runs this program, as other processes recognize it. */
export function identifyProcess(): ProcessIdentity {
  return { machine: `${hostname()} ${processNamespace()}`.trim(), pid: process.pid, instance: randomUUID() };
}

/** Only Linux has them; elsewhere, and where a system hides it, the machine's name alone tells. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * Tells whether the process that holds a lease may still run, as `LeaseIo.mayRun` says. Nothing is known here of a
 * process on another machine, and a later one may have its number: then the counter decides.
 */
export function processMayRun(self: ProcessIdentity): (owner: Holder) => Promise<boolean> {
  return async ({ machine, pid }) => machine !== self.machine || signals.mayRun(pid);
}

/** Who this process is, and what it knows of others. */
export type Holders = Pick<LeaseIo, 'self' | 'mayRun'>;

/** As `identifyProcess` and `processMayRun` say. */
export function holdersOfMachine(): Holders {
  const self = identifyProcess();
  return { self, mayRun: processMayRun(self) };
}
