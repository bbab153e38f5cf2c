import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { modes } from '../machine.ts';

/** Drafts lie in the folders of media servers too: the dot hides them there. */
const pattern = /^\.artwork-mcp-(\d+)-[0-9a-f-]{36}\.part$/;

/** The id of the process that writes a draft, told by the draft's name; null for what is no draft. */
export function writerOfDraft(name: string): number | null {
  const pid = pattern.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}

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
  const draft = path.join(path.dirname(file), `.artwork-mcp-${process.pid}-${randomUUID()}.part`);
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
