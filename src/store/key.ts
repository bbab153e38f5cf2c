import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { nullOn } from '../errors.ts';
import { jsonOf } from '../text.ts';
import { fileFailureError, storeError } from './errors.ts';
import { createPrivateFile, readPrivateFile } from './home.ts';
import type { Keyring } from './keyring.ts';
import { damagedRecord, type Marks } from './kv.ts';

/** The key that seals secrets. */
export interface SealKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** Where the key is kept. */
export type KeyLocation = { readonly kind: 'keyring' } | { readonly kind: 'file'; readonly path: string };

/** What the store records of its key: enough to find and to recognize it. The id is drawn from the key. */
const keyRecord = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), kind: z.enum(['keyring', 'file']) });
type KeyRecord = Readonly<z.output<typeof keyRecord>>;

/** The mark that says which key counts. */
const recordMark = 'storage/key';

interface KeyPlaces {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** null: none is used. */
  readonly keyring: Keyring | null;
  /** Absolute path of the key that the machines of a shared store have in a file each. null: it is this machine's own. */
  readonly shared: string | null;
}

export type KeyHolder = ReturnType<typeof createKeyHolder>;

/**
 * Holds the key of a store, fetched at its first use. This machine's own lies in the keyring if it can be read back from
 * there, else in a 0600 file. Each has its own name, so that processes at their first start don't overwrite each other's.
 * Of a shared store, the first that seals records which key it was, and another one is refused.
 */
export function createKeyHolder(marks: Marks, { home, keyring, shared }: KeyPlaces) {
  const fileOf = (id: string) => shared ?? path.join(home, `key-${id}`);
  const accountOf = (id: string) => `store key ${id}`;
  let held: SealKey | null = null;

  const recorded = async () => {
    const mark = await marks.get(recordMark);
    return mark === null ? null : { record: recordIn(mark.value), version: mark.version };
  };

  const draw = async (): Promise<KeyRecord> => {
    if (shared !== null) return { id: idOf(keyIn(await readShared(shared), shared)), kind: 'file' };
    const text = randomBytes(32).toString('base64url');
    const id = idOf(keyIn(text, home));
    if (await isKeptIn(keyring, accountOf(id), text)) return { id, kind: 'keyring' };
    await createPrivateFile(fileOf(id), `${text}\n`);
    return { id, kind: 'file' };
  };

  /** Another process was faster, and the key has sealed nothing. One that stays is not used. */
  const discard = async ({ id, kind }: KeyRecord): Promise<void> => {
    if (kind === 'keyring') await keyring?.remove(accountOf(id)).catch(() => undefined);
    else if (shared === null) await rm(fileOf(id), { force: true }).catch(() => undefined);
  };

  const read = async ({ id, kind }: KeyRecord): Promise<KeyObject> => {
    const isInFile = kind === 'file';
    const where = isInFile ? fileOf(id) : `"${accountOf(id)}" in the system's keyring`;
    const readFrom = shared === null ? readPrivateFile : readShared;
    const text = isInFile ? await readFrom(where) : await readKeyring(keyring, accountOf(id));
    const secret = keyIn(text, where);
    if (idOf(secret) !== id) throw unusable('key_wrong', `${where} is not the key that sealed this store`);
    return secret;
  };

  const fetched = async (record: KeyRecord): Promise<SealKey> => {
    if (held?.id === record.id) return held;
    held = { id: record.id, secret: await read(record) };
    return held;
  };

  return {
    /**
     * The key that the store records; where it records none and `create` is true, a new one. From then on the recorded
     * place is the only one: a keyring that can't be reached is an error, never a reason for a new key.
     * @throws key_missing, key_unreachable, key_wrong and what the store throws
     */
    async key(create: boolean): Promise<SealKey> {
      const there = await recorded();
      if (there !== null) return fetched(there.record);
      if (!create) throw unusable('key_missing', 'There is a sealed record, but the store has no key');
      const drawn = await draw();
      const { won, current } = await marks.putIfAbsent(recordMark, JSON.stringify(drawn));
      if (!won) await discard(drawn);
      return fetched(recordIn(current.value));
    },
    /** Null while the store has no key. Asks no keyring. */
    async location(): Promise<KeyLocation | null> {
      const there = await recorded();
      if (there === null) return null;
      const { id, kind } = there.record;
      return kind === 'keyring' ? { kind } : { kind, path: fileOf(id) };
    },
    /** Takes a new key in the place of the recorded one. */
    async replace(): Promise<void> {
      const there = await recorded();
      if (there === null) return;
      const drawn = await draw();
      const swap = await marks.compareAndSet(recordMark, there.version, JSON.stringify(drawn));
      if (swap.outcome !== 'swapped') await discard(drawn);
    },
  };
}

/** @throws store_unreadable */
function recordIn(text: string): KeyRecord {
  const record = keyRecord.safeParse(jsonOf(text));
  if (!record.success) throw damagedRecord();
  return record.data;
}

/** Recognizes a key, and reveals nothing of it. */
function idOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('artwork-mcp store key').digest('hex').slice(0, 16);
}

/** @throws key_missing where nothing was found, key_wrong where it is no key */
function keyIn(text: string | null, where: string): KeyObject {
  if (text === null) throw unusable('key_missing', `${where}, the key of this store, is not there`);
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== 32) throw unusable('key_wrong', `${where} holds no key of 32 bytes in base64`);
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

/** A person's file, whose modes are theirs. Null for what is no file: a pipe may never come to an end. */
async function readShared(file: string): Promise<string | null> {
  try {
    const status = await nullOn('ENOENT', stat(file));
    return status?.isFile() === true ? await readFile(file, 'utf8') : null;
  } catch (error) {
    throw fileFailureError(file, error);
  }
}

function unusable(code: 'key_missing' | 'key_wrong', what: string) {
  return storeError(
    code,
    `${what}. Restore it from a backup, or copy the file of ARTWORK_STORE_KEY_FILE from a machine that is connected. If it is lost for good, so is the sign-in: connect again with --replace.`,
  );
}
