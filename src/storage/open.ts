import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { AtomicStore, IndexOf } from './atomic-store.ts';
import { prepareHome } from './home.ts';
import {
  fetchKey,
  type KeyPlaces,
  type KeyRecord,
  type Keyring,
  keepNewKey,
  keyFile,
  keyRecordKey,
  parseKeyRecord,
  removeUnusedKey,
  systemKeyring,
  writeKeyRecord,
} from './keyring.ts';
import { libsqlAtomicStore } from './libsql/atomic.ts';
import { openStoreFile } from './libsql/store-file.ts';
import { holdersOfMachine, holdersOfMachines } from './lease.ts';
import { createRecords, libsqlRecordStore, type RecordStore } from './records.ts';
import { createSharedKeyHolder } from './shared-key.ts';
import { storeError } from './store-error.ts';

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

/** Where everything lies. */
export interface Engine {
  /** For people, without a secret. */
  readonly place: string;
  readonly atomic: AtomicStore;
  records(namespace: string): RecordStore;
  close(): void;
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
    holders: shared === null ? holdersOfMachine : holdersOfMachines,
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

interface SealKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** Where the key is kept. */
export type KeyLocation = { readonly kind: 'keyring' } | { readonly kind: 'file'; readonly path: string };

/** Finds the key that seals secrets. */
export interface KeyHolder {
  /**
   * The key that the store records; where it records none and `create` is true, a new one. From then on the recorded
   * place is the only one: a keyring that can't be reached is an error, never a reason for a new key.
   * @throws key_missing, key_unreachable, key_wrong and what the store throws
   */
  key(create: boolean): Promise<SealKey>;
  location(): Promise<KeyLocation | null>;
  replace(): Promise<void>;
}

/** Holds the key of this machine, fetched at its first use. */
function createKeyHolder(atomic: AtomicStore, places: KeyPlaces): KeyHolder {
  let held: { readonly id: string; readonly secret: Promise<KeyObject> } | null = null;

  const fetched = async (record: KeyRecord): Promise<SealKey> => {
    const asked = held?.id === record.id ? held : { id: record.id, secret: fetchKey(places, record) };
    held = asked;
    try {
      return { id: asked.id, secret: await asked.secret };
    } catch (error) {
      if (held === asked) held = null; // A failure is not kept: a keyring can be unlocked.
      throw error;
    }
  };

  return {
    async key(create) {
      const entry = await atomic.get(keyRecordKey);
      if (entry !== null) return fetched(parseKeyRecord(entry.value));
      if (!create) {
        throw storeError(
          'key_missing',
          'There is a sealed record, but the store has no key: restore the whole data folder from a backup, or connect again with --replace.',
        );
      }
      const drawn = await keepNewKey(places);
      const claim = await atomic.putIfAbsent(keyRecordKey, writeKeyRecord(drawn));
      if (!claim.won) await removeUnusedKey(places, drawn);
      return fetched(parseKeyRecord(claim.current.value));
    },

    async location() {
      const entry = await atomic.get(keyRecordKey);
      if (entry === null) return null;
      const { id, kind } = parseKeyRecord(entry.value);
      return kind === 'keyring' ? { kind } : { kind, path: keyFile(places.home, id) };
    },

    async replace() {
      const entry = await atomic.get(keyRecordKey);
      if (entry === null) return;
      const drawn = await keepNewKey(places);
      const swap = await atomic.compareAndSet(keyRecordKey, entry.version, writeKeyRecord(drawn));
      if (swap.outcome !== 'swapped') await removeUnusedKey(places, drawn);
    },
  };
}

/** `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url. */
const envelope = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;
const tagBytes = 16;

export type Seal = ReturnType<typeof createSeal>;

/**
 * Seals records with AES-256-GCM under a random 96-bit nonce. Each is bound to its name and generation, so that it can't
 * be put in another one's place, or in that of a later generation.
 */
function createSeal(key: (create: boolean) => Promise<SealKey>) {
  return {
    /** @throws key_unreachable, key_missing, key_wrong and what the store throws */
    async seal(name: string, generation: string, plain: string): Promise<string> {
      const { id, secret } = await key(true);
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagBytes });
      cipher.setAAD(binding(id, name, generation));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },

    /** @throws record_tampered, key_wrong, and what `seal` throws */
    async open(name: string, generation: string, sealed: string): Promise<string> {
      const [, keyId, nonceText, body] = envelope.exec(sealed) ?? [];
      if (keyId === undefined || nonceText === undefined || body === undefined) throw tampered();
      const { id, secret } = await key(false);
      if (keyId !== id) {
        throw storeError(
          'key_wrong',
          'A sealed record needs another key than the one this store has now: connect again with --replace.',
        );
      }
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.toString('base64url') !== body) throw tampered(); // A record has one spelling: the spare bits of base64url are 0.
      const nonce = Buffer.from(nonceText, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagBytes });
      decipher.setAAD(binding(id, name, generation));
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
      try {
        const plain = [decipher.update(bytes.subarray(0, bytes.length - tagBytes)), decipher.final()];
        return Buffer.concat(plain).toString('utf8');
      } catch (error) {
        throw tampered(error);
      }
    },
  };
}

/** JSON keeps the parts apart whatever they hold. */
function binding(keyId: string, name: string, generation: string): Buffer {
  return Buffer.from(JSON.stringify(['artwork-mcp', 'v1', keyId, name, generation]));
}

function tampered(cause?: unknown) {
  return storeError(
    'record_tampered',
    'A sealed record is not what was stored under its name: restore the whole data folder from a backup; without one, connect again with --replace.',
    cause,
  );
}
