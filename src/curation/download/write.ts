import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../../errors.ts';
import { modes, nameKey, withoutLinks } from '../../machine.ts';
import { namesIn, writeByDraft, writeNewFile } from '../../store/draft.ts';
import type { Manifest, WrittenFile } from './manifest.ts';
import { type DownloadRoot, nullOn, requireInRoot } from './root.ts';

/** What became of one file, or would. */
export type Settled =
  | { readonly state: 'written'; readonly name: string }
  /** `keptAt`: where the file of another program lies now. */
  | { readonly state: 'replaced'; readonly name: string; readonly keptAt?: string }
  | { readonly state: 'present'; readonly name: string }
  | { readonly state: 'would_write' }
  | { readonly state: 'would_replace' | 'would_take_over'; readonly name: string }
  /** `changed`: it is ours and was changed since. `unnamed`: no dry run has named it as it is now. */
  | {
      readonly state: 'left_alone';
      readonly name: string;
      readonly why: 'changed' | 'foreign' | 'unnamed';
    };

/** A file that is to lie in a folder. */
interface WantedFile {
  /** Without links; null for one that is not there yet. */
  readonly folder: string | null;
  /** The name: of a picture without its ending, since it holds its place whatever its type. */
  readonly name: string;
  readonly isPicture: boolean;
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

/** Nothing more can be written: no other file fits either. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** Bytes that a disk keeps free beside what is written. */
const reserve = 32 * 1024 * 1024;
const pictureEnd = /\.(png|jpe?g|webp|gif|tbn|avif|bmp)$/i;
const mostDigests = 4;

/**
 * Sees that a file lies where it belongs: fetches what is not there, replaces what this program wrote and no person has
 * changed, and leaves everything else alone, unless it is to be taken over and a dry run has named it.
 * @throws ArtworkError of `content` and of the manifest; DiskFull; the system's own error
 */
export async function settleFile(file: WantedFile, writing: Writing): Promise<Settled> {
  const { folder, source } = file;
  const { root, manifest, dryRun, takeOver } = writing;
  if (folder === null) return { state: 'would_write' };
  const below = (name: string) => path.relative(root.path, path.join(folder, name)).replaceAll(path.sep, '/');
  const own: { readonly there: FileThere; readonly note: WrittenFile }[] = [];
  const others: FileThere[] = [];
  for (const there of await filesThere(folder, file)) {
    const note = manifest.files.get(below(there.name));
    if (note !== undefined && there.sha256 !== null && note.digests.includes(there.sha256)) {
      own.push({ there, note });
      continue;
    }
    const why = note === undefined ? 'foreign' : 'changed';
    if (takeOver === null || there.sha256 === null) return { state: 'left_alone', name: there.name, why };
    const isNamed = manifest.named.get(below(there.name)) === there.sha256;
    if (!dryRun && !isNamed) return { state: 'left_alone', name: there.name, why: 'unnamed' };
    if (!isNamed) await manifest.note('named', below(there.name), there.sha256);
    others.push(there);
  }
  const [only] = own.length + others.length === 1 ? own : [];
  if (only?.note.digests[0] === only?.there.sha256 && only !== undefined && file.isSameSource(only.note))
    return { state: 'present', name: only.there.name };
  const standing = [...own.map(({ there }) => there), ...others];
  const [first] = standing;
  if (dryRun) {
    const [other] = others;
    if (other !== undefined) return { state: 'would_take_over', name: other.name };
    return first === undefined ? { state: 'would_write' } : { state: 'would_replace', name: first.name };
  }
  const { bytes, ending } = await file.content();
  const wanted = file.name + ending;
  const digest = createHash('sha256').update(bytes).digest('hex');
  // Under the name that it has: file systems differ in whether a name in another case is another file.
  const over = standing.find(({ name }) => nameKey(name) === nameKey(wanted)) ?? null;
  const name = over?.name ?? wanted;
  const earlier = manifest.files.get(below(name))?.digests.filter((one) => one !== digest) ?? [];
  await manifest.note('files', below(name), {
    ...source,
    digests: [digest, ...earlier].slice(0, mostDigests),
  });
  let keptAt: string | undefined;
  for (const other of others) keptAt = await keepCopy(other, path.join(takeOver ?? '', below(other.name)));
  if (over?.sha256 !== digest) {
    const inTheWay = await putInPlace(root, folder, name, bytes, over);
    if (inTheWay) return { state: 'left_alone', name, why: 'foreign' };
  }
  for (const one of standing) if (one !== over && (await isUnchanged(one))) await rm(one.path);
  if (first === undefined) return { state: 'written', name };
  if (over?.sha256 === digest && keptAt === undefined) return { state: 'present', name };
  return { state: 'replaced', name, ...(keptAt === undefined ? {} : { keptAt }) };
}

/** A file as it lies in a folder, read through one descriptor. */
interface FileThere {
  readonly path: string;
  readonly name: string;
  /** Null for what is no regular file, or can't be read. */
  readonly sha256: string | null;
  /** What it was when it was read. */
  readonly status: BigIntStats | null;
}

/**
 * The files that hold a place: those of the name, of a picture with any picture's ending, whatever their case and
 * composition, since programs that look for `poster` take whichever they meet first.
 */
async function filesThere(folder: string, { name, isPicture }: WantedFile): Promise<FileThere[]> {
  const key = nameKey(name);
  const holds = (one: string) =>
    isPicture ? pictureEnd.test(one) && nameKey(one.replace(pictureEnd, '')) === key : nameKey(one) === key;
  const found: FileThere[] = [];
  for (const one of (await namesIn(folder)).filter(holds)) found.push(await lookAt(path.join(folder, one)));
  return found;
}

/** Reads a file without following a link. */
async function lookAt(file: string): Promise<FileThere> {
  const unknown = { path: file, name: path.basename(file), sha256: null, status: null };
  try {
    if (!(await lstat(file)).isFile()) return unknown;
    const handle = await open(file, modes.readSafely);
    try {
      const hash = createHash('sha256');
      for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
      return { ...unknown, sha256: hash.digest('hex'), status: await handle.stat({ bigint: true }) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    // It may be another user's, or gone by now: what is there is in no case ours to replace.
    if (codeOf(error) !== null) return unknown;
    throw error;
  }
}

async function isUnchanged({ path: at, status }: FileThere): Promise<boolean> {
  const now = await nullOn('ENOENT', lstat(at, { bigint: true }));
  const same = ['ino', 'dev', 'size', 'mtimeNs', 'ctimeNs'] as const;
  return now !== null && status !== null && same.every((fact) => now[fact] === status[fact]);
}

/** @returns where the copy lies, on the disk */
async function keepCopy(file: FileThere, to: string): Promise<string> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(file.path, to, constants.COPYFILE_EXCL);
  const handle = await open(to, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await modes.syncFolder(path.dirname(to));
  const copy = await lookAt(to);
  if (copy.sha256 === file.sha256) return to;
  throw new ArtworkError('conflict', `${file.path} was changed while it was being replaced; it stays.`, {
    code: 'download_changed_meanwhile',
  });
}

/**
 * Gives bytes their name in a folder: whole, on the disk, and in the place of nothing but `over`. That the folder lies in
 * the root is looked at before the draft and before its naming. No call of the system compares and replaces in one: what
 * a person saves between the last look and the renaming, which follow each other at once, would be lost.
 * @returns whether something else stands there
 */
async function putInPlace(
  root: DownloadRoot,
  folder: string,
  name: string,
  bytes: Buffer,
  over: FileThere | null,
): Promise<boolean> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder, { bigint: true });
    // Some file systems on the network don't tell.
    if (blocks !== 0n && bavail * bsize < BigInt(bytes.length + reserve))
      throw new DiskFull('the disk has not enough room');
    const inTheWay = await writeByDraft(
      path.join(folder, name),
      async (draft) => {
        await requireInRoot(root, folder);
        // Media servers run as other users: the mode is what the person's umask leaves.
        await writeNewFile(draft, bytes, 0o666);
      },
      async (draft, final) => {
        await requireInRoot(root, folder);
        if (over === null) return !(await giveName(draft, final));
        if (!(await isUnchanged(over))) return true;
        await rename(draft, final);
        return false;
      },
    );
    await modes.syncFolder(folder);
    return inTheWay;
  } catch (error) {
    const code = codeOf(error);
    throw code === 'ENOSPC' || code === 'EDQUOT' ? new DiskFull('the disk is full', { cause: error }) : error;
  }
}

/** A second name for the draft fails where the name is taken; renaming would replace what is there. */
async function giveName(draft: string, final: string): Promise<boolean> {
  try {
    await link(draft, final);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (code === null || !withoutLinks.has(code)) throw error;
  }
  // Where a file has one name only.
  if ((await nullOn('ENOENT', lstat(final))) !== null) return false;
  await rename(draft, final);
  return true;
}

/** What a failed operation of the file system means to a person. */
export function writingFailed(error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  const code = codeOf(error);
  if (code === null) throw error;
  return new ArtworkError('internal', `The file can't be written (${code}).`, {
    code: 'download_not_written',
    cause: error,
  });
}
