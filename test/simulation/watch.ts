import type { StoredValue } from '../../src/storage/atomic-store.ts';
import { Unknowns } from './unknowns.ts';

/** A request of a mutation that left a process. */
export interface Departure {
  readonly mutation: string;
  readonly process: string;
  readonly step: number;
  /** Whose token it carries. */
  readonly account: string;
  /** Nobody can say yet that it changed nothing. */
  open: boolean;
  /** It was answered with 401 or 429: it can't arrive later, and a look tells what it has done. */
  isTurnedAway: boolean;
}

interface Departing {
  readonly mayRepeat: boolean;
  readonly isInLedger: boolean;
  readonly replaces: string | null;
  readonly account: string;
}

/** Sees everything, and says what must never happen. */
export class Watch {
  readonly violations: string[] = [];
  readonly #step: () => number;
  readonly #departures = new Map<string, Departure[]>();
  readonly #applications = new Map<string, Departure[]>();
  /** When somebody was told for certain that nothing had been applied. */
  readonly #denials = new Map<string, number[]>();
  readonly #presented = new Map<string, number>();
  /** What the service knew under an id before anything was sent. */
  readonly #foreign = new Set<string>();
  readonly #unknowns: Unknowns;
  /** Whether a process saw what a mutation replaces as it was meant to be, at which step. */
  readonly #looks = new Map<string, { readonly step: number; readonly fits: boolean }[]>();

  constructor(step: () => number, isAlive: (process: string) => boolean) {
    this.#step = step;
    this.#unknowns = new Unknowns(isAlive);
  }

  /** Somebody made something else under this id, from elsewhere. */
  isTaken(mutation: string): void {
    this.#foreign.add(mutation);
  }

  written(entry: StoredValue, now: number): void {
    this.#unknowns.written(entry, now);
  }

  /** A process hears at which revision something is. */
  looked(process: string, asset: string, fits: boolean): void {
    list(this.#looks, `${process} ${asset}`).push({ step: this.#step(), fits });
  }

  /** `replaces`: the Asset that is guarded by its revision; null: none is. */
  departs(mutation: string, process: string, departing: Departing): Departure {
    const { mayRepeat, isInLedger, replaces, account } = departing;
    const before = list(this.#departures, mutation);
    if (replaces !== null && before.some(({ open, isTurnedAway }) => open && !isTurnedAway)) {
      const last = before.filter((one) => one.process === process).at(-1)?.step ?? -1;
      const looks = list(this.#looks, `${process} ${replaces}`).filter(({ step }) => step > last);
      if (!looks.some(({ fits }) => fits)) this.#violated(`${mutation} is repeated over a moved revision`);
    }
    if (!mayRepeat && before.some(({ open, isTurnedAway }) => open && !isTurnedAway))
      this.#violated(`${mutation} is sent a second time`);
    if (before.some((one) => one.isTurnedAway && list(this.#applications, mutation).includes(one)))
      this.#violated(`${mutation} was turned away and applied, and is sent again`);
    if (!isInLedger) this.#violated(`${mutation} is sent and not in the ledger`);
    if (before.some((one) => one.open && !one.isTurnedAway && one.account !== account))
      this.#violated(`${mutation} is sent for another account`);
    const departure = { mutation, process, step: this.#step(), account, open: true, isTurnedAway: false };
    before.push(departure);
    return departure;
  }

  applied(departure: Departure): void {
    const { mutation } = departure;
    const applications = list(this.#applications, mutation);
    applications.push(departure);
    if (applications.length > 1) this.#violated(`${mutation} is applied ${applications.length} times`);
    if (list(this.#denials, mutation).some((step) => departure.step < step)) {
      this.#violated(`${mutation} is applied, although its caller was told that it was not`);
    }
  }

  isApplied(mutation: string): boolean {
    return list(this.#applications, mutation).length > 0;
  }

  /** Somebody was told that it succeeded. */
  affirmed(mutation: string): void {
    if (this.isApplied(mutation)) return;
    if (!this.#foreign.has(mutation)) this.#violated(`${mutation} is called applied and is not`);
    // What is there under the id may be ours only where the ledger can't know what became of a request of ours.
    else if (!this.#unknowns.has(mutation))
      this.#violated(`${mutation} is called applied, and what is there is another's`);
  }

  /** Somebody was told that it changed nothing. */
  denied(mutation: string, word: string): void {
    const step = this.#step();
    if (list(this.#applications, mutation).some((departure) => departure.step < step)) {
      this.#violated(`${mutation} is called ${word} and is applied`);
    }
    list(this.#denials, mutation).push(step);
  }

  /** A refresh token leaves; it may again once it is proven that it was not consumed. */
  presents(token: string): () => void {
    const open = this.#presented.get(token) ?? 0;
    if (open > 0) this.#violated(`refresh token ${token} is presented twice`);
    this.#presented.set(token, open + 1);
    return () => this.#presented.set(token, (this.#presented.get(token) ?? 1) - 1);
  }

  stuck(what: string): void {
    this.#violated(what);
  }

  #violated(what: string): void {
    this.violations.push(`step ${this.#step()}: ${what}`);
  }
}

function list<Value>(of: Map<string, Value[]>, key: string): Value[] {
  const found = of.get(key);
  if (found !== undefined) return found;
  const made: Value[] = [];
  of.set(key, made);
  return made;
}
