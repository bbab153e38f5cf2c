import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, codeOf, nullOn } from '../../errors.ts';
import { allSetKinds } from '../../model/kinds.ts';
import { allSlots } from '../../model/slots.ts';
import { replaceFile } from '../../store/draft.ts';
import { createPrivateFile, makePrivateFolder, prepareHome } from '../../store/home.ts';
import { jsonOf } from '../../text.ts';
import { layoutNames } from './layouts.ts';
import type { DownloadRoot } from './root.ts';

/*
 * One JSON file for each root, below ARTWORK_HOME: what this program wrote there, with its digests, and what it was
 * asked for. While a run works, what it is about to do is added to the file, a line each, so that a kill leaves nothing
 * of ours unknown; at its end the file is one line again. One run at a time has a root.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const writtenFile = z.object({
  /** What was written, the latest first: a process that was killed may have left the one before. */
  digests: z.array(sha256).min(1),
  /** The catalogue that it came from, and its path there. */
  ...{ service: z.string(), ref: z.string() },
  /** The Set's `dateUpdated` when it was read. */
  setUpdated: z.string().nullable(),
});
export type WrittenFile = Readonly<z.output<typeof writtenFile>>;

const ofSet = { kind: z.enum(allSetKinds), id: z.int(), updated: z.string().nullable() };

/** A download as it was asked for, and how far it came: what an update goes by. */
const keptDownload = z.object({
  /** The Set, with its `dateUpdated` when it was read. */
  ...{ ...ofSet, title: z.string(), service: z.string(), layout: z.enum(layoutNames) },
  /** Below the root. */
  folders: z.array(z.string()),
  /** Null: all. */
  slots: z.array(z.enum(allSlots)).nullable(),
  ...{ assetFolders: z.boolean(), languageCode: z.string().nullable() },
  /**
   * `whole`: all that could be brought was. `left`: something may be left. `due`: its Set may have moved since. `gone`:
   * the service has the Set no more.
   */
  state: z.enum(['whole', 'left', 'due', 'gone']),
  /** When it was read, by this machine's clock, ms. */
  readAt: z.number(),
  /** Of a group: its Sets. */
  members: z.array(z.object(ofSet)),
  /** The Assets that it has, and the works whose folders were found or made. */
  ...{ assets: z.array(z.string()), works: z.array(z.string()) },
  /** Episodes without a video of their own in a show's folder: `1 2` is S01E02. */
  waiting: z.array(z.object({ folder: z.array(z.string()), episodes: z.array(z.string()) })),
});
export type KeptDownload = Readonly<z.output<typeof keptDownload>>;

/** Each part of the manifest, by key. */
const parts = {
  /** By path below the root, with `/`. */
  files: z.record(z.string(), writtenFile),
  downloads: z.record(z.string(), keptDownload),
  /** By catalogue: the newest change of each feed that an update has heeded, as the service wrote it. */
  feeds: z.record(z.string(), z.object({ assets: z.string().nullable(), sets: z.string().nullable() })),
  /** Files of other programs that a dry run has named, with their digests: only these are taken over. */
  named: z.record(z.string(), sha256),
};
type PartName = keyof typeof parts;
type Part<Name extends PartName> = z.output<(typeof parts)[Name]>[string];

/** A line of the file. */
const line = z.object(parts).partial();

type Contents = { readonly [Name in PartName]: Map<string, Part<Name>> };

export interface Manifest extends Contents {
  /** Notes something before it is done: it is on the disk when the promise resolves. */
  note<Name extends PartName>(part: Name, key: string, value: Part<Name>): Promise<void>;
}

/**
 * Runs `work` with the manifest of a root.
 * @throws ArtworkError `conflict` (`download_busy`) where another run has the root for too long
 */
export async function withManifest<Result>(
  { root, deadline }: { readonly root: DownloadRoot; readonly deadline: Deadline },
  work: (manifest: Manifest) => Promise<Result>,
): Promise<Result> {
  const file = fileOf(root);
  await prepareHome(root.home);
  await makePrivateFolder(path.dirname(file));
  const release = await takeLock(`${file}.lock`, deadline);
  try {
    await createPrivateFile(file, '{}\n');
    const known: Contents = await readManifest(root);
    const log = await open(file, 'a', 0o600);
    let writing: Promise<void> = Promise.resolve();
    let isNoted = false;
    const manifest: Manifest = {
      ...known,
      async note(part, key, value) {
        isNoted = true;
        writing = writing.then(async () => {
          // A line that a kill has cut short ends here.
          await log.appendFile(`\n${JSON.stringify({ [part]: { [key]: value } })}\n`);
          await log.datasync();
        });
        await writing;
        known[part].set(key, value);
      },
    };
    const result = await work(manifest).finally(() => log.close());
    const { files, downloads, feeds, named } = known;
    const whole = Object.entries({ files, downloads, feeds, named }).map(
      ([part, all]) => [part, Object.fromEntries<unknown>(all)] as const,
    );
    const text = JSON.stringify({ root: root.path, ...Object.fromEntries(whole) });
    if (isNoted) await replaceFile(file, `${text}\n`);
    return result;
  } finally {
    release();
  }
}

/**
 * What stands in the manifest of a root, for a run that writes nothing.
 * @throws ArtworkError `conflict` where it is damaged
 */
export async function readManifest(root: DownloadRoot): Promise<Manifest> {
  const file = fileOf(root);
  const lines = (await nullOn('ENOENT', readFile(file, 'utf8')))?.split('\n').filter(Boolean) ?? [];
  const all = lines.map((text) => line.safeParse(jsonOf(text)).data);
  if (lines.length > 0 && all[0] === undefined) {
    throw new ArtworkError('conflict', `${file}, the list of what was downloaded, is damaged.`, {
      code: 'download_manifest_damaged',
      next: {
        why: "A person restores it from a backup, or moves it away. Without it, every file counts as another program's.",
      },
    });
  }
  // What a line that was cut short was to note was not begun.
  const whole = all.flatMap((one) => one ?? []);
  return {
    files: new Map(whole.flatMap(({ files = {} }) => Object.entries(files))),
    downloads: new Map(whole.flatMap(({ downloads = {} }) => Object.entries(downloads))),
    feeds: new Map(whole.flatMap(({ feeds = {} }) => Object.entries(feeds))),
    named: new Map(whole.flatMap(({ named = {} }) => Object.entries(named))),
    note: () => Promise.reject(new TypeError('This manifest was opened to be read.')),
  };
}

function fileOf({ path: at, home }: DownloadRoot): string {
  const digest = createHash('sha256').update(at).digest('base64url').slice(0, 24);
  return path.join(home, 'downloads', `${digest}.json`);
}

/** Longest that another run is waited for, and what is left of a call after it, ms. */
const longestWait = 20_000;
const leastLeft = 10_000;

/** Has a file for one run alone, by a transaction that the system ends with its process. */
async function takeLock(file: string, { left, signal }: Deadline): Promise<() => void> {
  const until = Math.max(left() - longestWait, leastLeft);
  const { default: Libsql } = await import('libsql');
  const database = new Libsql(file);
  for (;;) {
    try {
      database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return () => database.close();
    } catch (error) {
      const isBusy = codeOf(error)?.startsWith('SQLITE_BUSY') === true;
      if (isBusy && left() > until && !signal.aborted) {
        await sleep(100);
        continue;
      }
      database.close();
      if (!isBusy) throw error;
      throw new ArtworkError('conflict', 'Another call or program is writing to this folder.', {
        code: 'download_busy',
        next: { why: 'Make the same call again when that has ended. It may find nothing left to do.' },
      });
    }
  }
}
