import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import { layout } from '../store.ts';

/** The only address that the catalogue listens on. */
export const loopback = '127.0.0.1';

/** What distinguishes a data folder, for good: its id, and the port of its catalogue. */
export interface FolderIdentity {
  readonly id: string;
  readonly port: number;
}

/** The folder in a data directory (`ARTWORK_HOME`) where the embedded catalogue stores everything. */
export function dataFolder(home: string): string {
  // Versions with different tables or rows never open the same folder.
  return path.join(path.resolve(home), `sandbox-${layout}`);
}

export const unusablePort = 'The port must be a number from 1024 to 65535.';

export function isUsablePort(port: number): boolean {
  return Number.isInteger(port) && port >= 1024 && port <= 65_535;
}

/**
 * Opens a data folder for its owner alone. The first time an identity is drawn for it, with `wanted` or a free port; of
 * several first starters one draws and the others read.
 * @throws SandboxError when the folder can't be used, or has another port than `wanted`
 */
export async function openFolder(dataDir: string, wanted: number | null = null): Promise<FolderIdentity> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // Fails where it is another user's. Windows knows no such owner; there the folder above keeps others out.
    if (process.platform !== 'win32') await chmod(dataDir, 0o700);
    let folder = await storedFolder(dataDir);
    if (folder === null) {
      const drawn = { id: randomUUID(), port: wanted ?? (await pickPort()) };
      await writeOnce(identityFile(dataDir), `${JSON.stringify(drawn)}\n`);
      folder = await storedFolder(dataDir);
    }
    if (folder === null) throw new SandboxError(`${identityFile(dataDir)} was removed while it was read.`);
    if (wanted === null || wanted === folder.port) return folder;
    throw new SandboxError(
      `The data folder ${dataDir} has the port ${folder.port}, so that addresses stay the same. Leave out --port, or choose another folder.`,
    );
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    const advice = 'Make it a folder that you can write, or choose another one (ARTWORK_HOME, or --data).';
    throw new SandboxError(`The data folder ${dataDir} can't be used (${code}). ${advice}`);
  }
}

const identitySchema = z.object({ id: z.uuid(), port: z.int().refine(isUsablePort) });

/**
 * The identity of a data folder, null where it has none yet.
 * @throws SandboxError when it is damaged
 */
export async function storedFolder(dataDir: string): Promise<FolderIdentity | null> {
  const file = identityFile(dataDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    return identitySchema.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
    throw new SandboxError(
      `${file} is damaged. Stop the embedded catalogue of this folder, delete that file and start again; then connect anew.`,
    );
  }
}

function identityFile(dataDir: string): string {
  return path.join(dataDir, 'folder.json');
}

/** Below the range that systems hand out for outgoing connections, and free at this moment. */
async function pickPort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    try {
      server.listen(port, loopback);
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (systemCode(error) !== 'EADDRINUSE' && systemCode(error) !== 'EACCES') throw error;
    } finally {
      server.close();
    }
  }
  throw new SandboxError('No free port was found for the embedded catalogue.');
}

/** Creates a file (mode 0600), whole or not at all. Of several processes that try at once one wins. */
async function writeOnce(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
