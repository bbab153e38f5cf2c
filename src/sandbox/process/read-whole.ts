import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode, unusable } from '../sandbox-error.ts';

/**
 * Reads a file that another process may be writing at this moment: our files end with a line feed, and one
 * that doesn't is read again for a while before it is taken as it is.
 * @returns null when there is no such file.
 * @throws SandboxError when it can't be read.
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
