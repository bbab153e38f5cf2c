import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this run is the slow one. */
    isSlowRun: boolean;
  }
}

/** For a test of breadth in a file of which a first share runs in `npm test`. */
export function isSlowRun(): boolean {
  return inject('isSlowRun');
}

/** What a test repeats: a first share of it in `npm test`, the whole of it in the slow run. */
export function share<Repeated>(first: Repeated, whole: Repeated): Repeated {
  return isSlowRun() ? whole : first;
}
