import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../src/clock.ts';

export interface VirtualClock extends Clock {
  /** Lets time pass from one wake-up to the next, until the work has settled. */
  run<Value>(work: Promise<Value>): Promise<Value>;
  /** Lets so much time pass, ms. */
  pass(milliseconds: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A clock on which only sleeping takes time: nothing is late because the machine is busy. */
export function virtualClock(start = Date.parse('2026-05-04T03:02:01.000Z')): VirtualClock {
  let steady = 0;
  const sleepers = new Set<Sleeper>();

  const step = async (until = Number.POSITIVE_INFINITY): Promise<boolean> => {
    // Everything that can go on without time passing does so first.
    for (let round = 0; round < 8; round += 1) await turn();
    const [next] = [...sleepers].sort((one, other) => one.at - other.at);
    if (next === undefined || next.at > until) return false;
    steady = Math.max(steady, next.at);
    sleepers.delete(next);
    next.wake();
    return true;
  };
  return {
    now: () => start + steady,
    monotonic: () => steady,
    sleep(milliseconds, signal) {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = {
          at: steady + Math.max(0, milliseconds),
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
      });
    },
    async run(work) {
      let settled = false;
      const done = () => {
        settled = true;
      };
      work.then(done, done);
      while (!settled) {
        if (!(await step()) && !settled) throw new Error('It waits for something that no time brings.');
      }
      return work;
    },
    async pass(milliseconds) {
      const end = steady + milliseconds;
      while (await step(end));
      steady = end;
    },
  };
}
