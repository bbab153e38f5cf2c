import { createHash } from 'node:crypto';
import { jsonOf } from '../text.ts';
import { createRecords, damagedRecord, type Marks } from './kv.ts';
import type { Sql } from './sql.ts';

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

/** JSON keeps the parts apart whatever they hold; the digest makes them fit a key. */
function ownersName({ service, user, account }: RecordOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([service, user, account]))
    .digest('base64url');
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
export function ownRecords(database: Sql, namespace: string, owner: RecordOwner): OwnRecords {
  const records = createRecords(database, namespace);
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

/** Until it is written for the first time, it is what the user kept while no account was connected. */
export function ownState(marks: Marks, owner: RecordOwner, name: string): OwnState {
  const [key = '', before] = places(owner).map((place) => `state/${name}/${place}`);
  const first = async () => {
    const mark = before === undefined ? null : await marks.get(before);
    return mark === null ? undefined : parsed(mark.value);
  };
  return {
    async read() {
      const mark = await marks.get(key);
      return mark === null ? first() : parsed(mark.value);
    },
    async update(change) {
      for (;;) {
        const mark = await marks.get(key);
        const value = change(mark === null ? await first() : parsed(mark.value));
        const text = JSON.stringify(value);
        const isDone =
          mark === null
            ? (await marks.putIfAbsent(key, text)).won
            : (await marks.compareAndSet(key, mark.version, text)).outcome === 'swapped';
        if (isDone) return value;
      }
    },
  };
}

function parsed(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw damagedRecord();
  return value;
}
