import { randomUUID } from 'node:crypto';
import type Libsql from 'libsql';
import { storeError } from '../store-error.ts';
import type { Database } from './database.ts';
import { textColumn } from './row.ts';
import { applicationId, migrations } from './schema.ts';

export interface MigrateOptions {
  /** Whether the file must already hold a store: an empty one is then damage, not a first start. */
  readonly mustExist: boolean;
  /** The program's own list where left out. */
  readonly steps?: readonly string[] | undefined;
}

/**
 * Brings the file to this program's version, in one transaction, or refuses it untouched.
 * @returns the store's id, drawn when it was first written
 * @throws store_newer, store_unreadable (not ours, emptied, damaged)
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<string> {
  const steps = options.steps ?? migrations;
  const known = await database.transact((raw) =>
    // In one: between two looks another process may write all of it.
    raw.transaction(() => examine(raw, database.file, steps.length, options.mustExist))(),
  );
  if (known < steps.length) {
    await database.transact((raw) =>
      // Immediate: of several processes that start at once, one writes, and the others then find it done.
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
  return textColumn(row, 'value');
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
