import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { SandboxError, systemCode } from './sandbox-error.ts';
import { schemaNumber } from './store/schema-number.ts';

/** Where the embedded catalogue of a data directory (`ARTWORK_HOME`) keeps everything it has. */
export function dataFolder(home: string): string {
  return path.join(path.resolve(home), `sandbox-${schemaNumber}`);
}

/**
 * Makes the folder where it is missing, and sees to it that only its owner can enter (mode 0700).
 * @throws SandboxError when the folder can't be made, isn't a folder, isn't ours or can't be written.
 */
export async function openFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    const found = await stat(dataDir);
    if (!found.isDirectory()) throw new SandboxError(`${dataDir} is not a folder. ${elsewhere}`);
    // Windows has no such owner or mode: there a folder inherits the access list of its parent.
    if (process.getuid !== undefined) {
      if (found.uid !== process.getuid()) {
        throw new SandboxError(`The data folder ${dataDir} belongs to another user. ${elsewhere}`);
      }
      if ((found.mode & 0o077) !== 0) await chmod(dataDir, 0o700);
    }
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    throw new SandboxError(`The data folder ${dataDir} can't be written (${code}). ${elsewhere}`);
  }
}

const elsewhere = 'Make it a folder that you can write, or choose another one (ARTWORK_HOME, or --data).';

/**
 * Makes a folder (mode 0700) where it is missing, and those above it, one after the other: Node's own
 * recursive `mkdir` never ends in a folder that is there and yet takes no new one, such as `/proc`.
 * @throws the system's error; where something of that name is there, none, even if it is no folder.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    const above = path.dirname(folder);
    if (systemCode(error) !== 'ENOENT' || above === folder) throw error;
    await makeFolder(above);
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
