import { execFile } from 'node:child_process';
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createPrivateFile, readPrivateFile } from './home.ts';
import { isStoreError, storeError } from './store-error.ts';
import { jsonOf } from '../text.ts';

/** The two places where a key can be kept. */
export interface KeyPlaces {
  readonly home: string;
  /** null: none is used. */
  readonly keyring: Keyring | null;
}

/**
 * Draws a key and keeps it: in the keyring if the key can be read back from there, else in a 0600 file. Each key has its
 * own name, so that processes at their first start don't overwrite each other's.
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

/** Removes a key that sealed nothing. */
export async function removeUnusedKey({ home, keyring }: KeyPlaces, { id, kind }: KeyRecord): Promise<void> {
  try {
    if (kind === 'file') await rm(keyFile(home, id), { force: true });
    else await keyring?.remove(account(id));
  } catch {
    // The key stays unused where it is.
  }
}

/**
 * Fetches the key that seals secrets from where it is kept.
 * @throws key_missing, key_unreachable, key_wrong, store_unreadable
 */
export async function fetchKey({ home, keyring }: KeyPlaces, record: KeyRecord): Promise<KeyObject> {
  const inKeyring = record.kind === 'keyring';
  const file = keyFile(home, record.id);
  const text = inKeyring ? await fromKeyring(keyring, record.id) : await fromFile(file);
  const bytes = Buffer.from(text, 'base64url');
  const secret = bytes.length === 32 ? createSecretKey(bytes) : null;
  if (secret === null || !isKeyOfRecord(record, secret)) {
    throw storeError(
      'key_wrong',
      `${inKeyring ? 'The key in the keyring' : file} is not the one that sealed this store: restore the whole data folder from one backup.`,
    );
  }
  return secret;
}

/** The file that holds the key where no keyring does. */
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
    // There is no keyring here, or it is locked: the key goes into a file, and `status` says so.
    return false;
  }
}

async function fromKeyring(keyring: Keyring | null, id: string): Promise<string> {
  let text: string | null;
  try {
    if (keyring === null) throw storeError('key_unreachable', 'The keyring is switched off here.');
    text = await keyring.read(account(id));
  } catch (error) {
    // Only our own message is repeated: another error may quote what the keyring was given.
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

/** What the store records of its key: enough to find and to recognize it, nothing that reveals it. */
export interface KeyRecord {
  /** 16 hex digits, drawn with the key. */
  readonly id: string;
  readonly kind: 'keyring' | 'file';
  /** An HMAC under the key, 64 hex digits. */
  readonly check: string;
}

/** The entry of the atomic store that says which key counts. */
export const keyRecordKey = 'storage/key';

const pattern = /^\{"id":"([0-9a-f]{16})","kind":"(keyring|file)","check":"([0-9a-f]{64})"\}$/;

/** The record of a key as text: where it is kept, and how to recognize it. */
export function writeKeyRecord({ id, kind, check }: KeyRecord): string {
  return JSON.stringify({ id, kind, check });
}

/**
 * Reads the record that says where a key is kept.
 * @throws store_unreadable
 */
export function parseKeyRecord(value: string): KeyRecord {
  const [, id, kind, check] = pattern.exec(value) ?? [];
  if (id === undefined || (kind !== 'keyring' && kind !== 'file') || check === undefined) {
    throw storeError(
      'store_unreadable',
      'The record of the key is damaged: restore the whole data folder from a backup.',
    );
  }
  return { id, kind, check };
}

/** What a record keeps of its key. */
export function checkOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('artwork-mcp store key').digest('hex');
}

/** Whether `secret` is the key of the record. */
export function isKeyOfRecord(record: KeyRecord, secret: KeyObject): boolean {
  return timingSafeEqual(Buffer.from(checkOf(secret)), Buffer.from(record.check));
}

/** Keeps one secret per account. Every method rejects where the keyring can't be reached. */
export interface Keyring {
  write(account: string, secret: string): Promise<void>;
  read(account: string): Promise<string | null>;
  remove(account: string): Promise<void>;
}

/** ms: long enough for a person to unlock a keyring, short enough for a host that waits for an answer. */
const limit = 20_000;
const service = 'artwork-mcp';

// `store` is set because the package would fall back to the kernel's keyring on Linux, which the machine loses when it
// restarts. The answer is JSON.
const program = `
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const { module, service, action, account, secret } = JSON.parse(Buffer.concat(chunks).toString());
  const { Entry } = require(module);
  const entry = new Entry(service, account, { linux: { store: 'secret-service' } });
  if (action === 'write') entry.setPassword(secret);
  if (action === 'remove') entry.deleteCredential();
  const value = action === 'read' ? entry.getPassword() : null;
  process.stdout.write(JSON.stringify({ value }));
});`;

/**
 * The operating system's keyring. Each call runs in a process of its own, which is killed after 20 s: the keyring may
 * wait for a person for ever, and a native call that hangs in this process would keep it from exiting. Only that process
 * loads the package, so it costs nothing until a secret is needed.
 */
export function systemKeyring(timeout: number = limit): Keyring {
  const ask = (action: string, account: string, secret: string | null) =>
    new Promise<string | null>((resolve, reject) => {
      const child = execFile(
        process.execPath,
        ['-e', program],
        { timeout, killSignal: 'SIGKILL', windowsHide: true, maxBuffer: 64 * 1024 },
        (error, stdout) => {
          // The child's error is dropped: its output may hold the secret.
          if (error === null) resolve(answered(stdout));
          else reject(unreachable(error.killed === true));
        },
      );
      child.stdin?.on('error', () => undefined); // A child that died early is reported by its exit.
      try {
        const module = createRequire(import.meta.url).resolve('@napi-rs/keyring');
        child.stdin?.end(JSON.stringify({ module, service, action, account, secret }));
      } catch {
        // The package is optional on some platforms: without it there is no keyring.
        child.stdin?.end();
      }
    });
  return {
    async write(account, secret) {
      await ask('write', account, secret);
    },
    read: (account) => ask('read', account, null),
    async remove(account) {
      await ask('remove', account, null);
    },
  };
}

function answered(output: string): string | null {
  const answer = jsonOf(output);
  if (typeof answer !== 'object' || answer === null || !('value' in answer)) throw unreachable(false);
  if (answer.value !== null && typeof answer.value !== 'string') throw unreachable(false);
  return answer.value;
}

function unreachable(late: boolean) {
  return storeError(
    'key_unreachable',
    late ? 'The keyring did not answer in time.' : "The system's keyring can't be reached.",
  );
}
