import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this run is the slow one. */
    isSlowRun: boolean;
  }
}

function isSlowRun(): boolean {
  return inject('isSlowRun');
}

/** What a test repeats: a first share of it in `npm test`, the whole of it in the slow run. */
export function share<Repeated>(first: Repeated, whole: Repeated): Repeated {
  return isSlowRun() ? whole : first;
}
