/** A request of a mutation that left a process. */
export interface Departure {
  readonly mutation: string;
  readonly step: number;
  /** Nobody can say yet that it changed nothing. */
  open: boolean;
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

  constructor(step: () => number) {
    this.#step = step;
  }

  departs(mutation: string, mayRepeat: boolean, isInLedger: boolean): Departure {
    const before = list(this.#departures, mutation);
    if (!mayRepeat && before.some(({ open }) => open)) this.#violated(`${mutation} is sent a second time`);
    if (!isInLedger) this.#violated(`${mutation} is sent and not in the ledger`);
    const departure = { mutation, step: this.#step(), open: true };
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
    if (!this.isApplied(mutation)) this.#violated(`${mutation} is called applied and is not`);
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
