import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../storage/store-error.ts';
import type { LedgerIo } from './io.ts';
import type { ProcessIdentity, Holder } from './holder.ts';

/** Who this process is, to the other processes that open the ledger. */
export function thisProcess(): ProcessIdentity {
  return {
    machine: hostname(),
    boot: read('/proc/sys/kernel/random/boot_id')?.trim() ?? '',
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    instance: randomUUID(),
  };
}

/**
 * See `LedgerIo.mayRun`. Of another machine nothing can be known here, and elsewhere than on Linux a later
 * process may have the same pid: the heartbeat then decides.
 */
export function processMayRun(self: ProcessIdentity): LedgerIo['mayRun'] {
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

/** When a process started, in ticks since the machine did; null where there is none, or one that only waits to be buried. */
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
