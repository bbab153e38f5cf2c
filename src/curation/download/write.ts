import { createHash } from 'node:crypto';
import { lstat, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, nullOn } from '../../errors.ts';
import type { ImageFormat } from '../../files/decode.ts';
import { modes, nameKey } from '../../machine.ts';
import { namesIn, writeByDraft, writeNewFile } from '../../store/draft.ts';
import type { Manifest, WrittenFile } from './manifest.ts';
import { type DownloadRoot, requireUnmoved } from './root.ts';

/** What became of a file that was to be written. */
export type Written =
  | { readonly state: 'written' | 'present'; readonly name: string }
  /** `keptAt`: where files of other programs that were there lie now. */
  | { readonly state: 'replaced'; readonly name: string; readonly keptAt: readonly string[] }
  | { readonly state: 'left_alone'; readonly name: string; readonly why: WhyLeft };

/** `not_ours`: another program wrote it, or somebody changed it. `unnamed`: no dry run has named it as it is now. */
type WhyLeft = 'not_ours' | 'unnamed' | /** One that was asked for later has its place. */ 'later_download';

/** A file that has the place of a picture. */
export interface Standing {
  readonly path: string;
  readonly name: string;
  /** Its path below the root, with `/`. */
  readonly key: string;
  /** Null for what is no plain file, or can't be read. */
  readonly digest: string | null;
  /** We wrote it, and nobody has changed it. */
  readonly isOurs: boolean;
}

/** Bytes that a disk keeps free beside what is written. */
const reserve = 32 * 1024 * 1024;
const pictureEnding = /\.(png|jpe?g|webp|gif|tbn|avif|bmp)$/i;

/**
 * The pictures that hold a place, with any ending, whatever their case and composition: programs that look for `poster`
 * take whichever they meet first.
 */
export async function filesThere(folder: string, stem: string, manifest: Manifest): Promise<Standing[]> {
  const found: Standing[] = [];
  const ours = manifest.files.get(placeOf(manifest.root, folder, stem))?.digests ?? [];
  for (const name of await namesIn(folder)) {
    if (!pictureEnding.test(name) || nameKey(name.replace(pictureEnding, '')) !== nameKey(stem)) continue;
    const file = path.join(folder, name);
    const key = keyOf(manifest.root, file);
    const digest = await digestAt(file);
    const isOurs = digest !== null && ours.includes(digest);
    found.push({ path: file, name, key, digest, isOurs });
  }
  return found;
}

function keyOf(root: DownloadRoot, file: string): string {
  return path.relative(root.path, file).replaceAll(path.sep, '/');
}

/** As the manifest calls the place of a picture, whatever its ending. */
export function placeOf(root: DownloadRoot, folder: string, stem: string): string {
  return keyOf(root, path.join(folder, nameKey(stem)));
}

/** A picture in a type that its reader reads. */
export interface NewPicture {
  readonly bytes: Buffer;
  /** With its dot. */
  readonly ending: string;
  /** The type that it had, where its reader can't read that. */
  readonly convertedFrom: ImageFormat | null;
}

/**
 * Puts a picture in the place of what stands there. What is not ours is copied before.
 * @param keepIn where such copies go
 * @throws ArtworkError of the manifest; the system's own error: no other file fits after ENOSPC
 */
export async function writeOver(
  standing: readonly Standing[],
  { folder, stem, keepIn }: { readonly folder: string; readonly stem: string; readonly keepIn: string },
  { bytes, ending }: NewPicture,
  source: Omit<WrittenFile, 'digests'>,
  manifest: Manifest,
): Promise<Written> {
  const digest = digestOf(bytes);
  // Under the name that it has: file systems differ in whether a name in another case is another file.
  const over = standing.find(({ name }) => nameKey(name) === nameKey(stem + ending)) ?? null;
  const name = over?.name ?? stem + ending;
  const file = path.join(folder, name);
  const place = placeOf(manifest.root, folder, stem);
  const digests = [...new Set([digest, ...(manifest.files.get(place)?.digests ?? [])])].slice(0, 4);
  await manifest.note('files', place, { ...source, digests });
  const keptAt: string[] = [];
  for (const one of standing)
    if (!one.isOurs) keptAt.push(...(await keepCopy(one.path, path.join(keepIn, one.key))));
  const isThere = over?.digest === digest;
  if (!isThere && !(await putInPlace(file, bytes, over)))
    return { state: 'left_alone', name, why: 'not_ours' };
  for (const one of standing) if (one !== over && (await isUnchanged(one))) await rm(one.path);
  if (standing.length === 0) return { state: 'written', name };
  return isThere && keptAt.length === 0 ? { state: 'present', name } : { state: 'replaced', name, keptAt };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads a file without following a link. Null for what can't be read: it is in no case ours to replace. */
async function bytesAt(file: string): Promise<Buffer | null> {
  try {
    if (!(await lstat(file)).isFile()) return null;
    const handle = await open(file, modes.readSafely);
    return await handle.readFile().finally(() => handle.close());
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

async function digestAt(file: string): Promise<string | null> {
  const bytes = await bytesAt(file);
  return bytes === null ? null : digestOf(bytes);
}

async function isUnchanged({ path: file, digest }: Standing): Promise<boolean> {
  return digest !== null && (await digestAt(file)) === digest;
}

/** @returns where the copy lies, on the disk; none of what is gone by now */
async function keepCopy(from: string, to: string): Promise<string[]> {
  const bytes = await bytesAt(from);
  if (bytes === null) return [];
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  await writeNewFile(to, bytes);
  await modes.syncFolder(path.dirname(to));
  return [to];
}

/**
 * Gives bytes their name: whole, on the disk, and in the place of nothing but `over`. No call of the system compares and
 * replaces in one: what a person saves between the last look and the renaming would be lost.
 * @returns false: something else stands there
 */
async function putInPlace(file: string, bytes: Buffer, over: Standing | null): Promise<boolean> {
  const folder = path.dirname(file);
  const { bavail, bsize, blocks } = await statfs(folder, { bigint: true });
  // Some file systems on the network don't tell.
  if (blocks !== 0n && bavail * bsize < BigInt(bytes.length + reserve))
    throw new ArtworkError('internal', 'There is not enough room on the disk.', { code: 'ENOSPC' });
  await requireUnmoved(folder);
  // Media servers run as other users: the mode is what the person's umask leaves.
  const write = (draft: string) => writeNewFile(draft, bytes, 0o666);
  const isDone = await writeByDraft(file, write, async (draft) => {
    await requireUnmoved(folder);
    const isFree = over === null ? (await nullOn('ENOENT', lstat(file))) === null : await isUnchanged(over);
    if (isFree) await rename(draft, file);
    return isFree;
  });
  await modes.syncFolder(folder);
  return isDone;
}
