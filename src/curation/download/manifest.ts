import { createHash } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock } from '../../clock.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { allSetKinds } from '../../model/kinds.ts';
import { allSlots } from '../../model/slots.ts';
import { replaceFile } from '../../store/draft.ts';
import { makePrivateFolder } from '../../store/home.ts';
import type { Marks } from '../../store/kv.ts';
import { createLeaseJudge, heartbeatEveryMs, holdersOfMachine } from '../../store/lease.ts';
import { jsonOf } from '../../text.ts';
import { layoutNames } from './layouts.ts';
import { type DownloadRoot, nullOn } from './root.ts';

/*
 * One JSON file for each root, below ARTWORK_HOME: what this program wrote there, with its digests, and what it was
 * asked for. While a run works, what it is about to do is added to a log beside it, a line each, so that a kill leaves
 * nothing of ours unknown. One process at a time has a root.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const writtenFile = z.object({
  /** What was written, the latest first: a process that was killed may have left the one before. */
  digests: z.array(sha256).min(1),
  /** The catalogue that it came from. */
  service: z.string(),
  /** Its path on the service; of a file that was made here, what it was made of. */
  ref: z.string(),
  /** The Set's `dateUpdated` when it was read. */
  setUpdated: z.string().nullable(),
});
export type WrittenFile = Readonly<z.output<typeof writtenFile>>;

const setReference = z.object({ kind: z.enum(allSetKinds), id: z.int() });

/** A download as it was asked for, and how far it came: what an update goes by. */
const keptDownload = z.object({
  ...{ ...setReference.shape, title: z.string(), service: z.string(), layout: z.enum(layoutNames) },
  /** Below the root. */
  folders: z.array(z.string()),
  /** Null: all. */
  slots: z.array(z.enum(allSlots)).nullable(),
  ...{ assetFolders: z.boolean(), languageCode: z.string().nullable() },
  /**
   * `whole`: everything that could be brought was. `begun`: something is left. `due`: the feeds name it. `unsure`: the
   * feeds do not reach back to its reading. `gone`: the service has the Set no more.
   */
  state: z.enum(['whole', 'begun', 'due', 'unsure', 'gone']),
  /** The Set's `dateUpdated` when it was read. */
  updated: z.string().nullable(),
  /** The time of the latest change that a feed told of it and that was heeded. */
  seen: z.string().nullable(),
  /** When it was read, by this machine's clock, ms. */
  readAt: z.number(),
  /** Of a group: its Sets, with their `dateUpdated`. */
  members: z.array(setReference.extend({ updated: z.string().nullable() })),
  /** How the ids of its Assets begin, so that a feed's `previousAssetId` is recognized. */
  assets: z.array(z.string()),
  /** Works whose folders were found or made. */
  works: z.array(z.string()),
  /**
   * Episodes that had no video of their own in a show's folder yet: once they have, an update brings their pictures.
   * `1 2` is S01E02.
   */
  waiting: z.array(z.object({ folder: z.array(z.string()), episodes: z.array(z.string()) })),
});
export type KeptDownload = Readonly<z.output<typeof keptDownload>>;

const heeded = z.object({ assets: z.string().nullable(), sets: z.string().nullable() });

/** Each part of the manifest, by key. */
const parts = {
  /** By path below the root, with `/`. */
  files: writtenFile,
  downloads: keptDownload,
  /** By catalogue: the newest change of each feed that the last whole run has heeded, as the service wrote it. */
  feeds: heeded,
  /** Files of other programs that a dry run has named, with their digests: only these are taken over. */
  named: sha256,
};
type Parts = { readonly [Part in keyof typeof parts]: z.output<(typeof parts)[Part]> };
type PartName = keyof Parts;

type Contents = { readonly [Part in PartName]: Map<string, Parts[Part]> };

/** The whole file, and what one line of the log adds to it. */
const contents = z
  .object({
    files: z.record(z.string(), parts.files),
    downloads: z.record(z.string(), parts.downloads),
    feeds: z.record(z.string(), parts.feeds),
    named: z.record(z.string(), parts.named),
  })
  .partial();

export interface Manifest extends Contents {
  /**
   * Notes something before it is done: it is on the disk when the promise resolves.
   * @throws ArtworkError `conflict` where another process has the root by now; the system's own error
   */
  note<Part extends PartName>(part: Part, key: string, value: Parts[Part]): Promise<void>;
}

interface OpenManifest {
  readonly manifest: Manifest;
  close(): Promise<void>;
}

type LockStore = Pick<Marks, 'putIfAbsent' | 'compareAndSet'>;

const shared = new Map<string, { users: number; readonly opened: Promise<OpenManifest> }>();

/**
 * Runs `work` with the manifest of a root. Calls of this process share it; another process waits.
 * @throws ArtworkError `conflict` (`download_busy`) where another process has the root for too long
 */
export async function withManifest<Result>(
  { root, store, deadline }: { root: DownloadRoot; store: LockStore; deadline: Deadline },
  work: (manifest: Manifest) => Promise<Result>,
): Promise<Result> {
  const file = fileOf(root);
  const use = shared.get(file) ?? { users: 0, opened: openManifest(root, file, store, deadline) };
  shared.set(file, use);
  use.users += 1;
  try {
    return await work((await use.opened).manifest);
  } finally {
    use.users -= 1;
    if (use.users === 0) {
      shared.delete(file);
      // One that was not opened has nothing to be closed, and `work` has thrown why.
      await use.opened.then(
        ({ close }) => close(),
        () => undefined,
      );
    }
  }
}

/** What stands in the manifest of a root, for a run that writes nothing. */
export async function readManifest(root: DownloadRoot): Promise<Manifest> {
  const note = () => Promise.reject(new TypeError('This manifest was opened to be read.'));
  return { ...(await readContents(fileOf(root))), note };
}

function fileOf({ path: at, home }: DownloadRoot): string {
  const digest = createHash('sha256').update(at).digest('base64url').slice(0, 24);
  return path.join(home, 'downloads', `${digest}.json`);
}

async function openManifest(
  root: DownloadRoot,
  file: string,
  store: LockStore,
  deadline: Deadline,
): Promise<OpenManifest> {
  const lock = await takeLock(store, `download-lock/${path.basename(file, '.json')}`, deadline);
  try {
    await makePrivateFolder(path.dirname(file));
    const known = await readContents(file);
    const log = await open(`${file}.log`, 'a', 0o600);
    let writing: Promise<void> = Promise.resolve();
    let isDirty = (await log.stat()).size > 0;
    const append = (entry: object) => {
      writing = writing.then(async () => {
        if (lock.lost.aborted) throw busy('Another process has taken over this folder.');
        isDirty = true;
        // A line that a kill has cut short ends here.
        await log.appendFile(`\n${JSON.stringify(entry)}\n`);
        await log.datasync();
      });
      return writing;
    };
    const manifest: Manifest = {
      ...known,
      async note(part, key, value) {
        await append({ [part]: { [key]: value } });
        known[part].set(key, value);
      },
    };
    const close = async () => {
      try {
        await log.close();
        if (!isDirty || lock.lost.aborted) return;
        const whole = Object.entries(known).map(([part, all]) => [part, Object.fromEntries(all)]);
        await replaceFile(file, `${JSON.stringify({ root: root.path, ...Object.fromEntries(whole) })}\n`);
        await rm(`${file}.log`, { force: true });
      } finally {
        await lock.release();
      }
    };
    return { manifest, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function readContents(file: string): Promise<Contents> {
  const whole = contents.safeParse(jsonOf((await nullOn('ENOENT', readFile(file, 'utf8'))) ?? '{}')).data;
  if (whole === undefined) {
    throw new ArtworkError('conflict', `${file}, the note of what was downloaded, is damaged.`, {
      code: 'download_manifest_damaged',
      next: { why: 'A person restores it from a backup, or moves it away: all files count as others’ then.' },
    });
  }
  const known: Contents = { files: new Map(), downloads: new Map(), feeds: new Map(), named: new Map() };
  const lines = (await nullOn('ENOENT', readFile(`${file}.log`, 'utf8')))?.split('\n') ?? [];
  // The last line may be cut short: what it was to note was not begun.
  const added = lines.map((line) => contents.safeParse(jsonOf(line)).data ?? {});
  for (const { files = {}, downloads = {}, feeds = {}, named = {} } of [whole, ...added]) {
    for (const [key, value] of Object.entries(files)) known.files.set(key, value);
    for (const [key, value] of Object.entries(downloads)) known.downloads.set(key, value);
    for (const [key, value] of Object.entries(feeds)) known.feeds.set(key, value);
    for (const [key, value] of Object.entries(named)) known.named.set(key, value);
  }
  return known;
}

const lockNote = z.object({ holder: z.string().nullable(), beat: z.number() });
const free = { holder: null, beat: 0 };
/** Kept for the process: what it has seen of others counts. */
const judge = createLeaseJudge(systemClock, holdersOfMachine());

/** Longest that another process is waited for, and what is left of a call after it, ms. */
const longestWait = 20_000;
const leastLeft = 10_000;

/** One process at a time has a root, for as long as it lives and beats. */
async function takeLock(store: LockStore, key: string, { left, signal }: Deadline) {
  const until = left() - Math.min(longestWait, Math.max(0, left() - leastLeft));
  let current = (await store.putIfAbsent(key, JSON.stringify(free))).current;
  const holder = judge.start();
  for (;;) {
    const note = lockNote.safeParse(jsonOf(current.value)).data ?? free;
    if (!judge.isLive(note.holder, note.beat)) {
      const mine = JSON.stringify({ holder, beat: note.beat + 1 });
      const swap = await store.compareAndSet(key, current.version, mine);
      if (swap.outcome === 'swapped') return holdLock(store, key, swap.current, holder, note.beat + 1);
    } else if (left() <= until || signal.aborted) {
      judge.end(holder);
      throw busy('Another process writes to this folder now.');
    } else await sleep(200);
    current = (await store.putIfAbsent(key, JSON.stringify(free))).current;
  }
}

function holdLock(
  store: LockStore,
  key: string,
  taken: { readonly version: number },
  holder: string,
  first: number,
) {
  const lost = new AbortController();
  let { version } = taken;
  let beat = first;
  let writing: Promise<void> = Promise.resolve();
  const write = (by: string | null): Promise<void> => {
    writing = writing.then(async () => {
      if (lost.signal.aborted) return;
      beat += 1;
      const swap = await store.compareAndSet(key, version, JSON.stringify({ holder: by, beat }));
      if (swap.outcome === 'swapped') version = swap.current.version;
      else lost.abort();
    });
    return writing;
  };
  // What can't be kept is lost: others take it for that too.
  const timer = setInterval(() => void write(holder).catch(() => lost.abort()), heartbeatEveryMs);
  timer.unref();
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      try {
        await write(null);
      } finally {
        judge.end(holder);
      }
    },
  };
}

function busy(message: string): ArtworkError {
  return new ArtworkError('conflict', message, {
    code: 'download_busy',
    next: { why: 'Once it has ended the same call can be made again; it may find nothing left to do.' },
  });
}
