import type { Sql } from '../../storage/libsql/database.ts';

/** Bytes: room for some three million titles. The log beside the file and what is written last come on top. */
export const largestIndex = 1024 ** 3;

/**
 * Whether the index has reached its largest size. What is free within the file is used first, so it counts as room.
 */
export function isFull(sql: Sql, largest: number): boolean {
  const row = sql.row(
    `SELECT (page_count - freelist_count) * page_size AS bytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    [],
  );
  return typeof row?.bytes === 'number' && row.bytes >= largest;
}

/** For a person, where `isFull`. */
export const fullWords =
  'The index of titles has its largest size, 1 GiB: what it does not know yet is no longer added. To have it begun anew, a person can remove the folder "titles" in the data directory (ARTWORK_HOME).';
