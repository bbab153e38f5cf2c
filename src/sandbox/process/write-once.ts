import { randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, unusable } from '../sandbox-error.ts';

/**
 * Writes a file that nobody has written yet, mode 0600, whole or not at all. Of several processes that try
 * at once, one gets `true`; the others get `false` and find the winner's file.
 * @throws SandboxError when it can't be written.
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

/** What file systems without hard links answer (FAT, some network shares). */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

/** Still one winner, but for a moment readers can see a file that is not whole. */
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
    // Else a power cut could leave the name without its content.
    await handle.sync();
  } finally {
    await handle.close();
  }
}
