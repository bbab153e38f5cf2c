import { createHash } from 'node:crypto';
import type { Marks } from '../store/kv.ts';
import { type ConnectionKey, type ConnectionRows, parseRow } from './row.ts';

/**
 * The rows, each a mark of the store, whose versions they have. Nothing is deleted there: `null` is the value of
 * a connection that has ended, so that a version never comes twice.
 */
export function connectionRows(store: Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet'>): ConnectionRows {
  return {
    async read(key) {
      const stored = await store.get(placeOf(key));
      return stored === null
        ? { version: 0, row: null }
        : { version: stored.version, row: parseRow(stored.value) };
    },
    async write(key, seenVersion, row) {
      const value = JSON.stringify(row);
      if (seenVersion === 0) return (await store.putIfAbsent(placeOf(key), value)).won ? 'won' : 'lost';
      const { outcome } = await store.compareAndSet(placeOf(key), seenVersion, value);
      return outcome === 'swapped' ? 'won' : 'lost';
    },
  };
}

/** JSON keeps the parts apart whatever they hold; the digest makes them fit a key. */
function placeOf({ service, person }: ConnectionKey): string {
  const named = JSON.stringify([service, person]);
  return `connection/${createHash('sha256').update(named).digest('base64url')}`;
}
