import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { nameKey } from '../../machine.ts';
import type { Marks } from '../../store/kv.ts';
import { jsonOf } from '../../text.ts';
import type { EnteredFolder } from './download-root.ts';
import {
  type FileThere,
  filesHoldingPlace,
  findFilesByName,
  isStandIn,
  lookAtFile,
  placeFile,
  removeOwnFile,
} from './place-file.ts';

/** What became of one file, or would. */
export type Settled =
  | { readonly state: 'written' | 'replaced'; readonly name: string; readonly bytes: number }
  | { readonly state: 'present'; readonly name: string }
  | { readonly state: 'would_write' }
  | { readonly state: 'would_replace'; readonly name: string }
  /** A foreign file holds the place, or one of ours that was changed since. */
  | { readonly state: 'left_alone'; readonly name: string; readonly changed: boolean };

/** A file that is to lie in a folder. */
interface WantedFile {
  /** Null for one that is not there yet. */
  readonly folder: EnteredFolder | null;
  readonly stem: string;
  readonly source: Omit<Written, 'sha256'>;
  /** Whether what was written from this source once is what it is now. */
  isSameSource(written: Written): boolean;
  /** Asked only where the bytes are needed. @throws ArtworkError where they are of no use */
  content(): Promise<{ readonly bytes: Buffer; readonly extension: string }>;
}

/**
 * Sees that a file lies where it belongs: fetches what is not there, replaces what this program wrote and no person has
 * changed, and leaves everything else alone.
 * @throws ArtworkError of `content`; DiskFull; the system's own error
 */
export async function settleFile(file: WantedFile, record: WrittenFiles, dryRun: boolean): Promise<Settled> {
  for (let attempt = 1; ; attempt += 1) {
    const settled = await attemptFile(file, record, dryRun);
    if (settled.state !== 'overtaken') return settled;
    if (attempt === mostAttempts) return { state: 'left_alone', name: settled.name, changed: false };
  }
}

/** How often another process of this program may put its picture where this one's is to be. */
const mostAttempts = 4;

type Overtaken = { readonly state: 'overtaken'; readonly name: string };

async function attemptFile(
  file: WantedFile,
  record: WrittenFiles,
  dryRun: boolean,
): Promise<Settled | Overtaken> {
  const { folder, stem, source } = file;
  if (folder === null) return { state: 'would_write' };
  const standing = await filesHoldingPlace(folder, stem);
  const own: FileThere[] = [];
  for (const one of standing) {
    const found = await whoseIs(folder, one, record);
    if (found.whose === 'foreign') return leftAlone(one, found.changed);
    if (standing.length === 1 && found.note !== null && file.isSameSource(found.note)) {
      return { state: 'present', name: path.basename(one) };
    }
    own.push(found.file);
  }
  const [first] = own;
  if (dryRun) {
    return first === undefined
      ? { state: 'would_write' }
      : { state: 'would_replace', name: path.basename(first.path) };
  }
  const { bytes, extension } = await file.content();
  const wanted = `${stem}.${extension}`;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  // Under the name that it has: file systems differ in whether a name in another case is another file.
  const at = own.find((one) => nameKey(path.basename(one.path)) === nameKey(wanted));
  const name = at === undefined ? wanted : path.basename(at.path);
  await record.note(path.join(folder.path, name), { ...source, sha256 });
  if (at?.sha256 !== sha256) {
    const standing = await placeFile(folder, name, bytes, at ?? null);
    if (standing !== null) return another(folder, standing, sha256, record);
  }
  for (const one of own) if (one !== at) await removeOwnFile(one);
  if (first === undefined) return { state: 'written', name, bytes: bytes.length };
  return at?.sha256 === sha256
    ? { state: 'present', name }
    : { state: 'replaced', name, bytes: bytes.length };
}

/** Sees that a file lies where it belongs whose name and text are known: it is made here. */
export async function settleText(
  folder: EnteredFolder | null,
  name: string,
  text: string,
  source: Omit<Written, 'sha256'>,
  record: WrittenFiles,
  dryRun: boolean,
): Promise<Settled> {
  if (folder === null) return { state: 'would_write' };
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const [found] = await findFilesByName(folder, name);
  let there: FileThere | null = null;
  if (found !== undefined) {
    const standing = await whoseIs(folder, found, record);
    if (standing.whose === 'foreign') return leftAlone(found, standing.changed);
    if (standing.file.sha256 === sha256) return { state: 'present', name };
    there = standing.file;
  }
  if (dryRun) {
    return there === null ? { state: 'would_write' } : { state: 'would_replace', name };
  }
  const called = there === null ? name : path.basename(there.path);
  await record.note(path.join(folder.path, called), { ...source, sha256 });
  const standing = await placeFile(folder, called, bytes, there);
  if (standing !== null) {
    const other = await another(folder, standing, sha256, record);
    return other.state === 'overtaken' ? { state: 'left_alone', name, changed: false } : other;
  }
  return { state: there === null ? 'written' : 'replaced', name, bytes: bytes.length };
}

type Standing =
  | { readonly whose: 'foreign'; readonly changed: boolean }
  /** `note` is null for what stands for one of ours for a moment where files have one name only. */
  | { readonly whose: 'ours'; readonly file: FileThere; readonly note: Written | null };

/** A file at whose path this program wrote nothing is not even read. */
async function whoseIs(folder: EnteredFolder, file: string, record: WrittenFiles): Promise<Standing> {
  const notes = await record.find(path.join(folder.path, path.basename(file)));
  if (notes.length === 0) return { whose: 'foreign', changed: false };
  const there = await lookAtFile(file);
  const note = notes.find(({ sha256 }) => sha256 === there.sha256) ?? null;
  const isOurs = note !== null || isStandIn(there);
  return isOurs ? { whose: 'ours', file: there, note } : { whose: 'foreign', changed: true };
}

/** Something came to the place meanwhile: of another process of this program, or of another program. */
async function another(
  folder: EnteredFolder,
  standing: FileThere,
  sha256: string,
  record: WrittenFiles,
): Promise<Settled | Overtaken> {
  const name = path.basename(standing.path);
  if (standing.sha256 === sha256) return { state: 'present', name };
  const notes = await record.find(path.join(folder.path, name));
  const isOwn = notes.some((note) => note.sha256 === standing.sha256);
  // Gone again, or of ours: it is looked at anew.
  return isOwn || standing.sha256 === null
    ? { state: 'overtaken', name }
    : leftAlone(standing.path, notes.length > 1);
}

function leftAlone(file: string, changed: boolean): Settled {
  return { state: 'left_alone', name: path.basename(file), changed };
}

/** What this program wrote at a path, or was about to when it ended. */
const written = z.object({
  /** Lowercase hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The catalogue that it came from. */
  service: z.string(),
  /** Its path on the service; of a file that was made here, what it was made of. */
  ref: z.string(),
  /** `show_set 12`. */
  set: z.string(),
  /** The Set's `dateUpdated` when it was read. */
  setUpdated: z.string().nullable(),
});
export type Written = z.output<typeof written>;

const record = z.object({
  /** For a person who looks into the store. */
  path: z.string(),
  /** The latest last. */
  files: z.array(written).max(100),
});

/** Several processes may be about to write different bytes to one path: each of them must know its own again. */
const mostKept = 32;
const mostRecordAttempts = 20;

type Store = Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet'>;

export type WrittenFiles = ReturnType<typeof createWrittenFiles>;

/**
 * What this program has written below folders for downloads, by path and digest. A file whose digest is not among
 * those of its path is foreign: made by a person, or changed by one.
 */
export function createWrittenFiles(store: Store) {
  return {
    /** By a file's path without links: what was written there, the latest last. */
    async find(path: string): Promise<readonly Written[]> {
      const entry = await store.get(keyOf(path));
      return entry === null ? [] : read(entry.value).files;
    },
    /** Noted before the file gets its name, so that a process that is killed in between leaves nothing unknown. */
    async note(path: string, file: Written): Promise<void> {
      const key = keyOf(path);
      const first = { path, files: [file] };
      let { won, current } = await store.putIfAbsent(key, JSON.stringify(first));
      for (let attempt = 0; !won; attempt += 1) {
        const { files } = read(current.value);
        if (isSame(files.at(-1), file)) return;
        const others = files.filter(({ sha256 }) => sha256 !== file.sha256);
        const next = { path, files: [...others, file].slice(-mostKept) };
        const swap = await store.compareAndSet(key, current.version, JSON.stringify(next));
        if (swap.outcome === 'swapped') return;
        if (swap.outcome === 'absent' || attempt === mostRecordAttempts) throw contended(path);
        current = swap.current;
        won = false;
      }
    },
  };
}

/** Case and composition of a path's letters stay: what they mean is the file system's to say. */
function keyOf(path: string): string {
  return `download/${createHash('sha256').update(path).digest('base64url')}`;
}

function isSame(one: Written | undefined, other: Written): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/** The store is on a disk: what is there has to be checked. */
function read(value: string): z.output<typeof record> {
  const parsed = record.safeParse(jsonOf(value));
  if (parsed.success) return parsed.data;
  throw new ArtworkError('internal', 'The store’s note of a downloaded file is damaged.', {
    code: 'store_unreadable',
    next: { why: 'A person restores the data folder from a backup, or downloads into another folder.' },
  });
}

function contended(path: string): ArtworkError {
  return new ArtworkError('conflict', `Other processes keep writing ${path}.`, {
    code: 'download_contended',
    next: { why: 'Once the other downloads into this folder have ended the same call can be made again.' },
  });
}
