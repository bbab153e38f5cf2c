import type { Random } from './random.ts';

/** How likely each of these goes wrong, 0 to 1. */
export interface Faults {
  readonly notSent: number;
  readonly lost: number;
  readonly delayed: number;
  /** A request arrives twice, and the answer to either is heard. */
  readonly doubled: number;
  readonly answerLost: number;
  readonly answerLate: number;
  /** 500 or 503 after the effect, and before it. */
  readonly brokenAfter: number;
  readonly brokenBefore: number;
  /** A 301, 302 or 303 after the effect; a 307 or 308 before it. */
  readonly redirected: number;
  /** 401, 403 or 429 out of the blue. */
  readonly refused: number;
  /** 401, 409 or 429 after the effect. */
  readonly turnedAwayAfter: number;
  readonly readFails: number;
  /** A read shows how things stood before. */
  readonly readLags: number;
  readonly slowProcessing: number;
  /** The clock of a process that starts is minutes off; or is set later. */
  readonly clockOff: number;
  /** The store takes a write, and whoever asked for it hears an error. */
  readonly writeUntold: number;
}

export const storm: Faults = {
  notSent: 0.03,
  lost: 0.05,
  delayed: 0.08,
  doubled: 0.03,
  answerLost: 0.07,
  answerLate: 0.03,
  brokenAfter: 0.05,
  brokenBefore: 0.04,
  redirected: 0.02,
  refused: 0.05,
  turnedAwayAfter: 0.05,
  readFails: 0.04,
  readLags: 0.15,
  slowProcessing: 0.3,
  clockOff: 0.3,
  writeUntold: 0.004,
};

export const calm: Faults = {
  notSent: 0,
  lost: 0,
  delayed: 0,
  doubled: 0,
  answerLost: 0,
  answerLate: 0,
  brokenAfter: 0,
  brokenBefore: 0,
  redirected: 0,
  refused: 0,
  turnedAwayAfter: 0,
  readFails: 0,
  readLags: 0,
  slowProcessing: 0,
  clockOff: 0,
  writeUntold: 0,
};

/** What goes wrong now; a schedule changes it. */
export interface Weather {
  faults: Faults;
}

/** What the interface document leaves to the service, drawn once for a schedule. */
export interface Habits {
  /** How far a read may lag behind, ms. */
  readonly lagMs: number;
  /**
   * How files of a submission are shown until there is an outcome. `plain`: `pending`, then `processing`; `worded`: in
   * words of the service's own; `unlisted`: only once they have arrived; `mute`: all of them as `processing`, from the first.
   */
  readonly words: 'plain' | 'worded' | 'unlisted' | 'mute';
  /** A refused completion names the files that are not there. */
  readonly namesPending: boolean;
  /** A file that was turned away stays lacking, and the submission is never completed. */
  readonly insists: boolean;
  /** What arrives while the same is at work, or is there, is turned away with 409 and not answered with the receipt. */
  readonly takesOnce: boolean;
  /** While it works on what was completed it says `unresolved`. */
  readonly doubtsItself: boolean;
  /** How many destinations a list has at most. */
  readonly mostListed: number;
}

export function habitsOf(random: Random): Habits {
  return {
    lagMs: random.pick([0, 6_000, 60_000, Number.POSITIVE_INFINITY]),
    words: random.pick(['plain', 'plain', 'plain', 'worded', 'unlisted', 'mute']),
    namesPending: random.chance(0.7),
    insists: random.chance(0.1),
    takesOnce: random.chance(0.2),
    doubtsItself: random.chance(0.2),
    mostListed: random.chance(0.5) ? 1 + random.below(3) : 50,
  };
}

/** Something that changes, and how it stood at any time. */
export class Versions<Value> {
  #all: { readonly at: number; readonly value: Value }[];

  constructor(first: Value) {
    this.#all = [{ at: Number.NEGATIVE_INFINITY, value: first }];
  }

  get latest(): Value {
    return this.at(Number.POSITIVE_INFINITY);
  }

  /** @param time ms */
  at(time: number): Value {
    const [first] = this.#all;
    const found = this.#all.findLast(({ at }) => at <= time) ?? first;
    if (found === undefined) throw new TypeError('There is always a first version.');
    return found.value;
  }

  set(value: Value, at: number): void {
    this.#all.push({ at, value });
  }
}
