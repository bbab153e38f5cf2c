import { types } from 'node:util';
import { crc32 } from 'node:zlib';
import { storeError } from '../store-error.ts';
import type { Row } from './database.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws store_unreadable where the column holds no UTF-8. */
export function textColumn(row: Row, column: string): string {
  const value = row[column];
  // libsql gives a single row its blobs as Buffers, and several rows theirs as ArrayBuffers.
  const bytes = types.isArrayBuffer(value) ? Buffer.from(value) : value;
  if (!Buffer.isBuffer(bytes)) throw unexpected(column);
  try {
    return utf8.decode(bytes);
  } catch {
    throw unexpected(column); // Not UTF-8: what was written is no longer there.
  }
}

/** @throws store_unreadable where the column holds no whole number. */
export function integerColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpected(column);
  return value;
}

/**
 * CRC-32 of what identifies a row and what it holds. SQLite notices a damaged structure, not damaged text,
 * and reads what is missing at the end of a file as nothing.
 */
export function checksum(...parts: readonly (string | number | null)[]): number {
  return crc32(JSON.stringify(parts));
}

/** @throws store_unreadable where the row is not what was written. */
export function verify(row: Row, ...parts: readonly (string | number | null)[]): void {
  if (row.checksum !== checksum(...parts)) throw unexpected('checksum');
}

function unexpected(column: string) {
  return storeError(
    'store_unreadable',
    `The store is damaged (its column ${column} holds something unexpected): restore the whole data folder from a backup.`,
  );
}
