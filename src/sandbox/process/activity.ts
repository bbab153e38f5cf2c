/** Counts what is under way, so that nothing ends in the middle of it. */
export interface Activity {
  /** Marks the start of a request or of work that outlives one; call the answer once it has ended. */
  begin(): () => void;
  now(): { lastUsedAt: number; pending: number };
  /** Resolves as soon as nothing is pending. */
  quiet(): Promise<void>;
}

export function createActivity(): Activity {
  let lastUsedAt = Date.now();
  let pending = 0;
  let waiting: (() => void)[] = [];
  return {
    begin() {
      pending++;
      lastUsedAt = Date.now();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        pending--;
        lastUsedAt = Date.now();
        if (pending > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      };
    },
    now: () => ({ lastUsedAt, pending }),
    quiet: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
