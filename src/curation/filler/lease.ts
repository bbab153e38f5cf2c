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

export const heartbeatMs = 5_000;
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
