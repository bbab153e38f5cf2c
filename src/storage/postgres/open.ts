import path from 'node:path';
import type { IndexOf } from '../atomic-store.ts';
import type { Engine } from '../engine.ts';
import { placePrivateFile, readPrivateFile } from '../home.ts';
import { storeError } from '../store-error.ts';
import { postgresAtomicStore } from './atomic.ts';
import { Database } from './database.ts';
import { postgresRecordStore } from './records.ts';
import { requireSchema } from './schema.ts';

/**
 * Opens the store that several machines share, or makes it where the database is empty. The data folder notes its id: an
 * emptied database would look like a first start otherwise, and what was sent would be forgotten.
 * @throws store.unreachable, store_other_schema, store_refused, store_unreadable
 */
export async function openPostgres(url: string, home: string, indexOf: IndexOf): Promise<Engine> {
  const database = new Database(url);
  try {
    const id = await requireSchema(database);
    const mark = path.join(home, 'store.shared.json');
    const note = `${JSON.stringify({ store: id })}\n`;
    const known = await readPrivateFile(mark);
    if (known === null) await placePrivateFile(mark, note);
    else if (known !== note) {
      throw storeError(
        'store_replaced',
        `The database at ${database.place} is not the store that ${mark} names: put the right one there, or name it in ARTWORK_STORE; to begin with this one, move that file away, which forgets what was sent from here.`,
      );
    }
    return {
      place: `PostgreSQL at ${database.place}${isSecret(url) ? '' : ', without TLS'}, shared`,
      atomic: postgresAtomicStore(database, id, indexOf),
      records: (namespace) => postgresRecordStore(database, namespace),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function isSecret(url: string): boolean {
  return new URL(url).searchParams.get('sslmode') === 'verify-full';
}
