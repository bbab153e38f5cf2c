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

export interface StorageOptions {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** Left out: the operating system's. null: none is asked, and a new key goes into a file. */
  readonly keyring?: Keyring | null;
  /** What the lists of the atomic store hold. Left out: it has none. */
  readonly indexOf?: IndexOf | undefined;
  /** Looks at all of the store's structure, as else is done for a large one only once a day. */
  readonly wholly?: boolean | undefined;
}

/** Everything that is kept between two runs. Errors: `StoreErrorCode`. */
export interface Storage {
  readonly atomic: AtomicStore;
  /** Records that never change once written, and caches; namespaces see nothing of each other. */
  records(namespace: string): Keyv;
  readonly seal: Seal;
  /** Where the key that seals lies; null while nothing was ever sealed. Asks no keyring. */
  keyLocation(): Promise<KeyLocation | null>;
  /** On a person's word alone: a new key, after the old one is gone for good. What it sealed is lost. */
  replaceKey(): Promise<void>;
  /** Every later use is `store_closed`. Nothing is left to write: every write is on the disk already. */
  close(): void;
}

/**
 * Opens the data directory, making it at the first start. Neither the key nor the keyring is touched before
 * something is sealed or opened.
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
