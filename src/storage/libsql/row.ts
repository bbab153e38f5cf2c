import { types } from 'node:util';
import { crc32 } from 'node:zlib';
import { storeError } from '../store-error.ts';
import type { Row } from './database.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a row's column.
 * @throws store_unreadable where the column holds no UTF-8.
 */
export function readTextColumn(row: Row, column: string): string {
  const value = row[column];
  // libsql returns the blobs of a single row as Buffers, those of several rows as ArrayBuffers.
  const bytes = types.isArrayBuffer(value) ? Buffer.from(value) : value;
  if (!Buffer.isBuffer(bytes)) throw unexpected(column);
  try {
    return utf8.decode(bytes);
  } catch {
    throw unexpected(column); // Not UTF-8, so not what was written.
  }
}

/**
 * The whole number in a row's column.
 * @throws store_unreadable where the column holds no whole number.
 */
export function readIntegerColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpected(column);
  return value;
}

/**
 * CRC-32 of a row's key and content. SQLite notices a damaged structure but not damaged text, and reads a missing end of
 * the file as empty.
 */
export function checksumRow(...parts: readonly (string | number | null)[]): number {
  return crc32(JSON.stringify(parts));
}

/**
 * Compares a row with its checksum.
 * @throws store_unreadable where the row is not what was written.
 */
export function verifyRow(row: Row, ...parts: readonly (string | number | null)[]): void {
  if (row.checksum !== checksumRow(...parts)) throw unexpected('checksum');
}

function unexpected(column: string) {
  return storeError(
    'store_unreadable',
    `The store is damaged (its column ${column} holds something unexpected): restore the whole data folder from a backup.`,
  );
}
