import type { Fault, FaultMoment } from './fault.ts';

/** What faults are matched with. */
export interface RequestFacts {
  readonly method: string;
  /** Below `{base_url}` and below the origin. */
  readonly paths: readonly string[];
  readonly query: URLSearchParams;
}

interface Queued {
  readonly id: number;
  readonly fault: Fault;
  /** How many requests have matched so far, skipped ones included. */
  seen: number;
}

/** The faults still to be injected, in the order of their requests. */
export class FaultQueue {
  #queued: Queued[] = [];
  #count = 0;

  /** Returns the fault's number. */
  add(fault: Fault): number {
    this.#count++;
    this.#queued.push({ id: this.#count, fault, seen: 0 });
    return this.#count;
  }

  clear(): void {
    this.#queued = [];
  }

  list(): readonly { readonly id: number; readonly left: number; readonly fault: Fault }[] {
    return this.#queued.map(({ id, fault, seen }) => ({ id, left: leftOf(fault, seen), fault }));
  }

  /** The faults that apply to a request: for each moment the first that matches. */
  take(facts: RequestFacts): ReadonlyMap<FaultMoment, Fault> {
    const active = new Map<FaultMoment, Fault>();
    for (const queued of this.#queued) {
      const { fault } = queued;
      if (active.has(fault.when) || !matches(fault, facts)) continue;
      queued.seen++;
      if (queued.seen > fault.skip) active.set(fault.when, fault);
    }
    this.#queued = this.#queued.filter(({ fault, seen }) => leftOf(fault, seen) > 0);
    return active;
  }
}

function leftOf(fault: Fault, seen: number): number {
  return fault.count - Math.max(0, seen - fault.skip);
}

function matches(fault: Fault, { method, paths, query }: RequestFacts): boolean {
  return (
    (fault.method === '*' || fault.method === method) &&
    paths.some((path) => samePath(fault.path.split('/'), path.split('/'))) &&
    Object.entries(fault.query).every(([name, value]) => query.get(name) === value)
  );
}

function samePath(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, index) => part === '*' || /^\{.*\}$/.test(part) || part === path[index])
  );
}
