import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createPrivateFile, readPrivateFile } from './home.ts';
import { checkOf, fits, type KeyRecord } from './key-record.ts';
import type { Keyring } from './keyring.ts';
import { isStoreError, storeError } from './store-error.ts';

/** The two places that a key can lie in. */
export interface KeyPlaces {
  readonly home: string;
  /** null: never ask one. */
  readonly keyring: Keyring | null;
}

/**
 * Draws a key and keeps it: in the keyring if what was written there can be read back, else in a 0600 file.
 * Each has a name of its own, so several first starts never overwrite each other's.
 */
export async function keepNewKey({ home, keyring }: KeyPlaces): Promise<KeyRecord> {
  const id = randomBytes(8).toString('hex');
  const bytes = randomBytes(32);
  const text = bytes.toString('base64url');
  const check = checkOf(createSecretKey(bytes));
  if (keyring !== null && (await keptInKeyring(keyring, id, text))) return { id, kind: 'keyring', check };
  await createPrivateFile(keyFile(home, id), `${text}\n`);
  return { id, kind: 'file', check };
}

/** Takes back a key that sealed nothing. */
export async function dropKey({ home, keyring }: KeyPlaces, { id, kind }: KeyRecord): Promise<void> {
  try {
    if (kind === 'file') await rm(keyFile(home, id), { force: true });
    else await keyring?.remove(account(id));
  } catch {
    // It is only untidy: nothing will ever ask for this key.
  }
}

/** @throws key_missing, key_unreachable, key_wrong, store_unreadable */
export async function fetchKey({ home, keyring }: KeyPlaces, record: KeyRecord): Promise<KeyObject> {
  const inKeyring = record.kind === 'keyring';
  const file = keyFile(home, record.id);
  const text = inKeyring ? await fromKeyring(keyring, record.id) : await fromFile(file);
  const bytes = Buffer.from(text, 'base64url');
  const secret = bytes.length === 32 ? createSecretKey(bytes) : null;
  if (secret === null || !fits(record, secret)) {
    throw storeError(
      'key_wrong',
      `${inKeyring ? 'The key in the keyring' : file} is not the one that sealed this store: restore the whole data folder from one backup.`,
    );
  }
  return secret;
}

export function keyFile(home: string, id: string): string {
  return path.join(home, `key-${id}`);
}

function account(id: string): string {
  return `store key ${id}`;
}

async function keptInKeyring(keyring: Keyring, id: string, text: string): Promise<boolean> {
  try {
    await keyring.write(account(id), text);
    return (await keyring.read(account(id))) === text;
  } catch {
    // No keyring here, or a locked one: the file is then the place, and `status` says so.
    return false;
  }
}

async function fromKeyring(keyring: Keyring | null, id: string): Promise<string> {
  let text: string | null;
  try {
    if (keyring === null) throw storeError('key_unreachable', 'The keyring is switched off here.');
    text = await keyring.read(account(id));
  } catch (error) {
    // Nothing else of the error is taken over: it may quote what the keyring was given.
    const why = isStoreError(error, 'key_unreachable') ? ` ${error.message}` : '';
    throw storeError(
      'key_unreachable',
      `The key of this store lies in the system's keyring, which can't be used now: unlock it, or run in the desktop session that has it, then try again.${why}`,
    );
  }
  if (text !== null) return text;
  throw storeError(
    'key_missing',
    `The system's keyring no longer has "${account(id)}" of artwork-mcp: restore the keyring; if the key is gone for good, so is the stored sign-in: connect again with --replace.`,
  );
}

async function fromFile(file: string): Promise<string> {
  const text = await readPrivateFile(file);
  if (text !== null) return text.trimEnd();
  throw storeError(
    'key_missing',
    `${file}, the key of this store, is gone: restore it from a backup; if it is gone for good, so is the stored sign-in: connect again with --replace.`,
  );
}
