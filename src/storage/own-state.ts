import { createHash } from 'node:crypto';
import type { AtomicStore } from './atomic-store.ts';
import type { RecordOwner } from './records.ts';
import { storeError } from './store-error.ts';

/** One JSON value of one service and user that several processes change. It is small, and replaced as a whole. */
export interface OwnState {
  /** Undefined where there is none yet. What it is has to be checked: the store is untrusted. */
  read(): Promise<unknown>;
  /**
   * Changes it, as if no other process did at the same time.
   * @param change is asked again with the newer value where another process was faster; what it throws leaves all as it was
   */
  update<Value extends object>(change: (now: unknown) => Value): Promise<Value>;
}

/** One small record of a user's at a service, read and changed by compare-and-set. */
export function ownState(store: AtomicStore, { service, user }: RecordOwner, name: string): OwnState {
  const owner = createHash('sha256')
    .update(JSON.stringify([service, user]))
    .digest('base64url');
  const key = `state/${name}/${owner}`;
  return {
    async read() {
      const entry = await store.get(key);
      return entry === null ? undefined : parsed(entry.value);
    },
    async update(change) {
      let entry = await store.get(key);
      for (;;) {
        const value = change(entry === null ? undefined : parsed(entry.value));
        const text = JSON.stringify(value);
        if (entry === null) {
          const { won, current } = await store.putIfAbsent(key, text);
          if (won) return value;
          entry = current;
          continue;
        }
        const swap = await store.compareAndSet(key, entry.version, text);
        if (swap.outcome === 'swapped') return value;
        entry = swap.outcome === 'changed' ? swap.current : null;
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw storeError(
      'store_unreadable',
      'A record of the store is damaged: restore the whole data folder from a backup.',
    );
  }
}
