import type { Random } from './random.ts';

/** How likely each of these goes wrong in the storm, 0 to 1. */
const storm = {
  notSent: 0.03,
  lost: 0.05,
  delayed: 0.08,
  /** A request arrives twice, and the answer to either is heard. */
  doubled: 0.03,
  answerLost: 0.07,
  answerLate: 0.03,
  /** 500 or 503 after the effect, and before it. */
  brokenAfter: 0.05,
  brokenBefore: 0.04,
  /** A 307 or 308 before the effect; a 301, 302 or 303 after it. */
  redirectedBefore: 0.005,
  redirectedAfter: 0.02,
  /** 401, 403 or 429 out of the blue. */
  refused: 0.05,
  /** 401, 409 or 429 after the effect. */
  turnedAwayAfter: 0.05,
  readFails: 0.04,
  /** A read shows how things stood before. */
  readLags: 0.15,
  /** Something takes its time, and may come to nothing. */
  slow: 0.3,
  spoilt: 0.06,
  fails: 0.075,
  turnedDown: 0.04,
  /** The clock of a process that starts is minutes off; or is set later. */
  clockOff: 0.3,
  notRenewed: 0.1,
  /** The store takes a write, and nobody hears of it. */
  writeUntold: 0.004,
};

/** What goes wrong, until all is well. */
export class Weather {
  isCalm = false;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  happens(what: keyof typeof storm): boolean {
    return !this.isCalm && this.#random.chance(storm[what]);
  }
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
