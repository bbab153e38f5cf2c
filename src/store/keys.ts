import { execFile } from 'node:child_process';
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { codeOf } from '../errors.ts';
import { jsonOf } from '../text.ts';
import { isStoreError, storeError } from './errors.ts';
import { createPrivateFile, readPrivateFile } from './home.ts';
import { damagedRecord, type Marks } from './kv.ts';

/** The key that seals secrets. */
export interface SealKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** Where the key is kept. */
export type KeyLocation = { readonly kind: 'keyring' } | { readonly kind: 'file'; readonly path: string };

/** What the store records of its key: enough to find and to recognize it, nothing that reveals it. */
const keyRecord = z.object({
  /** 16 hex digits. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  kind: z.enum(['keyring', 'file']),
  /** An HMAC under the key. */
  check: z.string().regex(/^[0-9a-f]{64}$/),
});
type KeyRecord = Readonly<z.output<typeof keyRecord>>;

/** The mark that says which key counts. */
const recordMark = 'storage/key';

/** Where keys come from, and where they are found again. */
export interface KeySource {
  /** A key that is kept for the store, and of which nothing is recorded so far. */
  draw(): Promise<KeyRecord>;
  /** @throws key_missing, key_unreachable, key_wrong, store_unreadable */
  fetch(record: KeyRecord): Promise<KeyObject>;
  /** Removes a key that sealed nothing. */
  discard(record: KeyRecord): Promise<void>;
  locate(record: KeyRecord): KeyLocation;
}

export type KeyHolder = ReturnType<typeof createKeyHolder>;

/** Holds the key of a store, fetched at its first use. */
export function createKeyHolder(marks: Marks, source: KeySource) {
  let held: { readonly id: string; readonly secret: Promise<KeyObject> } | null = null;
  const fetched = async (record: KeyRecord): Promise<SealKey> => {
    const asked = held?.id === record.id ? held : { id: record.id, secret: source.fetch(record) };
    held = asked;
    try {
      return { id: asked.id, secret: await asked.secret };
    } catch (error) {
      if (held === asked) held = null; // A failure is not kept: a keyring can be unlocked.
      throw error;
    }
  };
  const recorded = async () => {
    const mark = await marks.get(recordMark);
    return mark === null ? null : { record: parsed(mark.value), version: mark.version };
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
      if (!create) {
        throw storeError(
          'key_missing',
          'There is a sealed record, but the store has no key: restore the whole data folder from a backup, or connect again with --replace.',
        );
      }
      const drawn = await source.draw();
      const { won, current } = await marks.putIfAbsent(recordMark, JSON.stringify(drawn));
      if (!won) await source.discard(drawn);
      return fetched(parsed(current.value));
    },
    /** Null while the store has no key. Asks no keyring. */
    async location(): Promise<KeyLocation | null> {
      const there = await recorded();
      return there === null ? null : source.locate(there.record);
    },
    /** Takes a new key in the place of the recorded one. */
    async replace(): Promise<void> {
      const there = await recorded();
      if (there === null) return;
      const drawn = await source.draw();
      const swap = await marks.compareAndSet(recordMark, there.version, JSON.stringify(drawn));
      if (swap.outcome !== 'swapped') await source.discard(drawn);
    },
  };
}

/** @throws store_unreadable */
function parsed(text: string): KeyRecord {
  const record = keyRecord.safeParse(jsonOf(text));
  if (!record.success) throw damagedRecord();
  return record.data;
}

function checkOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('artwork-mcp store key').digest('hex');
}

function isKeyOf({ check }: KeyRecord, secret: KeyObject): boolean {
  return timingSafeEqual(Buffer.from(checkOf(secret)), Buffer.from(check));
}

/**
 * Keys of this machine: in the keyring if the key can be read back from there, else in a 0600 file. Each has its own name,
 * so that processes at their first start don't overwrite each other's.
 * @param keyring null: none is used
 */
export function machineKeys(home: string, keyring: Keyring | null): KeySource {
  const fileOf = (id: string) => path.join(home, `key-${id}`);
  const accountOf = (id: string) => `store key ${id}`;

  const isKeptInKeyring = async (id: string, text: string): Promise<boolean> => {
    if (keyring === null) return false;
    try {
      await keyring.write(accountOf(id), text);
      return (await keyring.read(accountOf(id))) === text;
    } catch {
      // There is no keyring here, or it is locked: the key goes into a file, and `status` says so.
      return false;
    }
  };

  const readKeyring = async (id: string): Promise<string> => {
    let text: string | null;
    try {
      if (keyring === null) throw storeError('key_unreachable', 'The keyring is switched off here.');
      text = await keyring.read(accountOf(id));
    } catch (error) {
      // Only our own message is repeated: another error may quote what the keyring was given.
      const why = isStoreError(error, 'key_unreachable') ? ` ${error.message}` : '';
      throw storeError(
        'key_unreachable',
        `The key of this store lies in the system's keyring, which can't be used now: unlock it, or run in the desktop session that has it, then try again.${why}`,
      );
    }
    if (text === null) throw missingKey(`"${accountOf(id)}" in the system's keyring`);
    return text;
  };

  const readKeyFile = async (id: string): Promise<string> => {
    const text = await readPrivateFile(fileOf(id));
    if (text === null) throw missingKey(fileOf(id));
    return text.trimEnd();
  };

  return {
    async draw() {
      const id = randomBytes(8).toString('hex');
      const bytes = randomBytes(32);
      const text = bytes.toString('base64url');
      const check = checkOf(createSecretKey(bytes));
      if (await isKeptInKeyring(id, text)) return { id, kind: 'keyring', check };
      await createPrivateFile(fileOf(id), `${text}\n`);
      return { id, kind: 'file', check };
    },
    async fetch(record) {
      const { id, kind } = record;
      const bytes = Buffer.from(await (kind === 'keyring' ? readKeyring(id) : readKeyFile(id)), 'base64url');
      const secret = bytes.length === 32 ? createSecretKey(bytes) : null;
      if (secret !== null && isKeyOf(record, secret)) return secret;
      throw storeError(
        'key_wrong',
        `${kind === 'keyring' ? 'The key in the keyring' : fileOf(id)} is not the one that sealed this store: restore the whole data folder from one backup.`,
      );
    },
    async discard({ id, kind }) {
      try {
        if (kind === 'file') await rm(fileOf(id), { force: true });
        else await keyring?.remove(accountOf(id));
      } catch {
        // The key stays unused where it is.
      }
    },
    locate: ({ id, kind }) => (kind === 'keyring' ? { kind } : { kind, path: fileOf(id) }),
  };
}

function missingKey(where: string) {
  return storeError(
    'key_missing',
    `${where}, the key of this store, is gone: restore it from a backup; if it is gone for good, so is the stored sign-in: connect again with --replace.`,
  );
}

/**
 * The key that the machines of a shared store have in a file each. The first that seals records which key it was; from
 * then on another one is refused.
 */
export function sharedKey(file: string): KeySource {
  return {
    async draw() {
      const check = checkOf(await readSharedKey(file));
      return { id: check.slice(0, 16), kind: 'file', check };
    },
    async fetch(record) {
      const secret = await readSharedKey(file);
      if (isKeyOf(record, secret)) return secret;
      throw storeError(
        'key_wrong',
        `${file}, which ARTWORK_STORE_KEY_FILE names, is not the key that sealed this store: copy the file from a machine that is connected; if it is lost for good, so is the stored sign-in: connect again with --replace.`,
      );
    },
    // It is the person's.
    discard: async () => {},
    locate: () => ({ kind: 'file', path: file }),
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
    if (code === null || code === 'key_wrong') throw error;
    if (code !== 'ENOENT') throw unusable(`can't be read (${code})`);
    const remedy = 'copy it from a machine that has it';
    throw storeError('key_missing', `${file}, which ARTWORK_STORE_KEY_FILE names, is not there: ${remedy}.`);
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
