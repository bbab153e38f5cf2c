import { createHash } from 'node:crypto';
import { link, lstat, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, nullOn } from '../../errors.ts';
import { modes, nameKey, withoutLinks } from '../../machine.ts';
import { namesIn, writeByDraft, writeNewFile } from '../../store/draft.ts';
import type { Manifest, WrittenFile } from './manifest.ts';
import { type DownloadRoot, requireInRoot } from './root.ts';

/** What became of one file, or would. */
export type Settled =
  | { readonly state: 'would_write' }
  | { readonly state: 'written' | 'present' | 'would_replace'; readonly name: string }
  /** `others`: the files of other programs that have its place. `keptAt`: where they lie now. */
  | { readonly state: 'would_take_over'; readonly name: string; readonly others: readonly string[] }
  | { readonly state: 'replaced'; readonly name: string; readonly keptAt: readonly string[] }
  /** `changed`: it is ours and was changed since. `unnamed`: no dry run has named it as it is now. */
  | { readonly state: 'left_alone'; readonly name: string; readonly why: 'changed' | 'foreign' | 'unnamed' };

/** A picture that is to lie in a folder. */
interface WantedFile {
  /** Without links; null for one that is not there yet. */
  readonly folder: string | null;
  /** Without its ending: it holds its place whatever its type. */
  readonly stem: string;
  readonly source: Omit<WrittenFile, 'digests'>;
  /** Whether what was written from this source once is what it is now. */
  isSameSource(written: WrittenFile): boolean;
  /** Asked only where the bytes are needed. @throws ArtworkError where they are of no use */
  content(): Promise<{ readonly bytes: Buffer; readonly ending: string }>;
}

export interface Writing {
  readonly root: DownloadRoot;
  readonly manifest: Manifest;
  readonly dryRun: boolean;
  /** Where files of other programs are kept that are replaced; null: they are left alone. */
  readonly takeOver: string | null;
}

/** Bytes that a disk keeps free beside what is written. */
const reserve = 32 * 1024 * 1024;
/** What is larger is no picture of ours. */
const mostBytes = 256 * 1024 * 1024;
const pictureEnd = /\.(png|jpe?g|webp|gif|tbn|avif|bmp)$/i;

/**
 * Sees that a picture lies where it belongs: fetches what is not there, replaces what this program wrote and no person
 * has changed, and leaves everything else alone, unless it is to be taken over and a dry run has named it.
 * @throws ArtworkError of `content` and of the manifest; the system's own error: no other file fits after ENOSPC
 */
export async function settleFile(file: WantedFile, writing: Writing): Promise<Settled> {
  const { folder, stem, source } = file;
  const { root, manifest, dryRun, takeOver } = writing;
  if (folder === null) return { state: 'would_write' };
  const below = (name: string) => path.relative(root.path, path.join(folder, name)).replaceAll(path.sep, '/');
  const noteOf = (name: string) => manifest.files.get(below(name));
  const standing = await filesThere(folder, stem);
  const others: FileThere[] = [];
  for (const there of standing) {
    const { name, sha256 } = there;
    if (sha256 !== null && noteOf(name)?.digests.includes(sha256)) continue;
    const why = noteOf(name) === undefined ? 'foreign' : 'changed';
    if (takeOver === null || sha256 === null) return { state: 'left_alone', name, why };
    const isNamed = manifest.named.get(below(name)) === sha256;
    if (!dryRun && !isNamed) return { state: 'left_alone', name, why: 'unnamed' };
    if (!isNamed) await manifest.note('named', below(name), sha256);
    others.push(there);
  }
  const [first, second] = standing;
  if (first !== undefined && second === undefined && others.length === 0) {
    const note = noteOf(first.name);
    if (note?.digests[0] === first.sha256 && file.isSameSource(note))
      return { state: 'present', name: first.name };
  }
  if (dryRun && first === undefined) return { state: 'would_write' };
  if (dryRun && first !== undefined && others.length === 0)
    return { state: 'would_replace', name: first.name };
  if (dryRun && first !== undefined)
    return { state: 'would_take_over', name: first.name, others: others.map((one) => one.name) };
  const { bytes, ending } = await file.content();
  const digest = digestOf(bytes);
  // Under the name that it has: file systems differ in whether a name in another case is another file.
  const over = standing.find(({ name }) => nameKey(name) === nameKey(stem + ending)) ?? null;
  const name = over?.name ?? stem + ending;
  const digests = [...new Set([digest, ...(noteOf(name)?.digests ?? [])])].slice(0, 4);
  await manifest.note('files', below(name), { ...source, digests });
  const keptAt: string[] = [];
  for (const one of others) keptAt.push(await keepCopy(one, path.join(takeOver ?? '', below(one.name))));
  const isThere = over?.sha256 === digest;
  if (!isThere && !(await putInPlace(root, path.join(folder, name), bytes, over)))
    return { state: 'left_alone', name, why: 'foreign' };
  for (const one of standing) if (one !== over && (await isUnchanged(one))) await rm(one.path);
  if (first === undefined) return { state: 'written', name };
  if (isThere && keptAt.length === 0) return { state: 'present', name };
  return { state: 'replaced', name, keptAt };
}

interface FileThere {
  readonly path: string;
  readonly name: string;
  /** Null for what is no regular file, or can't be read. */
  readonly sha256: string | null;
}

/**
 * The pictures that hold a place, with any ending, whatever their case and composition: programs that look for `poster`
 * take whichever they meet first.
 */
async function filesThere(folder: string, stem: string): Promise<FileThere[]> {
  const found: FileThere[] = [];
  for (const name of await namesIn(folder)) {
    if (!pictureEnd.test(name) || nameKey(name.replace(pictureEnd, '')) !== nameKey(stem)) continue;
    const file = path.join(folder, name);
    const bytes = await bytesOf(file);
    found.push({ path: file, name, sha256: bytes === null ? null : digestOf(bytes) });
  }
  return found;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads a file without following a link. Null for what can't be read: it is in no case ours to replace. */
async function bytesOf(file: string): Promise<Buffer | null> {
  try {
    const status = await lstat(file);
    if (!status.isFile() || status.size > mostBytes) return null;
    const handle = await open(file, modes.readSafely);
    return await handle.readFile().finally(() => handle.close());
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

async function isUnchanged({ path: at, sha256 }: FileThere): Promise<boolean> {
  const bytes = await bytesOf(at);
  return bytes !== null && digestOf(bytes) === sha256;
}

/** @returns where the copy lies, on the disk */
async function keepCopy({ path: from, sha256 }: FileThere, to: string): Promise<string> {
  const bytes = await bytesOf(from);
  if (bytes === null || digestOf(bytes) !== sha256) {
    throw new ArtworkError('conflict', `${from} was changed while it was being replaced; it stays.`, {
      code: 'download_changed_meanwhile',
    });
  }
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  await writeNewFile(to, bytes);
  await modes.syncFolder(path.dirname(to));
  return to;
}

/**
 * Gives bytes their name: whole, on the disk, and in the place of nothing but `over`. No call of the system compares and
 * replaces in one: what a person saves between the last look and the renaming would be lost.
 * @returns false: something else stands there
 */
async function putInPlace(
  root: DownloadRoot,
  file: string,
  bytes: Buffer,
  over: FileThere | null,
): Promise<boolean> {
  const folder = path.dirname(file);
  const { bavail, bsize, blocks } = await statfs(folder, { bigint: true });
  // Some file systems on the network don't tell.
  if (blocks !== 0n && bavail * bsize < BigInt(bytes.length + reserve))
    throw new ArtworkError('internal', 'There is not enough room on the disk.', { code: 'ENOSPC' });
  const isDone = await writeByDraft(
    file,
    async (draft) => {
      await requireInRoot(root, folder);
      // Media servers run as other users: the mode is what the person's umask leaves.
      await writeNewFile(draft, bytes, 0o666);
    },
    async (draft) => {
      await requireInRoot(root, folder);
      if (over === null) return giveName(draft, file);
      const isSame = await isUnchanged(over);
      if (isSame) await rename(draft, file);
      return isSame;
    },
  );
  await modes.syncFolder(folder);
  return isDone;
}

/** A second name for the draft fails where the name is taken; renaming would replace what is there. */
async function giveName(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (code === null || !withoutLinks.has(code)) throw error;
  }
  // Where a file has one name only.
  if ((await nullOn('ENOENT', lstat(file))) !== null) return false;
  await rename(draft, file);
  return true;
}
