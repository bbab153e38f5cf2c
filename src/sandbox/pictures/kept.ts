import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../sandbox-error.ts';

const drawing = new Map<string, Promise<Buffer>>();

/**
 * The picture kept under a key; where there is none yet, it is drawn and kept. Requests that arrive while
 * it is being drawn in this process wait for that drawing. Other processes may draw it too: each puts a
 * whole file in place, so that no reader ever sees a part of one. A drawing that fails keeps nothing.
 * @param folder made when it is missing
 * @param key lower-case letters, digits, `.`, `_` and `-`, starting with a letter or a digit; such a name
 *   can't leave the folder, and means the same file on every file system
 * @throws RangeError for any other key; whatever `draw` or the file system throws
 */
export async function keptPicture(folder: string, key: string, draw: () => Promise<Buffer>): Promise<Buffer> {
  if (!isKey(key)) throw new RangeError('A picture is kept under a plain lower-case file name.');
  const file = path.resolve(folder, key);
  const underWay = drawing.get(file);
  if (underWay !== undefined) return underWay;
  const found = readOrDraw(file, draw).finally(() => drawing.delete(file));
  drawing.set(file, found);
  return found;
}

function isKey(key: string): boolean {
  // Windows keeps the names of its devices to itself, and drops a final dot.
  return (
    /^[a-z0-9][a-z0-9._-]{0,199}$/.test(key) &&
    !key.endsWith('.') &&
    !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(key)
  );
}

async function readOrDraw(file: string, draw: () => Promise<Buffer>): Promise<Buffer> {
  const kept = await readKept(file);
  if (kept !== null) return kept;
  const drawn = await draw();
  return keep(file, drawn);
}

async function readKept(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function keep(file: string, bytes: Buffer): Promise<Buffer> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // A dot in front: no key can name a file that is still being written.
  const part = path.join(path.dirname(file), `.${randomUUID()}.part`);
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      // Else a power cut could leave the name without its content.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
    return bytes;
  } catch (error) {
    await rm(part, { force: true });
    // Windows refuses to replace a file that somebody reads: then another process has kept it already.
    const kept = ['EPERM', 'EACCES'].includes(systemCode(error) ?? '') ? await readKept(file) : null;
    if (kept !== null) return kept;
    throw error;
  }
}
