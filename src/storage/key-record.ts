import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { storeError } from './store-error.ts';

/** What the store records of its key: enough to find it and to know it again, nothing that reveals it. */
export interface KeyRecord {
  /** 16 hex digits, drawn with the key. */
  readonly id: string;
  readonly kind: 'keyring' | 'file';
  /** An HMAC under the key, 64 hex digits. */
  readonly check: string;
}

/** The one place in the atomic store that says which key counts: the first claim wins. */
export const keyRecordKey = 'storage/key';

const pattern = /^\{"id":"([0-9a-f]{16})","kind":"(keyring|file)","check":"([0-9a-f]{64})"\}$/;

export function writeKeyRecord({ id, kind, check }: KeyRecord): string {
  return JSON.stringify({ id, kind, check });
}

/** @throws store_unreadable */
export function parseKeyRecord(value: string): KeyRecord {
  const [, id, kind, check] = pattern.exec(value) ?? [];
  if (id === undefined || (kind !== 'keyring' && kind !== 'file') || check === undefined) {
    throw storeError(
      'store_unreadable',
      'The record of the key is damaged: restore the whole data folder from a backup.',
    );
  }
  return { id, kind, check };
}

export function checkOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('artwork-mcp store key').digest('hex');
}

/** Whether `secret` is the key that the record was made for. */
export function fits(record: KeyRecord, secret: KeyObject): boolean {
  return timingSafeEqual(Buffer.from(checkOf(secret)), Buffer.from(record.check));
}
