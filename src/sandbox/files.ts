import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode, unusable } from './sandbox-error.ts';

/**
 * Reads a file that another process may be writing. Our files end with a line feed; one without it is read
 * again for a while before it is returned as it is.
 * @returns null when there is no such file.
 * @throws SandboxError when the file can't be read.
 */
export async function readWhole(file: string): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw unusable(file, error);
    }
    if (text.endsWith('\n') || attempt === 20) return text;
    await sleep(20);
  }
}

/**
 * Creates a file (mode 0600), whole or not at all. Of several processes that try at once one gets `true`; the
 * others get `false` and find that one's file.
 * @throws SandboxError when the file can't be written.
 */
export async function writeOnce(file: string, content: string | Buffer): Promise<boolean> {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(8).toString('hex')}`);
  try {
    await writeNew(draft, content);
    await link(draft, file);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    if (code === null || !withoutLinks.has(code)) throw unusable(file, error);
  } finally {
    await rm(draft, { force: true });
  }
  return writeInPlace(file, content);
}

/** The errors of file systems without hard links (FAT, some network shares). */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

/** One process still wins, but readers can see an incomplete file for a moment. */
async function writeInPlace(file: string, content: string | Buffer): Promise<boolean> {
  try {
    await writeNew(file, content);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw unusable(file, error);
  }
}

async function writeNew(file: string, content: string | Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    // Otherwise a power cut could leave the name without the content.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The value of a JSON text; undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
