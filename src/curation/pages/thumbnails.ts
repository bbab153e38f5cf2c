import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { makePrivateFolder } from '../../blobs/private-folder.ts';
import { ArtworkError } from '../../errors.ts';
import { prepareHome } from '../../storage/home.ts';
import { codeOf, fileFailureError } from '../../storage/store-error.ts';
import type { EmbeddedPicture, KeptThumbnails } from './embed.ts';

/** The frame that an animated Asset shows can be chosen anew, so none is kept for long. ms */
export const thumbnailsKeptForMs = 24 * 60 * 60_000;
/** Bytes of all that are kept; the oldest go first. */
const mostThumbnailBytes = 64 * 1024 * 1024;

const ours = /^[0-9a-f]{64}\.thumbnail$/;
const draft = /^[0-9a-f-]{36}\.part$/;
const pixels = z.int().min(1).max(100_000);
const header = z.strictObject({
  width: pixels,
  height: pixels,
  transparent: z.boolean(),
  original: z.strictObject({ width: pixels, height: pixels }),
  sha256: z.string(),
});

/**
 * Opens what is kept below the data directory, in `pages/thumbnails` (folder 0700, files 0600), and takes away what is
 * too old or too much.
 * @param origin whose pictures they are: an Asset path alone names none
 * @throws ArtworkError `internal` (`store_full`, `store_unreadable`, `home_not_private`)
 */
export async function openThumbnails(
  home: string,
  origin: string,
  now: number,
  mostBytes: number = mostThumbnailBytes,
): Promise<KeptThumbnails> {
  const pages = path.join(home, 'pages');
  const folder = path.join(pages, 'thumbnails');
  const named = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw error instanceof ArtworkError ? error : fileFailureError(folder, error);
    });
  await prepareHome(home);
  await named(makePrivateFolder(pages).then(() => makePrivateFolder(folder)));
  await named(sweep(folder, now, mostBytes));
  // What it is a picture of is no file name: the digest of its name is.
  const fileOf = (picture: string, box: number) =>
    path.join(folder, `${digestOf(JSON.stringify([origin, picture, box]))}.thumbnail`);

  return {
    find: (picture, box) => named(read(fileOf(picture, box))),
    keep: (picture, box, embedded) => named(write(folder, fileOf(picture, box), embedded)),
  };
}

const prefix = 'data:image/webp;base64,';

/** What is not as it was written is none: the picture is read again. */
async function read(file: string): Promise<EmbeddedPicture | null> {
  let content: Buffer;
  try {
    if (!(await lstat(file)).isFile()) return null;
    content = await readFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  const end = content.indexOf('\n');
  const bytes = content.subarray(end + 1);
  try {
    const { sha256, ...rest } = header.parse(JSON.parse(content.toString('utf8', 0, Math.max(0, end))));
    return sha256 === digestOf(bytes) ? { dataUri: prefix + bytes.toString('base64'), ...rest } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Whole or not at all; not synced, since what is lost is made again. */
async function write(folder: string, file: string, { dataUri, ...rest }: EmbeddedPicture): Promise<void> {
  const bytes = Buffer.from(dataUri.slice(prefix.length), 'base64');
  const head = Buffer.from(`${JSON.stringify({ ...rest, sha256: digestOf(bytes) })}\n`);
  const part = path.join(folder, `${randomUUID()}.part`);
  try {
    await writeFile(part, Buffer.concat([head, bytes]), { mode: 0o600, flag: 'wx' });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Only what has a name of ours is ever taken away; another process may have been faster. */
async function sweep(folder: string, now: number, mostBytes: number): Promise<void> {
  const kept: { file: string; at: number; bytes: number }[] = [];
  for (const name of await readdir(folder)) {
    if (!ours.test(name) && !draft.test(name)) continue;
    const file = path.join(folder, name);
    try {
      const { mtimeMs, size } = await lstat(file);
      kept.push({ file, at: mtimeMs, bytes: size });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  let room = mostBytes;
  for (const { file, at, bytes } of kept.sort((one, other) => other.at - one.at)) {
    room -= bytes;
    if (room < 0 || now - at > thumbnailsKeptForMs) await rm(file, { force: true });
  }
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
