import type { KeyObject } from 'node:crypto';
import type { AtomicStore } from './atomic-store.ts';
import {
  fetchKey,
  type KeyPlaces,
  type KeyRecord,
  keepNewKey,
  keyFile,
  keyRecordKey,
  parseKeyRecord,
  removeUnusedKey,
  writeKeyRecord,
} from './keyring.ts';
import { storeError } from './store-error.ts';

export interface SealKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** Where the key is kept. */
export type KeyLocation = { readonly kind: 'keyring' } | { readonly kind: 'file'; readonly path: string };

/** Finds the key that seals secrets. */
export interface KeyHolder {
  /**
   * The key that the store records; where it records none and `create` is true, a new one. From then on the recorded
   * place is the only one: a keyring that can't be reached is an error, never a reason for a new key.
   * @throws key_missing, key_unreachable, key_wrong and what the store throws
   */
  key(create: boolean): Promise<SealKey>;
  location(): Promise<KeyLocation | null>;
  replace(): Promise<void>;
}

/** Holds the key of this machine, fetched at its first use. */
export function createKeyHolder(atomic: AtomicStore, places: KeyPlaces): KeyHolder {
  let held: { readonly id: string; readonly secret: Promise<KeyObject> } | null = null;

  const fetched = async (record: KeyRecord): Promise<SealKey> => {
    const asked = held?.id === record.id ? held : { id: record.id, secret: fetchKey(places, record) };
    held = asked;
    try {
      return { id: asked.id, secret: await asked.secret };
    } catch (error) {
      if (held === asked) held = null; // A failure is not kept: a keyring can be unlocked.
      throw error;
    }
  };

  return {
    async key(create) {
      const entry = await atomic.get(keyRecordKey);
      if (entry !== null) return fetched(parseKeyRecord(entry.value));
      if (!create) {
        throw storeError(
          'key_missing',
          'There is a sealed record, but the store has no key: restore the whole data folder from a backup, or connect again with --replace.',
        );
      }
      const drawn = await keepNewKey(places);
      const claim = await atomic.putIfAbsent(keyRecordKey, writeKeyRecord(drawn));
      if (!claim.won) await removeUnusedKey(places, drawn);
      return fetched(parseKeyRecord(claim.current.value));
    },

    async location() {
      const entry = await atomic.get(keyRecordKey);
      if (entry === null) return null;
      const { id, kind } = parseKeyRecord(entry.value);
      return kind === 'keyring' ? { kind } : { kind, path: keyFile(places.home, id) };
    },

    async replace() {
      const entry = await atomic.get(keyRecordKey);
      if (entry === null) return;
      const drawn = await keepNewKey(places);
      const swap = await atomic.compareAndSet(keyRecordKey, entry.version, writeKeyRecord(drawn));
      if (swap.outcome !== 'swapped') await removeUnusedKey(places, drawn);
    },
  };
}
