import { access, constants, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { machine } from './machine.ts';
import { SandboxError, systemCode } from './sandbox-error.ts';

/**
 * Increased with every change to the layout of a data folder or to its seed. It is part of the folder's name,
 * so that two installed versions with different layouts never open the same folder.
 */
export const schemaNumber = 1;

/** The folder in a data directory (`ARTWORK_HOME`) where the embedded catalogue stores everything. */
export function dataFolder(home: string): string {
  return path.join(path.resolve(home), `sandbox-${schemaNumber}`);
}

/**
 * Creates the folder when it is missing, and allows only its owner to enter it (mode 0700).
 * @throws SandboxError when the folder can't be created or written, is no folder, or belongs to another user.
 */
export async function openDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    const found = await stat(dataDir);
    if (!found.isDirectory()) throw new SandboxError(`${dataDir} is not a folder. ${folderAdvice}`);
    if (machine.isForeign(found)) {
      throw new SandboxError(`The data folder ${dataDir} belongs to another user. ${folderAdvice}`);
    }
    if ((found.mode & 0o077) !== 0) await machine.makePrivate(dataDir, 0o700);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    throw new SandboxError(`The data folder ${dataDir} can't be written (${code}). ${folderAdvice}`);
  }
}

const folderAdvice = 'Make it a folder that you can write, or choose another one (ARTWORK_HOME, or --data).';

/**
 * Creates a folder (mode 0700) and its missing parents. Node's own recursive `mkdir` never ends in a folder
 * that exists but takes no new one, such as `/proc`.
 * @throws the system's error; not when something of that name exists, even if it is no folder.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeSingleFolder(folder);
  } catch (error) {
    const above = path.dirname(folder);
    if (systemCode(error) !== 'ENOENT' || above === folder) throw error;
    await makeFolder(above);
    await makeSingleFolder(folder);
  }
}

async function makeSingleFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}
