import { randomUUID } from 'node:crypto';
import type Libsql from 'libsql';
import { storeError } from '../store-error.ts';
import type { Database } from './database.ts';
import { readTextColumn } from './row.ts';

interface MigrateOptions {
  /** Whether the file must already hold a store: an empty file is then damage, not a first start. */
  readonly mustExist: boolean;
  /** Default: the program's own list. */
  readonly steps?: readonly string[] | undefined;
}

/**
 * Brings the file to this program's version in one transaction, or refuses it and changes nothing.
 * @returns the store's id, drawn when it was first written
 * @throws store_newer, store_unreadable (not ours, emptied, damaged)
 */
export async function migrateStore(database: Database, options: MigrateOptions): Promise<string> {
  const steps = options.steps ?? migrations;
  const known = await database.transact((raw) =>
    // One transaction: between two statements another process may write all of it.
    raw.transaction(() => examine(raw, database.file, steps.length, options.mustExist))(),
  );
  if (known < steps.length) {
    await database.transact((raw) =>
      // Immediate: of several processes that start at once one migrates, and the others find it done.
      raw
        .transaction(() => {
          const from = examine(raw, database.file, steps.length, options.mustExist);
          for (const step of steps.slice(from)) raw.exec(step);
          if (from === 0) {
            const id = [Buffer.from('id'), Buffer.from(randomUUID())];
            raw.prepare('INSERT INTO meta (name, value) VALUES (?, ?)').run(id);
          }
          raw.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}`);
        })
        .immediate(),
    );
  }
  const row = await database.row('SELECT value FROM meta WHERE name = ?', ['id']);
  if (row === null) throw notOurs(database.file);
  return readTextColumn(row, 'value');
}

/** The version of the file, 0 for one that was never written. */
function examine(raw: Libsql.Database, file: string, newest: number, mustExist: boolean): number {
  const version = pragma(raw, 'user_version');
  const tables = raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all().length;
  if (version === 0 && tables === 0) {
    if (mustExist) {
      throw storeError(
        'store_unreadable',
        `${file} is empty, though it held a store: restore the whole folder from a backup, or move it away to begin anew.`,
      );
    }
    return 0;
  }
  if (pragma(raw, 'application_id') !== applicationId || version < 1) throw notOurs(file);
  if (version > newest) {
    throw storeError(
      'store_newer',
      `${file} was written by a newer artwork-mcp (its version is ${version}, this program knows up to ${newest}): update artwork-mcp.`,
    );
  }
  return version;
}

function pragma(raw: Libsql.Database, name: 'user_version' | 'application_id'): number {
  const [row] = raw.prepare(`PRAGMA ${name}`).all();
  const value = typeof row === 'object' && row !== null && name in row ? Object.values(row)[0] : undefined;
  return typeof value === 'number' ? value : Number.NaN;
}

function notOurs(file: string) {
  return storeError(
    'store_unreadable',
    `${file} is a database of another program: choose another folder as ARTWORK_HOME.`,
  );
}

/** "Artw": marks every database file of ours, so that a file of another program is never written to. */
const applicationId = 0x41727477;

/**
 * Step i brings a database from version i to i + 1, which is kept as `user_version`. A step that changes the meaning of a
 * table renames the table, so that an older program that still runs fails instead of writing nonsense. Every text is a
 * BLOB of UTF-8: on a damaged TEXT libsql ends the process.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE meta (
     name BLOB PRIMARY KEY NOT NULL,
     value BLOB NOT NULL
   ) STRICT;
   CREATE TABLE atomic (
     key BLOB PRIMARY KEY NOT NULL,
     value BLOB NOT NULL,
     version INTEGER NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE records (
     namespace BLOB NOT NULL,
     key BLOB NOT NULL,
     value BLOB NOT NULL,
     expires INTEGER,
     checksum INTEGER NOT NULL,
     PRIMARY KEY (namespace, key)
   ) STRICT;
   CREATE INDEX records_expires ON records (expires) WHERE expires IS NOT NULL;`,
  // `atomic` keeps its name and its columns, so that a program of version 1 that still runs can use it. The triggers
  // note what any program writes; a program that knows the index lists that before it reads the lists. At first that is
  // everything.
  `CREATE TABLE atomic_next (
     id INTEGER PRIMARY KEY,
     key BLOB NOT NULL UNIQUE,
     value BLOB NOT NULL,
     version INTEGER NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   INSERT INTO atomic_next (key, value, version, checksum)
     SELECT key, value, version, checksum FROM atomic ORDER BY key;
   DROP TABLE atomic;
   ALTER TABLE atomic_next RENAME TO atomic;
   CREATE TABLE atomic_listed (
     list BLOB NOT NULL,
     place BLOB NOT NULL,
     entry INTEGER NOT NULL,
     mark BLOB NOT NULL,
     PRIMARY KEY (list, place, entry)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX atomic_listed_entry ON atomic_listed (entry);
   CREATE TABLE atomic_unlisted (entry INTEGER PRIMARY KEY) STRICT;
   CREATE TRIGGER atomic_inserted AFTER INSERT ON atomic BEGIN
     INSERT OR IGNORE INTO atomic_unlisted (entry) VALUES (NEW.id);
   END;
   CREATE TRIGGER atomic_updated AFTER UPDATE ON atomic BEGIN
     INSERT OR IGNORE INTO atomic_unlisted (entry) VALUES (NEW.id);
   END;
   INSERT INTO atomic_unlisted (entry) SELECT id FROM atomic;`,
];
