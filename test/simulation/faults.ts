/** How likely each of these goes wrong, 0 to 1. */
export interface Faults {
  readonly notSent: number;
  readonly lost: number;
  readonly delayed: number;
  readonly answerLost: number;
  readonly answerLate: number;
  /** 503 after the effect, and before it. */
  readonly brokenAfter: number;
  readonly brokenBefore: number;
  /** A 301, 302 or 303 after the effect; a 307 or 308 before it. */
  readonly redirected: number;
  /** 401, 403 or 429 out of the blue. */
  readonly refused: number;
  /** 401 or 429 after the effect. */
  readonly turnedAwayAfter: number;
  readonly readFails: number;
  readonly slowProcessing: number;
  /** The clock of a process that starts is minutes off; or is set later. */
  readonly clockOff: number;
}

export const noFaults: Faults = {
  notSent: 0,
  lost: 0,
  delayed: 0,
  answerLost: 0,
  answerLate: 0,
  brokenAfter: 0,
  brokenBefore: 0,
  redirected: 0,
  refused: 0,
  turnedAwayAfter: 0,
  readFails: 0,
  slowProcessing: 0,
  clockOff: 0,
};

/** What goes wrong now; a schedule changes it. */
export interface Weather {
  faults: Faults;
}

/** Counts what really happened, by its name. */
export class Reached {
  readonly counts = new Map<string, number>();
  readonly note = (what: string): void => {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  };
}
