import type { Keyv } from 'keyv';
import type { AtomicStore, IndexOf } from './atomic-store.ts';
import { prepareHome } from './home.ts';
import { createKeyHolder, type KeyLocation } from './key.ts';
import { type Keyring, systemKeyring } from './keyring.ts';
import { libsqlAtomicStore } from './libsql/atomic.ts';
import { libsqlRecordStore } from './libsql/records.ts';
import { openStoreFile } from './libsql/store-file.ts';
import { createRecords } from './records.ts';
import { createSeal, type Seal } from './seal.ts';

interface StorageOptions {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** Default: the operating system's. null: none, and a new key goes into a file. */
  readonly keyring?: Keyring | null;
  /** Default: the atomic store has no lists. */
  readonly indexOf?: IndexOf | undefined;
  /** Checks the whole structure of the store, which is done once a day for a large one otherwise. */
  readonly wholly?: boolean | undefined;
}

/** Everything that is kept between two runs. Errors: `StoreErrorCode`. */
export interface Storage {
  readonly atomic: AtomicStore;
  /** Records that never change once written, and caches. A namespace sees nothing of another one. */
  records(namespace: string): Keyv;
  readonly seal: Seal;
  /** Where the sealing key is kept; null while nothing was ever sealed. Asks no keyring. */
  keyLocation(): Promise<KeyLocation | null>;
  /** See `KeyHolder.replace`. */
  replaceKey(): Promise<void>;
  /** Every later use is `store_closed`. */
  close(): void;
}

/**
 * Opens the data directory, or makes it at the first start. The key and the keyring are not used before a record is
 * sealed or opened.
 * @throws home_not_private, store_unreadable, store_newer, store_unsupported, store_busy, store_full
 */
export async function openStorage({
  home,
  keyring = systemKeyring(),
  indexOf,
  wholly,
}: StorageOptions): Promise<Storage> {
  await prepareHome(home);
  const database = await openStoreFile(home, { wholly });
  const atomic = libsqlAtomicStore(database, indexOf);
  const holder = createKeyHolder(atomic, { home, keyring });
  return {
    atomic,
    records: (namespace) => createRecords(libsqlRecordStore(database, namespace)),
    seal: createSeal(holder),
    keyLocation: () => holder.location(),
    replaceKey: () => holder.replace(),
    close: () => database.close(),
  };
}
