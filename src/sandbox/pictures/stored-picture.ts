import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../data-folder.ts';
import { writeOnce } from '../files.ts';
import { systemCode } from '../sandbox-error.ts';

const drawing = new Map<string, Promise<Buffer>>();

/**
 * The picture stored under a key; where there is none yet, it is drawn and stored. Requests during a drawing
 * in this process wait for it. Other processes may draw it too: each creates a whole file, so that no reader
 * sees a part of one. A drawing that fails stores nothing.
 * @param folder created when it is missing
 * @param key lower-case letters, digits, `.`, `_` and `-`, starting with a letter or a digit; such a name
 *   can't leave the folder, and means the same file on every file system
 * @throws RangeError for any other key; any error of `draw` or the file system
 */
export async function storedPicture(
  folder: string,
  key: string,
  draw: () => Promise<Buffer>,
): Promise<Buffer> {
  if (!isKey(key)) throw new RangeError('A picture is kept under a plain lower-case file name.');
  const file = path.resolve(folder, key);
  const running = drawing.get(file);
  if (running !== undefined) return running;
  const found = readOrDraw(file, draw).finally(() => drawing.delete(file));
  drawing.set(file, found);
  return found;
}

function isKey(key: string): boolean {
  // Windows reserves the names of its devices, and drops a final dot.
  return (
    /^[a-z0-9][a-z0-9._-]{0,199}$/.test(key) &&
    !key.endsWith('.') &&
    !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(key)
  );
}

async function readOrDraw(file: string, draw: () => Promise<Buffer>): Promise<Buffer> {
  const kept = await readStored(file);
  if (kept !== null) return kept;
  const drawn = await draw();
  await makeFolder(path.dirname(file));
  // When another process was faster, its picture stays.
  return (await writeOnce(file, drawn)) ? drawn : ((await readStored(file)) ?? drawn);
}

async function readStored(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
