import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.ts';
import { readWhole } from './read-whole.ts';
import { writeOnce } from './write-once.ts';

/** Who a data folder is. The secret never leaves the folder: only proofs made with it do. */
export interface Identity {
  readonly dataId: string;
  /**
   * HMAC-SHA256 over the purpose and the facts, in hex. The purpose keeps a proof made for one request
   * from being shown for another.
   */
  prove(purpose: Purpose, facts: readonly string[]): string;
  /** Compares in a time that tells nothing. */
  isProof(given: string, purpose: Purpose, facts: readonly string[]): boolean;
}

/** `connection`: as `hello`, but worth something on the one TCP connection that it was made for. */
export type Purpose = 'hello' | 'connection' | 'stop';

/** The file in a data folder (mode 0600) that holds its id and its secret. */
function identityFile(dataDir: string): string {
  return path.join(dataDir, 'identity.json');
}

/**
 * The identity of a data folder, or null when it has none yet.
 * @throws SandboxError when the file is not what was once written there.
 */
export async function storedIdentity(dataDir: string): Promise<Identity | null> {
  const file = identityFile(dataDir);
  const text = await readWhole(file);
  if (text === null) return null;
  const found = parse(text);
  if (found === null) {
    throw new SandboxError(
      `${file} is damaged. Stop the embedded catalogue of this folder, delete that file and start again.`,
    );
  }
  if (process.platform !== 'win32') await chmod(file, 0o600);
  return identity(found.dataId, found.secret);
}

/** The identity of a data folder, drawn at the first start and the same ever after. */
export async function settleIdentity(dataDir: string): Promise<Identity> {
  const known = await storedIdentity(dataDir);
  if (known !== null) return known;
  const fresh = { dataId: randomUUID(), secret: randomBytes(32).toString('hex') };
  await writeOnce(identityFile(dataDir), `${JSON.stringify(fresh)}\n`);
  const settled = await storedIdentity(dataDir);
  if (settled === null)
    throw new SandboxError(`${identityFile(dataDir)} was removed while it was read. Try again.`);
  return settled;
}

function identity(dataId: string, secret: string): Identity {
  const digest = (purpose: string, facts: readonly string[]) =>
    createHmac('sha256', Buffer.from(secret, 'hex'))
      .update(JSON.stringify([purpose, dataId, ...facts]))
      .digest();
  return {
    dataId,
    prove: (purpose, facts) => digest(purpose, facts).toString('hex'),
    isProof(given, purpose, facts) {
      const expected = digest(purpose, facts);
      const bytes = Buffer.from(given, 'hex');
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    },
  };
}

function parse(text: string): { dataId: string; secret: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof value !== 'object' || value === null || !('dataId' in value) || !('secret' in value))
    return null;
  const { dataId, secret } = value;
  if (typeof dataId !== 'string' || !/^[0-9a-f-]{36}$/.test(dataId)) return null;
  if (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret)) return null;
  return { dataId, secret };
}
