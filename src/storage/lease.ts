import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { signals } from '../machine.ts';

/** How often a holder moves its counter, ms. */
export const heartbeatEvery = 15_000;

/** A holder whose counter a judge has seen stand still for so long counts as gone, even if its process exists. ms */
export const heartbeatLimit = 60_000;

/**
 * How long after its last heartbeat, by its own clock, a holder can be sure that nobody has judged it gone. ms; less
 * than the limit by more than any moment between this judgement and what is done on it.
 */
export const heartbeatLasts = heartbeatLimit - heartbeatEvery;

/** Who holds a lease, as it stands in what the lease is of. */
export const holderSchema = z.object({
  /** The machine's name; people read it too, since kept bytes lie on that machine. */
  machine: z.string(),
  /** Differs from one start of the machine to the next; empty where the system does not tell. */
  boot: z.string(),
  pid: z.number().int(),
  /** Differs between a process and a later one with the same pid; empty where the system does not tell. */
  started: z.string(),
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
    /**
     * Whether something that a holder sent may still be under way: its counter has moved lately, whatever has become of
     * its process. For a lease whose next holder can't look at what was done.
     */
    mayBeUnderWay(owner: Holder | null): boolean {
      if (owner === null) return false;
      const isOwn = owner.instance === self.instance && own.has(owner.hold);
      return isOwn || hasMovedLately(owner);
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
  return {
    machine: hostname(),
    boot: read('/proc/sys/kernel/random/boot_id')?.trim() ?? '',
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    instance: randomUUID(),
  };
}

/**
 * Tells whether the process that holds a lease may still run, as `LeaseIo.mayRun` says. Nothing is known here of a
 * process on another machine, and only Linux tells a process from a later one with the same pid: then the counter
 * decides.
 */
export function processMayRun(self: ProcessIdentity): (owner: Holder) => Promise<boolean> {
  return async (owner: Holder) => {
    if (owner.machine !== self.machine) return true;
    if (owner.boot !== self.boot) return false;
    if (!signals.mayRun(owner.pid)) return false;
    return self.started === '' || startOf(owner.pid) === owner.started;
  };
}

/** Who this process is, and what it knows of others. */
export type Holders = Pick<LeaseIo, 'self' | 'mayRun'>;

/** As `identifyProcess` and `processMayRun` say, among processes of one machine. */
export function holdersOfMachine(): Holders {
  const self = identifyProcess();
  return { self, mayRun: processMayRun(self) };
}

/**
 * Among processes of several machines, which may have the same name, as containers have the same numbers for their
 * processes: only where the system tells that both see the same processes is one looked for; else its counter decides.
 */
export function holdersOfMachines(): Holders {
  const one = identifyProcess();
  const self = { ...one, boot: one.boot === '' ? '' : `${one.boot} ${processNamespace()}` };
  const mayRunHere = processMayRun(self);
  return {
    self,
    mayRun: async (owner) => self.boot === '' || owner.boot !== self.boot || mayRunHere(owner),
  };
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // A system that hides it; its processes are told apart by their starts.
  }
}

/** When a process started, in ticks since the machine did; null where there is none, or it has ended (a zombie). */
function startOf(pid: number): string | null {
  const status = read(`/proc/${pid}/stat`);
  if (status === null) return null;
  // The second field is the program's name in parentheses, which may hold anything.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? null : (fields[19] ?? null);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // Only Linux has these files, and a process may end at any moment.
  }
}
