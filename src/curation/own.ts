import { createHash } from 'node:crypto';
import { createRecords, type Marks, parsed } from '../store/kv.ts';
import type { Sql } from '../store/sql.ts';

/** Records of another service or user can't be found. */
export interface RecordOwner {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** `ARTWORK_USER`. */
  readonly user: string;
  /** The account that is connected (`nameOfAccount`); null: none is. */
  readonly account: string | null;
}

interface Account {
  readonly subject: string | null;
  readonly connection: string;
}

/**
 * What tells an account of a service from its others. Where the service told no subject, each sign-in counts as an
 * account of its own.
 */
export function nameOfAccount({ subject, connection }: Account): string {
  return JSON.stringify(subject === null ? { connection } : { subject });
}

/** JSON values of one service, user and account, each written as a whole, which expire. */
export interface OwnRecords {
  readonly owner: RecordOwner;
  /** Undefined where there is none of this key. The caller checks the value: the store is untrusted. */
  get(key: string): Promise<unknown>;
  /** @param keepMs until the record expires; each write also removes what has expired */
  set(key: string, value: object, keepMs: number): Promise<void>;
}

/**
 * What the user kept while no account was connected is found by each of their accounts.
 * @param namespace sees nothing of another one
 */
export function ownRecords(database: Sql, namespace: string, owner: RecordOwner): OwnRecords {
  const records = createRecords(database, namespace);
  const { own, user } = placesOf(owner);
  return {
    owner,
    get: async (key) => (await records.get(`${own}/${key}`)) ?? (await records.get(`${user}/${key}`)),
    async set(key, value, keepMs) {
      await records.set(`${own}/${key}`, value, keepMs);
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
  const { own, user } = placesOf(owner);
  const key = `state/${name}/${own}`;
  const find = async () => {
    const mark = await marks.get(key);
    const shown = mark ?? (await marks.get(`state/${name}/${user}`));
    return { mark, value: shown === null ? undefined : parsed(shown.value) };
  };
  return {
    read: async () => (await find()).value,
    async update(change) {
      for (;;) {
        const { mark, value: before } = await find();
        const value = change(before);
        if (await marks.put(key, mark?.version ?? null, JSON.stringify(value))) return value;
      }
    },
  };
}

/** Where an account's records lie, and its user's. JSON keeps the parts apart; the digest makes them fit a key. */
function placesOf({ service, user, account }: RecordOwner) {
  const placeOf = (of: string | null) => {
    const name = JSON.stringify([service, user, of]);
    return createHash('sha256').update(name).digest('base64url');
  };
  return { own: placeOf(account), user: placeOf(null) };
}
