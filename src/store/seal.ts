import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { jsonOf } from '../text.ts';
import { damagedRecord, storeError } from './errors.ts';
import { createPrivateFile, readGivenFile, readPrivateFile } from './home.ts';
import type { Keyring } from './keyring.ts';
import type { Marks } from './kv.ts';

/** Where the key is kept. */
export type KeyLocation = { readonly kind: 'keyring' } | { readonly kind: 'file'; readonly path: string };

interface KeyPlaces {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** null: none is used. */
  readonly keyring: Keyring | null;
  /** Absolute path of the key that the machines of a shared store have in a file each. null: it is this machine's own. */
  readonly shared: string | null;
}

/** The mark that says which key counts. */
const keyMark = 'storage/key';
/** Enough to find the key and to recognize it. The id is drawn from the key. */
const keyRecord = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), kind: z.enum(['keyring', 'file']) });
type KeyRecord = Readonly<z.output<typeof keyRecord>>;

/** `v1.<nonce>.<ciphertext and tag>`, both in base64url. */
const envelope = /^v1\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;
const authTagLength = 16;

export type Seal = ReturnType<typeof createSeal>;

/**
 * Seals records with AES-256-GCM under a random 96-bit nonce. Each is bound to its name and generation, so that it can't
 * be put in another one's place, or in that of a later generation.
 *
 * The key is fetched at its first use. This machine's own lies in the keyring if it can be read back from there, else in
 * a 0600 file. Each has its own name, so that processes at their first start don't overwrite each other's. Of a shared
 * store, the first that seals records which key it was, and another one is refused.
 */
export function createSeal(marks: Marks, { home, keyring, shared }: KeyPlaces) {
  const fileOf = (id: string) => shared ?? path.join(home, `key-${id}`);
  const accountOf = (id: string) => `store key ${id}`;
  let held: { readonly id: string; readonly secret: KeyObject } | null = null;

  const recorded = async () => {
    const mark = await marks.get(keyMark);
    if (mark === null) return null;
    const record = keyRecord.safeParse(jsonOf(mark.value));
    if (!record.success) throw damagedRecord();
    return { ...record.data, version: mark.version };
  };

  const draw = async (): Promise<KeyRecord> => {
    if (shared !== null) return { id: idOf(keyIn(await readGivenFile(shared), shared)), kind: 'file' };
    const text = randomBytes(32).toString('base64url');
    const id = idOf(keyIn(text, home));
    if (await isKeptIn(keyring, accountOf(id), text)) return { id, kind: 'keyring' };
    await createPrivateFile(fileOf(id), `${text}\n`);
    return { id, kind: 'file' };
  };

  const read = async ({ id, kind }: KeyRecord): Promise<KeyObject> => {
    const isInFile = kind === 'file';
    const where = isInFile ? fileOf(id) : `"${accountOf(id)}" in the system's keyring`;
    const readFrom = shared === null ? readPrivateFile : readGivenFile;
    const secret = keyIn(isInFile ? await readFrom(where) : await readKeyring(keyring, accountOf(id)), where);
    if (idOf(secret) !== id) throw missing(`${where} is not the key that sealed this store`);
    return secret;
  };

  /**
   * The key that the store records; where it records none and `create` is true, a new one. From then on the recorded
   * place is the only one: a keyring that can't be reached is an error, never a reason for a new key.
   */
  const key = async (create: boolean): Promise<KeyObject> => {
    let there = await recorded();
    if (there === null && create) {
      // Where another process was faster, its key counts, and this one has sealed nothing.
      await marks.put(keyMark, null, JSON.stringify(await draw()));
      there = await recorded();
    }
    if (there === null) throw missing('There is a sealed record, but the store has no key');
    if (held?.id !== there.id) held = { id: there.id, secret: await read(there) };
    return held.secret;
  };

  return {
    /** @throws key_unreachable, key_missing and what the store throws */
    async seal(name: string, generation: string, plain: string): Promise<string> {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', await key(true), nonce, { authTagLength });
      cipher.setAAD(binding(name, generation));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },

    /** @throws record_tampered, of what another key has sealed too, and what `seal` throws */
    async open(name: string, generation: string, sealed: string): Promise<string> {
      const [, nonce, body = ''] = envelope.exec(sealed) ?? [];
      if (nonce === undefined) throw tampered();
      const bytes = Buffer.from(body, 'base64url');
      const end = bytes.length - authTagLength;
      const iv = Buffer.from(nonce, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', await key(false), iv, { authTagLength });
      decipher.setAAD(binding(name, generation));
      decipher.setAuthTag(bytes.subarray(end));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw tampered(error);
      }
    },

    /** Null while nothing was ever sealed. Asks no keyring. */
    async keyLocation(): Promise<KeyLocation | null> {
      const there = await recorded();
      if (there === null) return null;
      return there.kind === 'keyring' ? { kind: 'keyring' } : { kind: 'file', path: fileOf(there.id) };
    },

    /**
     * Draws a new key, only on a person's word that the old one is lost. What the old one sealed can't be opened any
     * more; everything else in the store stays.
     */
    async replaceKey(): Promise<void> {
      const there = await recorded();
      if (there !== null) await marks.put(keyMark, there.version, JSON.stringify(await draw()));
    },
  };
}

/** JSON keeps the parts apart whatever they hold. */
function binding(name: string, generation: string): Buffer {
  return Buffer.from(JSON.stringify(['artwork-mcp', name, generation]));
}

/** Recognizes a key, and reveals nothing of it. */
function idOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('artwork-mcp store key').digest('hex').slice(0, 16);
}

/** @throws key_missing where nothing was found, or no key */
function keyIn(text: string | null, where: string): KeyObject {
  if (text === null) throw missing(`${where}, the key of this store, is not there`);
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== 32) throw missing(`${where} holds no key of 32 bytes in base64`);
  return createSecretKey(bytes);
}

/** Whether a keyring gives back what it was given. */
async function isKeptIn(keyring: Keyring | null, account: string, text: string): Promise<boolean> {
  try {
    await keyring?.write(account, text);
    return (await keyring?.read(account)) === text;
  } catch {
    // There is no keyring here, or it is locked: the key goes into a file, and `status` says so.
    return false;
  }
}

async function readKeyring(keyring: Keyring | null, account: string): Promise<string | null> {
  try {
    if (keyring !== null) return await keyring.read(account);
  } catch {
    // Its error may quote what the keyring was given.
  }
  throw storeError(
    'key_unreachable',
    "The key of this store is in the system's keyring, which can't be used now. Unlock it, or run in the desktop session that has it. Then try again.",
  );
}

function missing(what: string) {
  return storeError(
    'key_missing',
    `${what}. Restore it from a backup, or copy the file of ARTWORK_STORE_KEY_FILE from a machine that is connected. If it is lost for good, so is the sign-in: connect again with --replace.`,
  );
}

function tampered(cause?: unknown) {
  return storeError(
    'record_tampered',
    'A sealed record is not what was stored under its name, or another key has sealed it. Restore the whole data folder from a backup. Without one, connect again with --replace.',
    cause,
  );
}
