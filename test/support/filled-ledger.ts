import { ArtworkError } from '../../src/errors.ts';
import pg from 'pg';
import type { AccountScope } from '../../src/ledger/entry.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { uploadAsset } from '../../src/mutations/operations/upload-asset.ts';
import { listId, type StoredValue } from '../../src/store/kv.ts';
import { updateLists } from '../../src/storage/libsql/atomic.ts';
import { readIntegerColumn } from '../../src/store/libsql.ts';
import { openStoreFile } from '../../src/storage/libsql/store-file.ts';
import { prepareHome } from '../../src/store/home.ts';
import { indexOf } from './ledger-index.ts';
import { memoryStore } from './memory-store.ts';
import { isOnPostgres, openTestStorage, storeSettingsOf } from './test-store.ts';

export interface Filling {
  /** The data directory. */
  readonly home: string;
  readonly scope: AccountScope;
  readonly count: number;
  /** Whether the entry with this number stays unsettled; none does where it is left out. */
  readonly open?: ((number: number) => boolean) | undefined;
  /** When the first was made, in ms since 1970; each one follows a second after the one before. */
  readonly from?: number | undefined;
}

/** The id of the upload with this number. */
export function filledId(number: number): string {
  return `f111ed00-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** The arguments, and the digest of the file, of the upload with this number: each is of another place and of other bytes. */
export function filledUpload(number: number) {
  return {
    clientMutationId: filledId(number),
    expectedUpdatedAt: null,
    operation: 'add',
    slot: 'poster',
    targetKind: 'movie',
    targetId: number + 1,
    file: {
      filename: `${number}.png`,
      contentType: 'image/png',
      contentLength: 1000,
      sha256: number.toString(16).padStart(64, '0'),
    },
  };
}

/** Fills the ledger of a data directory with uploads, each as the ledger's own code leaves it, in one transaction. */
export async function fillLedger({ home, scope, count, open = () => false, from }: Filling): Promise<void> {
  const store = memoryStore();
  let now = from ?? Date.UTC(2030, 0, 1);
  const self = { machine: 'elsewhere', pid: 1, instance: 'filling' };
  const ledger = openLedger({
    store,
    clock: { now: () => now, monotonic: () => now },
    self,
    mayRun: async () => false,
  });
  for (let number = 0; number < count; number += 1) {
    const mutation = uploadAsset.mutation(filledUpload(number));
    const { clientMutationId, operation, target, intent } = mutation;
    const claiming = await ledger.claim(scope, { clientMutationId, operation, target, intent });
    if (claiming.claim !== 'leased') throw new Error('An entry was there before.');
    const { lease: held } = claiming;
    await ledger.send(held);
    if (open(number)) await ledger.markUnresolved(held, new ArtworkError('network', 'The answer was lost.'));
    else await ledger.settle(held, { outcome: 'succeeded', receipt: null });
    now += 1000;
  }
  if (isOnPostgres) return fillPostgres(home, [...store.entries.values()]);
  await prepareHome(home);
  const database = await openStoreFile(home);
  try {
    await database.write((sql) => {
      for (const { key, value, version } of store.entries.values()) {
        const row = sql.row('INSERT INTO atomic (key, value, version) VALUES (?, ?, ?) RETURNING id', [
          key,
          value,
          version,
        ]);
        if (row === null) throw new Error('It was not inserted.');
        updateLists(sql, readIntegerColumn(row, 'id'), indexOf(key, value));
      }
    });
  } finally {
    database.close();
  }
}

async function fillPostgres(home: string, entries: readonly StoredValue[]): Promise<void> {
  (await openTestStorage(home, indexOf)).close();
  const client = new pg.Client({ connectionString: (await storeSettingsOf(home)).ARTWORK_STORE });
  await client.connect();
  try {
    for (let from = 0; from < entries.length; from += 1000) {
      const some = entries.slice(from, from + 1000);
      await client.query(
        `INSERT INTO artwork.atomic (key, value, version, written)
         SELECT key, value, version, gen_random_uuid() FROM unnest($1::text[], $2::text[], $3::int[]) AS given (key, value, version)`,
        [some.map(({ key }) => key), some.map(({ value }) => value), some.map(({ version }) => version)],
      );
      const listed = some.flatMap(({ key, value }) => indexOf(key, value).map((one) => ({ key, ...one })));
      await client.query(
        `INSERT INTO artwork.listed (list, place, entry, mark) SELECT list, place, id, mark
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS given (list, place, key, mark) JOIN artwork.atomic USING (key)`,
        [
          listed.map(({ list }) => listId(list)),
          listed.map(({ place }) => place),
          listed.map(({ key }) => key),
          listed.map(({ mark }) => mark),
        ],
      );
    }
    await client.query('ANALYZE artwork.atomic, artwork.listed');
  } finally {
    await client.end();
  }
}
