import type { Keyv } from 'keyv';
import type { IndexOf } from './atomic-store.ts';
import type { Engine } from './engine.ts';
import { prepareHome } from './home.ts';
import { createKeyHolder } from './key-holder.ts';
import { type Keyring, systemKeyring } from './keyring.ts';
import { libsqlAtomicStore } from './libsql/atomic.ts';
import { openStoreFile } from './libsql/store-file.ts';
import { holdersOfMachine } from './lease.ts';
import { createRecords, libsqlRecordStore } from './records.ts';
import { createSeal } from './seal.ts';
import { createSharedKeyHolder } from './shared-key.ts';

interface StorageOptions {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** Default: the operating system's. null: none, and a new key goes into a file. */
  readonly keyring?: Keyring | null;
  /** The lists of the atomic store: every process that shares it has to have the same. */
  readonly indexOf: IndexOf;
  /** Checks the whole structure of the store, which is done once a day for a large one otherwise. */
  readonly wholly?: boolean | undefined;
  /** Default: the store is a file in the data directory. */
  readonly shared?: SharedStore | null;
}

/** A store that several machines share. */
export interface SharedStore {
  /** With its password. @throws SettingsError */
  url(): string;
  /** Absolute path of the file with the sealing key, which the machines share too. */
  readonly keyFile: string;
}

/** Everything that is kept between two runs. Errors: `StoreErrorCode`. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

/**
 * Opens the data directory, or makes it at the first start. The key and the keyring are not used before a record is
 * sealed or opened.
 * @throws home_not_private, store_unreadable, store_other_schema, store_unsupported, store_busy, store_full,
 * store.unreachable
 */
export async function openStorage(options: StorageOptions) {
  const { home, keyring = systemKeyring(), shared = null } = options;
  await prepareHome(home);
  const engine = shared === null ? await openFile(options) : await openShared(shared, options);
  const { atomic } = engine;
  const holder =
    shared === null
      ? createKeyHolder(atomic, { home, keyring })
      : createSharedKeyHolder(atomic, shared.keyFile);
  return {
    place: engine.place,
    atomic,
    /** Records that never change once written, and caches. A namespace sees nothing of another one. */
    records: (namespace: string): Keyv => createRecords(engine.records(namespace)),
    /** What a judge of leases knows of the processes that share the store; a new identity for each. */
    holders: holdersOfMachine,
    seal: createSeal(holder.key),
    /** Where the sealing key is kept; null while nothing was ever sealed. Asks no keyring. */
    keyLocation: holder.location,
    /**
     * Draws a new key, only on a person's word that the old one is lost. Records that the old one sealed can't be opened
     * any more; everything else in the store stays.
     */
    replaceKey: holder.replace,
    /** Every later use is `store_closed`. */
    close: (): void => engine.close(),
  };
}

async function openFile({ home, wholly, indexOf }: StorageOptions): Promise<Engine> {
  const database = await openStoreFile(home, { wholly });
  return {
    place: `${home}, private to this user`,
    atomic: libsqlAtomicStore(database, indexOf),
    records: (namespace) => libsqlRecordStore(database, namespace),
    close: () => database.close(),
  };
}

/** Loaded for such a store alone. */
async function openShared({ url }: SharedStore, { home, indexOf }: StorageOptions): Promise<Engine> {
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres(url(), home, indexOf);
}
