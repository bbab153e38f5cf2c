import { createHash } from 'node:crypto';
import type { IndexOf, PageOfLists } from '../atomic-store.ts';
import type { Sql } from './database.ts';
import { readTextColumn, verifyRow, readIntegerColumn } from './row.ts';

/**
 * Updates an entry's rows of `atomic_listed`, in the transaction that wrote the entry. Most writes change only marks, or
 * nothing.
 */
export function updateLists(sql: Sql, indexOf: IndexOf, entry: number, key: string, value: string): void {
  const wanted = new Map(
    indexOf(key, value).map(({ list, place, mark }) => {
      const id = listId(list);
      return [`${id} ${place}`, { id, place, mark }];
    }),
  );
  for (const row of sql.rows('SELECT list, place, mark FROM atomic_listed WHERE entry = ?', [entry])) {
    const [id, place] = [readTextColumn(row, 'list'), readTextColumn(row, 'place')];
    const mark = wanted.get(`${id} ${place}`)?.mark;
    wanted.delete(`${id} ${place}`);
    if (mark === undefined) {
      sql.run('DELETE FROM atomic_listed WHERE list = ? AND place = ? AND entry = ?', [id, place, entry]);
    } else if (mark !== readTextColumn(row, 'mark')) {
      const change = 'UPDATE atomic_listed SET mark = ? WHERE list = ? AND place = ? AND entry = ?';
      sql.run(change, [mark, id, place, entry]);
    }
  }
  for (const { id, place, mark } of wanted.values()) {
    const add = 'INSERT INTO atomic_listed (list, place, entry, mark) VALUES (?, ?, ?, ?)';
    sql.run(add, [id, place, entry, mark]);
  }
  sql.run('DELETE FROM atomic_unlisted WHERE entry = ?', [entry]);
}

/** Entries that are listed in one transaction; between two of them other processes can write. */
const mostAtOnce = 200;

/**
 * Lists some of the entries that were written by an older program, or by one that opened the store without an index.
 */
export function listOlderEntries(sql: Sql, indexOf: IndexOf): void {
  const rows = sql.rows(
    `SELECT entry, key, value, version, checksum FROM atomic_unlisted LEFT JOIN atomic ON id = entry LIMIT ?`,
    [mostAtOnce],
  );
  for (const row of rows) {
    const [key, value] = [readTextColumn(row, 'key'), readTextColumn(row, 'value')];
    verifyRow(row, key, value, readIntegerColumn(row, 'version'));
    updateLists(sql, indexOf, readIntegerColumn(row, 'entry'), key, value);
  }
}

/** The ids of a page's entries, in its order. */
export function readListPage(sql: Sql, { lists, before, mark, limit }: PageOfLists): readonly number[] {
  const after = before === null ? null : sql.row('SELECT id FROM atomic WHERE key = ?', [before.key]);
  const below = before === null ? '' : 'AND (place, entry) < (?, ?)';
  const from = before === null ? [] : [before.place, after === null ? 0 : readIntegerColumn(after, 'id')];
  const found = new Map<number, string>();
  for (const name of new Set(lists)) {
    // A whole page of each list: the result may come from one of them alone.
    const rows = sql.rows(
      `SELECT place, entry FROM atomic_listed
       WHERE list = ? AND mark >= ? ${below} ORDER BY place DESC, entry DESC LIMIT ?`,
      [listId(name), mark, ...from, limit],
    );
    for (const row of rows) {
      const [entry, place] = [readIntegerColumn(row, 'entry'), readTextColumn(row, 'place')];
      const other = found.get(entry);
      if (other === undefined || other < place) found.set(entry, place);
    }
  }
  return [...found]
    .sort(([one, a], [other, b]) => (a === b ? other - one : a < b ? 1 : -1))
    .slice(0, limit)
    .map(([entry]) => entry);
}

/** How many entries stand in a list. */
export function countListEntries(sql: Sql, name: string): number {
  const row = sql.row('SELECT count(*) AS entries FROM atomic_listed WHERE list = ?', [listId(name)]);
  return row === null ? 0 : readIntegerColumn(row, 'entries');
}

/** Short, since an entry has a row in each of its lists. */
function listId(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}
