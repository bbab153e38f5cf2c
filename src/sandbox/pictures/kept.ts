import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../folder.ts';
import { writeOnce } from '../process/write-once.ts';
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
  await makeFolder(path.dirname(file));
  // Where another process was faster, its picture is the one that stays.
  return (await writeOnce(file, drawn)) ? drawn : ((await readKept(file)) ?? drawn);
}

async function readKept(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
