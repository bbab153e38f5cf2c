import { createHash } from 'node:crypto';
import type { Keyv } from 'keyv';

/** Whose records: those of another service or user can't be found. */
export interface RecordOwner {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** `ARTWORK_USER`. */
  readonly user: string;
}

/** Records of one service and user. They never change once written, and are not kept for ever. */
export interface OwnRecords {
  readonly owner: RecordOwner;
  /** Undefined where there is none of this key, or none any more. What it is has to be checked: the store is untrusted. */
  get(key: string): Promise<unknown>;
  /** @param keepMs from now on; every write also takes away what has been kept for long enough */
  set(key: string, value: object, keepMs: number): Promise<void>;
  /** Harmless where there is none. */
  remove(key: string): Promise<void>;
}

export function ownRecords(records: Keyv, owner: RecordOwner): OwnRecords {
  // JSON keeps the two apart whatever they hold; the digest makes any length fit a key.
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
