import { Keyv } from 'keyv';
import { storeError } from './store-error.ts';

/**
 * What an engine brings for Keyv: one object per namespace, keys as they are, values as Keyv's text. (Keyv's
 * own interface promises a value of whatever type the caller asks for, which no store on a disk can.)
 * Every method rejects when it fails. `getMany`, `hasMany` and `deleteMany` are required: where they are
 * missing Keyv goes by single keys and answers a failure as absent, even with `throwOnErrors`.
 */
export interface RecordStore {
  /** Keyv iterates only over engines that it knows by this name. */
  readonly opts: { readonly dialect: 'sqlite' | 'postgres' | 'redis' };
  namespace: string | undefined;
  on(event: string, listener: (...given: never[]) => void): RecordStore;
  get(key: string): Promise<string | undefined>;
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  has(key: string): Promise<boolean>;
  hasMany(keys: string[]): Promise<boolean[]>;
  /** @param ttl ms from now; without, for ever */
  set(key: string, value: unknown, ttl?: number): Promise<boolean>;
  delete(key: string): Promise<boolean>;
  deleteMany(keys: string[]): Promise<boolean>;
  clear(): Promise<void>;
  iterator(): AsyncGenerator<[string, string], void>;
}

/**
 * Keyv as it may be used here: failures reject (by itself Keyv answers them as absent), keys are not
 * prefixed (with prefixes, `a:b` in namespace `a` and `b` are one key), and what is not JSON is an error
 * that quotes nothing of it. For records that never change once written, and for caches; what is contended
 * goes to the atomic store.
 */
export function createRecords(store: RecordStore): Keyv {
  return new Keyv({
    store,
    ...(store.namespace === undefined ? {} : { namespace: store.namespace }),
    throwOnErrors: true,
    useKeyPrefix: false,
    serialize: (data) => JSON.stringify(data),
    deserialize: (data) => {
      try {
        return JSON.parse(data);
      } catch {
        // The parser's message would quote the record.
        throw storeError(
          'store_unreadable',
          'A record of the store is damaged: restore the whole data folder from a backup.',
        );
      }
    },
  });
}
