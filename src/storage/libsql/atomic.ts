import {
  type AtomicStore,
  type IndexOf,
  type Listing,
  listId,
  type PageOfLists,
  requireFitKey,
  requireFitPage,
  requireFitPageSize,
  requireFitValue,
  type StoredValue,
} from '../atomic-store.ts';
import { storeError } from '../store-error.ts';
import { type Database, type Row, readIntegerColumn, readTextColumn, type Sql } from './database.ts';

/** The atomic store in a libsql file: each operation is one transaction, so SQLite decides which process wins. */
export function libsqlAtomicStore(database: Database, indexOf: IndexOf): AtomicStore {
  /**
   * The long value that was read or written last. A Set of 300 files asks 600 times for its entry of 200,000 characters:
   * to read it each time would take much of the processor.
   */
  let last: StoredValue | null = null;
  const remember = (stored: StoredValue): StoredValue => {
    if (stored.value.length >= longValue) last = stored;
    return stored;
  };

  const written = (sql: Sql, stored: StoredValue): StoredValue => {
    const { key, value } = stored;
    const row = sql.row('SELECT id FROM atomic WHERE key = ?', [key]);
    if (row === null) throw vanished();
    updateLists(sql, readIntegerColumn(row, 'id'), indexOf(key, value));
    return stored;
  };

  const swap = (sql: Sql, key: string, version: number, value: string): StoredValue | null => {
    const next = version + 1;
    const change = 'UPDATE atomic SET value = ?, version = ? WHERE key = ? AND version = ?';
    const changes = sql.run(change, [value, next, key, version]);
    return changes === 1 ? written(sql, { key, value, version: next }) : null;
  };

  const insert = (sql: Sql, key: string, value: string): StoredValue | null => {
    const add = 'INSERT INTO atomic (key, value, version) VALUES (?, ?, 1) ON CONFLICT (key) DO NOTHING';
    return sql.run(add, [key, value]) === 1 ? written(sql, { key, value, version: 1 }) : null;
  };

  return {
    async get(key) {
      requireFitKey(key);
      if (last?.key === key) {
        const same = last;
        if ((await database.row(selectSame, [key, same.version])) !== null) return same;
      }
      const row = await database.row(select, [key]);
      return row === null ? null : remember(entry(row));
    },

    async put(key, value) {
      requireFitKey(key);
      requireFitValue(value);
      await database.write((sql) => {
        const there = find(sql.row(select, [key]));
        if (there === null) insert(sql, key, value);
        else swap(sql, key, there.version, value);
      });
    },

    async putIfAbsent(key, value) {
      requireFitKey(key);
      requireFitValue(value);
      return database.write((sql) => {
        const mine = insert(sql, key, value);
        if (mine !== null) return { won: true, current: mine };
        const current = find(sql.row(select, [key]));
        if (current === null) throw vanished();
        return { won: false, current };
      });
    },

    async compareAndSet(key, version, value) {
      requireFitKey(key);
      requireFitValue(value);
      const swapped = await database.write((sql) => {
        const mine = swap(sql, key, version, value);
        return mine === null ? { there: find(sql.row(select, [key])) } : { mine };
      });
      if ('mine' in swapped) return { outcome: 'swapped', current: remember(swapped.mine) };
      const { there } = swapped;
      return there === null ? { outcome: 'absent' } : { outcome: 'changed', current: there };
    },

    async scan(prefix, after, limit) {
      requireFitPage(prefix, after, limit);
      const rows = await database.rows(
        `SELECT key, value, version FROM atomic
         WHERE key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`,
        [prefix, Buffer.concat([Buffer.from(prefix), aboveAll]), after ?? '', limit],
      );
      return rows.map(entry);
    },

    async page(page) {
      requireFitPageSize(page.limit);
      return database.read((sql) =>
        readListPage(sql, page).map((id) => {
          const row = sql.row('SELECT key, value, version FROM atomic WHERE id = ?', [id]);
          if (row === null) throw vanished();
          return entry(row);
        }),
      );
    },

    count: (name) => database.read((sql) => countListEntries(sql, name)),
  };
}

/** Shorter ones are read again in no time. Characters. */
const longValue = 16 * 1024;

/** No version is used twice. */
const selectSame = 'SELECT 1 FROM atomic WHERE key = ? AND version = ?';
const select = 'SELECT key, value, version FROM atomic WHERE key = ?';

/** No UTF-8 has this byte: it ends the range of a prefix. */
const aboveAll = Buffer.of(0xff);

function find(row: Row | null): StoredValue | null {
  return row === null ? null : entry(row);
}

function entry(row: Row): StoredValue {
  return {
    key: readTextColumn(row, 'key'),
    value: readTextColumn(row, 'value'),
    version: readIntegerColumn(row, 'version'),
  };
}

function vanished() {
  return storeError('store_unreadable', 'An entry of the store vanished: another program changes its file.');
}

/**
 * Updates an entry's rows of `atomic_listed`, in the transaction that wrote the entry. Most writes change only marks, or
 * nothing.
 */
export function updateLists(sql: Sql, entry: number, listings: readonly Listing[]): void {
  const wanted = new Map(
    listings.map(({ list, place, mark }) => {
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
function countListEntries(sql: Sql, name: string): number {
  const row = sql.row('SELECT count(*) AS entries FROM atomic_listed WHERE list = ?', [listId(name)]);
  return row === null ? 0 : readIntegerColumn(row, 'entries');
}
