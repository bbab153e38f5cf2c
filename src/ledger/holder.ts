import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { codeOf } from '../storage/store-error.ts';

/** The process that holds the lease of an entry. */
export const holderSchema = z.object({
  /** The machine's name; people read it too, since kept bytes lie on that machine. */
  machine: z.string(),
  /** Differs from one start of the machine to the next; empty where the system does not tell. */
  boot: z.string(),
  pid: z.number().int(),
  /** Differs between a process and a later one with the same pid; empty where the system does not tell. */
  started: z.string(),
  /** Drawn when the ledger was opened. */
  instance: z.string(),
  /** Counts the leases of that ledger. */
  hold: z.number().int(),
  /** Milliseconds since 1970 by the holder's clock. */
  heartbeat: z.number(),
});

export type Holder = z.infer<typeof holderSchema>;

/** The process that opened a ledger. */
export type ProcessIdentity = Omit<Holder, 'hold' | 'heartbeat'>;

/** How often a holder writes its heartbeat, ms. */
export const heartbeatEvery = 15_000;

/** Without a heartbeat for so long a holder counts as gone, even if its process exists: it may be stopped. ms */
export const heartbeatLimit = 60_000;

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
 * Tells whether the process that holds a lease may still run, as `LedgerIo.mayRun` says. Nothing is known here of a
 * process on another machine, and only Linux tells a process from a later one with the same pid: then the heartbeat
 * decides.
 */
export function processMayRun(self: ProcessIdentity): (owner: Holder) => Promise<boolean> {
  return async (owner: Holder) => {
    if (owner.machine !== self.machine) return true;
    if (owner.boot !== self.boot) return false;
    try {
      process.kill(owner.pid, 0);
    } catch (error) {
      // EPERM: there is one, of another user.
      if (codeOf(error) === 'ESRCH') return false;
    }
    return self.started === '' || startOf(owner.pid) === owner.started;
  };
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
