import { execFile } from 'node:child_process';
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { codeOf } from '../errors.ts';
import { jsonOf } from '../text.ts';
import { isStoreError, storeError } from './errors.ts';
import { createPrivateFile, readPrivateFile } from './home.ts';
import type { Marks } from './kv.ts';

/** The key that seals secrets. */
export interface SealKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** Where the key is kept. */
export type KeyLocation = { readonly kind: 'keyring' } | { readonly kind: 'file'; readonly path: string };

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

/** What the store records of its key: enough to find and to recognize it, nothing that reveals it. */
interface KeyRecord {
  /** 16 hex digits, drawn with the key. */
  readonly id: string;
  readonly kind: 'keyring' | 'file';
  /** An HMAC under the key, 64 hex digits. */
  readonly check: string;
}

/** The mark that says which key counts. */
const recordMark = 'storage/key';

const recordPattern = /^\{"id":"([0-9a-f]{16})","kind":"(keyring|file)","check":"([0-9a-f]{64})"\}$/;

function written({ id, kind, check }: KeyRecord): string {
  return JSON.stringify({ id, kind, check });
}

function parsed(value: string): KeyRecord {
  const [, id, kind, check] = recordPattern.exec(value) ?? [];
  if (id === undefined || (kind !== 'keyring' && kind !== 'file') || check === undefined) {
    throw storeError(
      'store_unreadable',
      'The record of the key is damaged: restore the whole data folder from a backup.',
    );
  }
  return { id, kind, check };
}

function checkOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('artwork-mcp store key').digest('hex');
}

function isKeyOf({ check }: KeyRecord, secret: KeyObject): boolean {
  return timingSafeEqual(Buffer.from(checkOf(secret)), Buffer.from(check));
}

/** The two places where this machine can keep a key. */
interface KeyPlaces {
  readonly home: string;
  /** null: none is used. */
  readonly keyring: Keyring | null;
}

/** Holds the key of this machine, fetched at its first use. */
export function keyHolder(marks: Marks, places: KeyPlaces): KeyHolder {
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
      const mark = await marks.get(recordMark);
      if (mark !== null) return fetched(parsed(mark.value));
      if (!create) {
        throw storeError(
          'key_missing',
          'There is a sealed record, but the store has no key: restore the whole data folder from a backup, or connect again with --replace.',
        );
      }
      const drawn = await keepNewKey(places);
      const { won, current } = await marks.putIfAbsent(recordMark, written(drawn));
      if (!won) await removeUnusedKey(places, drawn);
      return fetched(parsed(current.value));
    },
    async location() {
      const mark = await marks.get(recordMark);
      if (mark === null) return null;
      const { id, kind } = parsed(mark.value);
      return kind === 'keyring' ? { kind } : { kind, path: keyFile(places.home, id) };
    },
    async replace() {
      const mark = await marks.get(recordMark);
      if (mark === null) return;
      const drawn = await keepNewKey(places);
      const swap = await marks.compareAndSet(recordMark, mark.version, written(drawn));
      if (swap.outcome !== 'swapped') await removeUnusedKey(places, drawn);
    },
  };
}

/**
 * Draws a key and keeps it: in the keyring if the key can be read back from there, else in a 0600 file. Each key has its
 * own name, so that processes at their first start don't overwrite each other's.
 */
async function keepNewKey({ home, keyring }: KeyPlaces): Promise<KeyRecord> {
  const id = randomBytes(8).toString('hex');
  const bytes = randomBytes(32);
  const text = bytes.toString('base64url');
  const check = checkOf(createSecretKey(bytes));
  if (keyring !== null && (await keptInKeyring(keyring, id, text))) return { id, kind: 'keyring', check };
  await createPrivateFile(keyFile(home, id), `${text}\n`);
  return { id, kind: 'file', check };
}

/** Removes a key that sealed nothing. */
async function removeUnusedKey({ home, keyring }: KeyPlaces, { id, kind }: KeyRecord): Promise<void> {
  try {
    if (kind === 'file') await rm(keyFile(home, id), { force: true });
    else await keyring?.remove(account(id));
  } catch {
    // The key stays unused where it is.
  }
}

async function fetchKey({ home, keyring }: KeyPlaces, record: KeyRecord): Promise<KeyObject> {
  const inKeyring = record.kind === 'keyring';
  const file = keyFile(home, record.id);
  const text = inKeyring ? await fromKeyring(keyring, record.id) : await fromFile(file);
  const bytes = Buffer.from(text, 'base64url');
  const secret = bytes.length === 32 ? createSecretKey(bytes) : null;
  if (secret === null || !isKeyOf(record, secret)) {
    throw storeError(
      'key_wrong',
      `${inKeyring ? 'The key in the keyring' : file} is not the one that sealed this store: restore the whole data folder from one backup.`,
    );
  }
  return secret;
}

function keyFile(home: string, id: string): string {
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

/**
 * Holds the key that the machines of a shared store have in a file each. The first that seals records which key it was;
 * from then on another one is refused.
 */
export function sharedKeyHolder(marks: Marks, file: string): KeyHolder {
  const recordOf = (secret: KeyObject): KeyRecord => {
    const check = checkOf(secret);
    return { id: check.slice(0, 16), kind: 'file', check };
  };
  return {
    async key(create) {
      const secret = await readSharedKey(file);
      const own = recordOf(secret);
      const mark = create
        ? (await marks.putIfAbsent(recordMark, written(own))).current
        : await marks.get(recordMark);
      if (mark !== null && isKeyOf(parsed(mark.value), secret)) return { id: own.id, secret };
      throw storeError(
        'key_wrong',
        `${file}, which ARTWORK_STORE_KEY_FILE names, is not the key that sealed this store: copy the file from a machine that is connected; if it is lost for good, so is the stored sign-in: connect again with --replace.`,
      );
    },
    location: async () => ((await marks.get(recordMark)) === null ? null : { kind: 'file', path: file }),
    async replace() {
      const mark = await marks.get(recordMark);
      const value = written(recordOf(await readSharedKey(file)));
      if (mark !== null) await marks.compareAndSet(recordMark, mark.version, value);
    },
  };
}

async function readSharedKey(file: string): Promise<KeyObject> {
  const unusable = (what: string) =>
    storeError(
      'key_wrong',
      `ARTWORK_STORE_KEY_FILE: the file ${what}: make one with openssl rand -base64 32, and give the same to every machine.`,
    );
  let text: string;
  try {
    // A pipe may never come to an end.
    if (!(await stat(file)).isFile()) throw unusable('is no regular file');
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') {
      throw storeError(
        'key_missing',
        `${file}, which ARTWORK_STORE_KEY_FILE names, is not there: copy it from a machine that has it.`,
      );
    }
    throw code === null || code === 'key_wrong' ? error : unusable(`can't be read (${code})`);
  }
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) throw unusable('holds no key of 32 bytes in base64');
  return createSecretKey(Buffer.from(text, 'base64'));
}

/** Keeps one secret per account. Every method rejects where the keyring can't be reached. */
export interface Keyring {
  write(account: string, secret: string): Promise<void>;
  read(account: string): Promise<string | null>;
  remove(account: string): Promise<void>;
}

// `store` is set because the package would fall back to the kernel's keyring on Linux, which the machine loses when it
// restarts. The answer is JSON.
const program = `
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const { module, action, account, secret } = JSON.parse(Buffer.concat(chunks).toString());
  const { Entry } = require(module);
  const entry = new Entry('artwork-mcp', account, { linux: { store: 'secret-service' } });
  if (action === 'write') entry.setPassword(secret);
  if (action === 'remove') entry.deleteCredential();
  const value = action === 'read' ? entry.getPassword() : null;
  process.stdout.write(JSON.stringify({ value }));
});`;

/**
 * The operating system's keyring. Each call runs in a process of its own, which is killed after `timeout` ms: the keyring
 * may wait for a person for ever, and a native call that hangs in this process would keep it from exiting. Only that
 * process loads the package, so it costs nothing until a secret is needed.
 */
export function systemKeyring(timeout = 20_000): Keyring {
  const ask = (action: string, account: string, secret: string | null) =>
    new Promise<string | null>((resolve, reject) => {
      const child = execFile(
        process.execPath,
        ['-e', program],
        { timeout, killSignal: 'SIGKILL', windowsHide: true, maxBuffer: 64 * 1024 },
        (error, stdout) => {
          // The child's error is dropped: its output may hold the secret.
          const value = error === null ? answered(stdout) : undefined;
          if (value !== undefined) resolve(value);
          else reject(unreachableKeyring(error?.killed === true));
        },
      );
      child.stdin?.on('error', () => undefined); // A child that died early is reported by its exit.
      try {
        const module = createRequire(import.meta.url).resolve('@napi-rs/keyring');
        child.stdin?.end(JSON.stringify({ module, action, account, secret }));
      } catch {
        // The package is optional on some platforms: without it there is no keyring.
        child.stdin?.end();
      }
    });
  return {
    write: async (account, secret) => void (await ask('write', account, secret)),
    read: (account) => ask('read', account, null),
    remove: async (account) => void (await ask('remove', account, null)),
  };
}

/** Undefined for what is no answer. */
function answered(output: string): string | null | undefined {
  const answer = jsonOf(output);
  if (typeof answer !== 'object' || answer === null || !('value' in answer)) return undefined;
  return answer.value === null || typeof answer.value === 'string' ? answer.value : undefined;
}

function unreachableKeyring(late: boolean) {
  return storeError(
    'key_unreachable',
    late ? 'The keyring did not answer in time.' : "The system's keyring can't be reached.",
  );
}
