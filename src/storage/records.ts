import { createHash } from 'node:crypto';
import { Keyv } from 'keyv';
import { type AtomicStore, requireFitKey, requireFitValue } from './atomic-store.ts';
import { type Database, readTextColumn } from './libsql/database.ts';
import { storeError } from './store-error.ts';
import { jsonOf } from '../text.ts';

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
        throw damagedRecord(); // The parser's message would quote the record.
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
  /** The account that is connected (`nameOfAccount`); null: none is. */
  readonly account: string | null;
}

/**
 * What tells an account of a service from its others. Where the service told no subject, each sign-in counts as an
 * account of its own.
 */
export function nameOfAccount(account: {
  readonly subject: string | null;
  readonly connection: string;
}): string {
  const { subject, connection } = account;
  return JSON.stringify(subject === null ? { connection } : { subject });
}

/** Of an account, what its user has kept without one is there too. */
function places(owner: RecordOwner): readonly [own: string, ...others: string[]] {
  const own = ownersName(owner);
  return owner.account === null ? [own] : [own, ownersName({ ...owner, account: null })];
}

/** Records of one service, user and account. They never change once written, and expire. */
export interface OwnRecords {
  readonly owner: RecordOwner;
  /** Undefined where there is none of this key. The caller checks the value: the store is untrusted. */
  get(key: string): Promise<unknown>;
  /** @param keepMs until the record expires; every write also removes expired records */
  set(key: string, value: object, keepMs: number): Promise<void>;
  /** The same for every account of the user: of what the person said, and no account's read has shown. */
  setForUser(key: string, value: object, keepMs: number): Promise<void>;
  /** Harmless where there is none. */
  remove(key: string): Promise<void>;
}

/**
 * Records of one account of a user at one service, apart from all others in the same store. What the user kept while no
 * account was connected is found by each of their accounts.
 */
export function ownRecords(records: Keyv, owner: RecordOwner): OwnRecords {
  const all = places(owner);
  const [own] = all;
  return {
    owner,
    async get(key) {
      for (const place of all) {
        const found = await records.get<unknown>(`${place}/${key}`);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    async set(key, value, keepMs) {
      await records.set(`${own}/${key}`, value, keepMs);
    },
    async setForUser(key, value, keepMs) {
      await records.set(`${all.at(-1)}/${key}`, value, keepMs);
    },
    async remove(key) {
      for (const place of all) await records.delete(`${place}/${key}`);
    },
  };
}

/** One JSON value of one service, user and account that several processes change. It is small, and replaced as a whole. */
export interface OwnState {
  /** Undefined where there is none yet. What it is has to be checked: the store is untrusted. */
  read(): Promise<unknown>;
  /**
   * Changes it, as if no other process did at the same time.
   * @param change is asked again with the newer value where another process was faster; what it throws leaves all as it was
   */
  update<Value extends object>(change: (now: unknown) => Value): Promise<Value>;
}

/**
 * One small record of an account of a user's at a service, read and changed by compare-and-set. Until it is written for
 * the first time, it is what the user kept while no account was connected.
 */
export function ownState(store: AtomicStore, owner: RecordOwner, name: string): OwnState {
  const [key = '', before] = places(owner).map((place) => `state/${name}/${place}`);
  const first = async () => {
    const entry = before === undefined ? null : await store.get(before);
    return entry === null ? undefined : parsed(entry.value);
  };
  return {
    async read() {
      const entry = await store.get(key);
      return entry === null ? first() : parsed(entry.value);
    },
    async update(change) {
      let entry = await store.get(key);
      for (;;) {
        const value = change(entry === null ? await first() : parsed(entry.value));
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

/** JSON keeps the parts apart whatever they hold; the digest makes them fit a key. */
function ownersName({ service, user, account }: RecordOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([service, user, account]))
    .digest('base64url');
}

function parsed(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw damagedRecord();
  return value;
}

function damagedRecord() {
  return storeError(
    'store_unreadable',
    'A record of the store is damaged: restore the whole data folder from a backup.',
  );
}

/** Records in a libsql file. The namespace is a column of its own, so that no key reaches into another namespace. */
export function libsqlRecordStore(database: Database, namespace: string): RecordStore {
  requireFitKey(namespace);
  const live = '(expires IS NULL OR expires > ?)';

  const get = async (key: string): Promise<string | undefined> => {
    requireFitKey(key);
    const row = await database.row(`SELECT value FROM records WHERE namespace = ? AND key = ? AND ${live}`, [
      namespace,
      key,
      Date.now(),
    ]);
    return row === null ? undefined : readTextColumn(row, 'value');
  };
  const has = async (key: string): Promise<boolean> => (await get(key)) !== undefined;
  const remove = async (key: string): Promise<boolean> => {
    requireFitKey(key);
    const changes = await database.run('DELETE FROM records WHERE namespace = ? AND key = ?', [
      namespace,
      key,
    ]);
    return changes === 1;
  };

  const store: RecordStore = {
    opts: { dialect: 'sqlite' },
    namespace,
    on: () => store,
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    has,
    hasMany: (keys) => Promise.all(keys.map(has)),
    delete: remove,
    deleteMany: async (keys) => (await Promise.all(keys.map(remove))).every((isRemoved) => isRemoved),
    clear: async () => void (await database.run('DELETE FROM records WHERE namespace = ?', [namespace])),

    async set(key, value, ttl) {
      requireFitKey(key);
      if (typeof value !== 'string') throw new TypeError('Keyv handed over a value that is not serialized');
      requireFitValue(value);
      const now = Date.now();
      const expires = ttl === undefined ? null : Math.ceil(now + ttl);
      await database.run(
        'INSERT OR REPLACE INTO records (namespace, key, value, expires) VALUES (?, ?, ?, ?)',
        [namespace, key, value, expires],
      );
      if (ttl !== undefined) {
        await database.run('DELETE FROM records WHERE expires <= ?', [now]);
      }
      return true;
    },

    async *iterator() {
      let after = '';
      for (;;) {
        const page = await database.rows(
          `SELECT key, value FROM records
           WHERE namespace = ? AND key > ? AND ${live} ORDER BY key LIMIT 100`,
          [namespace, after, Date.now()],
        );
        for (const row of page) yield [readTextColumn(row, 'key'), readTextColumn(row, 'value')];
        const last = page.at(-1);
        if (last === undefined) return;
        after = readTextColumn(last, 'key');
      }
    },
  };
  return store;
}
