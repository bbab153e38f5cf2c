import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { codeOf } from '../errors.ts';
import type { AtomicStore } from './atomic-store.ts';
import { checkOf, isKeyOfRecord, keyRecordKey, parseKeyRecord, writeKeyRecord } from './keyring.ts';
import type { KeyHolder } from './key-holder.ts';
import { storeError } from './store-error.ts';

/**
 * Holds the key that the machines of a shared store have in a file each. The first that seals records which key it was;
 * from then on another one is refused.
 */
export function createSharedKeyHolder(atomic: AtomicStore, file: string): KeyHolder {
  const recordOf = (secret: KeyObject) => {
    const check = checkOf(secret);
    return { id: check.slice(0, 16), kind: 'file' as const, check };
  };
  return {
    async key(create) {
      const secret = await readKey(file);
      const own = recordOf(secret);
      const entry = create
        ? (await atomic.putIfAbsent(keyRecordKey, writeKeyRecord(own))).current
        : await atomic.get(keyRecordKey);
      if (entry === null || !isKeyOfRecord(parseKeyRecord(entry.value), secret)) throw otherKey(file);
      return { id: own.id, secret };
    },
    async location() {
      return (await atomic.get(keyRecordKey)) === null ? null : { kind: 'file', path: file };
    },
    async replace() {
      const entry = await atomic.get(keyRecordKey);
      const value = writeKeyRecord(recordOf(await readKey(file)));
      if (entry !== null) await atomic.compareAndSet(keyRecordKey, entry.version, value);
    },
  };
}

const base64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** @throws key_missing, key_wrong */
async function readKey(file: string): Promise<KeyObject> {
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
  if (!base64.test(text)) throw unusable('holds no key of 32 bytes in base64');
  return createSecretKey(Buffer.from(text, 'base64'));
}

function unusable(what: string) {
  return storeError(
    'key_wrong',
    `ARTWORK_STORE_KEY_FILE: the file ${what}: make one with openssl rand -base64 32, and give the same to every machine.`,
  );
}

function otherKey(file: string) {
  return storeError(
    'key_wrong',
    `${file}, which ARTWORK_STORE_KEY_FILE names, is not the key that sealed this store: copy the file from a machine that is connected; if it is lost for good, so is the stored sign-in: connect again with --replace.`,
  );
}
