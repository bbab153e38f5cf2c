import { randomUUID } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { nullOn } from '../errors.ts';
import { modes } from '../machine.ts';

/** Drafts lie in the folders of media servers too: the dot hides them there. */
const draftName = /^\.artwork-mcp-[0-9a-f-]{36}\.part$/;

/** A draft that nobody has written to for so long was left by a writer that was killed. ms */
const draftKeptForMs = 3_600_000;

/**
 * Gives a file its content by way of a draft beside it, so that it is whole or not there at all. No draft stays, unless
 * the process is killed; then `sweepFolder` takes it away.
 * @param write makes the draft, which must not be there yet, and has its bytes on the disk when it resolves
 * @param name gives the draft the name of the file
 */
export async function writeByDraft<Named>(
  file: string,
  write: (draft: string) => Promise<void>,
  name: (draft: string, file: string) => Promise<Named>,
): Promise<Named> {
  const draft = path.join(path.dirname(file), `.artwork-mcp-${randomUUID()}.part`);
  try {
    await write(draft);
    return await name(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes a private file (0600) in the place of what has its name: whole, on the disk, and under its name there. */
export async function replaceFile(file: string, content: string | Buffer): Promise<void> {
  await writeByDraft(file, (draft) => writeNewFile(draft, content), rename);
  await modes.syncFolder(path.dirname(file));
}

/**
 * Writes a file that is not there yet, its bytes on the disk when the promise resolves. What can't be written whole is
 * removed again.
 * @throws the system's own error; EEXIST where something has the name
 */
export async function writeNewFile(file: string, content: string | Buffer, mode = 0o600): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Takes away the drafts that killed writers left in a folder, and the files there that are too old.
 * @param forMs how long a file of this name is kept after it was written last, ms; null: it is not ours, and stays
 */
export async function sweepFolder(
  folder: string,
  forMs: (name: string) => number | null = () => null,
): Promise<void> {
  for (const name of await namesIn(folder)) {
    const limit = draftName.test(name) ? draftKeptForMs : forMs(name);
    if (limit === null) continue;
    const file = path.join(folder, name);
    // Another process may have been faster.
    const status = await nullOn('ENOENT', lstat(file));
    if (status?.isFile() === true && Date.now() - status.mtimeMs > limit) await rm(file, { force: true });
  }
}

/** The names of all that lies in a folder; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await nullOn('ENOENT', readdir(folder))) ?? [];
}
