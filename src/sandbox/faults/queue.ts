import type { Fault, Moment } from './fault.ts';

/** A request as faults are matched with it. */
export interface Incoming {
  readonly method: string;
  /** Once below `{base_url}`, once below the origin. */
  readonly paths: readonly string[];
  readonly query: URLSearchParams;
}

interface Queued {
  readonly id: number;
  readonly fault: Fault;
  /** Matching requests so far, those that were let pass included. */
  seen: number;
}

/** The faults that are still to come, in the order in which they were asked for. */
export class FaultQueue {
  #queued: Queued[] = [];
  #count = 0;

  /** Answers the fault's number. */
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

  /** The faults that meet a request: of each moment, the first that matches. */
  take(incoming: Incoming): ReadonlyMap<Moment, Fault> {
    const met = new Map<Moment, Fault>();
    for (const queued of this.#queued) {
      const { fault } = queued;
      if (met.has(fault.when) || !matches(fault, incoming)) continue;
      queued.seen++;
      if (queued.seen > fault.skip) met.set(fault.when, fault);
    }
    this.#queued = this.#queued.filter(({ fault, seen }) => leftOf(fault, seen) > 0);
    return met;
  }
}

function leftOf(fault: Fault, seen: number): number {
  return fault.count - Math.max(0, seen - fault.skip);
}

function matches(fault: Fault, { method, paths, query }: Incoming): boolean {
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
