import { storeError } from '../store-error.ts';
import type { Row } from './database.ts';

/** @throws store_unreadable where the column holds no text: the file was not written by us. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column);
  return value;
}

/** @throws store_unreadable where the column holds no whole number. */
export function whole(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unexpected(column);
  return value;
}

function unexpected(column: string) {
  return storeError(
    'store_unreadable',
    `The store holds something unexpected in its column ${column}: restore the data folder from a backup.`,
  );
}
