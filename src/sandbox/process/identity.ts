import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import { parseJson, readWhole, writeOnce } from '../files.ts';
import { machine } from '../machine.ts';
import { SandboxError } from '../sandbox-error.ts';

/** The identity of a data folder. The secret never leaves the folder: only proofs made with it do. */
export interface FolderIdentity {
  readonly dataId: string;
  /**
   * HMAC-SHA256 of the purpose and the facts, in hex. With the purpose, a proof for one request can't be used
   * for another.
   */
  prove(purpose: ProofPurpose, facts: readonly string[]): string;
  /** Compares in constant time. */
  isProof(given: string, purpose: ProofPurpose, facts: readonly string[]): boolean;
}

/**
 * `join`: that a server which can read this folder is about to use the catalogue. `sign-in`: that a program which can
 * read this folder has sent a browser.
 */
type ProofPurpose = 'hello' | 'join' | 'stop' | 'sign-in';

/** The file in a data folder (mode 0600) that holds its id and its secret. */
function identityFile(dataDir: string): string {
  return path.join(dataDir, 'identity.json');
}

/**
 * The identity of a data folder, or null when it has none yet.
 * @throws SandboxError when the file is damaged.
 */
export async function storedIdentity(dataDir: string): Promise<FolderIdentity | null> {
  const file = identityFile(dataDir);
  const text = await readWhole(file);
  if (text === null) return null;
  const found = parse(text);
  if (found === null) {
    throw new SandboxError(
      `${file} is damaged. Stop the embedded catalogue of this folder, delete that file and start again.`,
    );
  }
  await machine.makePrivate(file, 0o600);
  return identity(found.dataId, found.secret);
}

/** The identity of a data folder, drawn at the first start. */
export async function ensureIdentity(dataDir: string): Promise<FolderIdentity> {
  const known = await storedIdentity(dataDir);
  if (known !== null) return known;
  const fresh = { dataId: randomUUID(), secret: randomBytes(32).toString('hex') };
  await writeOnce(identityFile(dataDir), `${JSON.stringify(fresh)}\n`);
  const settled = await storedIdentity(dataDir);
  if (settled === null)
    throw new SandboxError(`${identityFile(dataDir)} was removed while it was read. Try again.`);
  return settled;
}

function identity(dataId: string, secret: string): FolderIdentity {
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
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || !('dataId' in value) || !('secret' in value))
    return null;
  const { dataId, secret } = value;
  if (typeof dataId !== 'string' || !/^[0-9a-f-]{36}$/.test(dataId)) return null;
  if (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret)) return null;
  return { dataId, secret };
}
