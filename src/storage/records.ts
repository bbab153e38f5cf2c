import { createHash } from 'node:crypto';
import { Keyv } from 'keyv';
import { storeError } from './store-error.ts';

/**
 * What Keyv needs of an engine: one object per namespace, keys as they are, values as Keyv's text. Every method rejects
 * when it fails. `getMany`, `hasMany` and `deleteMany` are required: without them Keyv uses single keys and answers a
 * failure as absent, even with `throwOnErrors`.
 */
export interface RecordStore {
  /** Keyv iterates only over engines with a name that it knows. */
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
 * Keyv with settings that are safe here: failures reject (by default Keyv answers them as absent), keys have no prefix
 * (with prefixes, key `b:c` of namespace `a` is key `c` of namespace `a:b`), and a record that is not JSON is an error
 * that quotes nothing of it. For records that never change once written, and caches; what processes contend for goes
 * to the atomic store.
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

/** Records of another service or user can't be found. */
export interface RecordOwner {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** `ARTWORK_USER`. */
  readonly user: string;
}

/** Records of one service and user. They never change once written, and expire. */
export interface OwnRecords {
  readonly owner: RecordOwner;
  /** Undefined where there is none of this key. The caller checks the value: the store is untrusted. */
  get(key: string): Promise<unknown>;
  /** @param keepMs until the record expires; every write also removes expired records */
  set(key: string, value: object, keepMs: number): Promise<void>;
  /** Harmless where there is none. */
  remove(key: string): Promise<void>;
}

/** Records of one user at one service, apart from all others in the same store. */
export function ownRecords(records: Keyv, owner: RecordOwner): OwnRecords {
  // JSON keeps the two apart whatever they hold; the digest makes them fit a key.
  const prefix = createHash('sha256')
    .update(JSON.stringify([owner.service, owner.user]))
    .digest('base64url');
  return {
    owner,
    get: (key) => records.get<unknown>(`${prefix}/${key}`),
    async set(key, value, keepMs) {
      await records.set(`${prefix}/${key}`, value, keepMs);
    },
    async remove(key) {
      await records.delete(`${prefix}/${key}`);
    },
  };
}
