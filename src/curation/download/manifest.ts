import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { sleep } from '../../clock.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, codeOf } from '../../errors.ts';
import { allSetKinds } from '../../model/kinds.ts';
import { allSlots } from '../../model/slots.ts';
import { replaceFile } from '../../store/draft.ts';
import { createPrivateFile, makePrivateFolder, prepareHome } from '../../store/home.ts';
import { jsonOf } from '../../text.ts';
import { layoutNames } from './layouts.ts';
import type { DownloadRoot } from './root.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const writtenFile = z.object({
  /** What was written, the latest first: a process that was killed may have left the one before. */
  digests: z.array(sha256).min(1),
  /** The catalogue that it came from, with its path there. */
  source: z.string(),
  /** The Set's `dateUpdated` when it was read. */
  setUpdated: z.string().nullable(),
  /** The key of the download that wrote it last, or found it there. */
  by: z.string(),
});

export type WrittenFile = Readonly<z.output<typeof writtenFile>>;

/** A download as it was asked for, and how far it came: what an update goes by. */
const keptDownload = z.object({
  ...{ kind: z.enum(allSetKinds), id: z.int(), title: z.string(), service: z.string() },
  /** `folders`: below the root. `slots`: null for all. */
  ...{ layout: z.enum(layoutNames), folders: z.array(z.string()), assetFolders: z.boolean() },
  ...{ slots: z.array(z.enum(allSlots)).nullable(), languageCode: z.string().nullable() },
  /** Something may be left to be brought. */
  isLeft: z.boolean(),
  /** Grows with each call of download_set: of several that have a picture for one place, the latest has it. */
  turn: z.int(),
  /** When its Set was read, by this machine's clock, ms. */
  readAt: z.number(),
  /** What a change in the feeds may name: the Set, the Sets of a group (`keyOfTarget`), and ids of Assets. */
  subjects: z.array(z.string()),
  /** Episodes (`S01E02`) without a video of their own in a show's folder. */
  waiting: z.array(z.object({ folder: z.array(z.string()), episodes: z.array(z.string()) })),
});
export type KeptDownload = Readonly<z.output<typeof keptDownload>>;

const parts = {
  /** By place: the path below the root, with `/` and without an ending. */
  files: z.record(z.string(), writtenFile),
  downloads: z.record(z.string(), keptDownload),
  /** By catalogue: when the last update that came to its end began, by this machine's clock, ms. */
  updates: z.record(z.string(), z.number()),
  /** Files of other programs that a dry run has named, with their digests: only these are taken over. */
  named: z.record(z.string(), sha256),
};
type PartName = keyof typeof parts;
type Part<Name extends PartName> = z.output<(typeof parts)[Name]>[string];
type Contents = { readonly [Name in PartName]: Map<string, Part<Name>> };

/** The record of all files that were written below one root. */
export interface Manifest extends Contents {
  readonly root: DownloadRoot;
  /** Notes something before it is done: it is on the disk when the promise resolves. */
  note<Name extends PartName>(part: Name, key: string, value: Part<Name>): Promise<void>;
}

const line = z.object(parts).partial();

/** @throws ArtworkError `conflict` (`download_manifest_damaged`) */
async function readContents(file: string): Promise<Contents> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  const [first, ...noted] = lines.map((text) => line.safeParse(jsonOf(text)).data);
  if (first === undefined) {
    const why = "A person restores or moves it. Without it, every file counts as another program's.";
    const message = `${file}, the list of what was downloaded, is damaged.`;
    throw new ArtworkError('conflict', message, { code: 'download_manifest_damaged', next: { why } });
  }
  // A line that a kill has cut short was to note something that was not begun.
  const whole = [first, ...noted.filter((one) => one !== undefined)];
  return {
    files: new Map(whole.flatMap(({ files = {} }) => Object.entries(files))),
    downloads: new Map(whole.flatMap(({ downloads = {} }) => Object.entries(downloads))),
    updates: new Map(whole.flatMap(({ updates = {} }) => Object.entries(updates))),
    named: new Map(whole.flatMap(({ named = {} }) => Object.entries(named))),
  };
}

/**
 * Runs `work` with the manifest of a root. Each note is a line of its own at the end of the file, and what is whole
 * becomes one line when the run ends.
 * @throws ArtworkError `conflict`: `download_busy` where another run has the root for too long,
 *   `download_manifest_damaged`
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
    const contents = await readContents(file);
    const log = await open(file, 'a', 0o600);
    let last: Promise<void> = Promise.resolve();
    const note: Manifest['note'] = async (part, key, value) => {
      last = last.then(async () => {
        // The first line break ends a line that a kill has cut short.
        await log.appendFile(`\n${JSON.stringify({ [part]: { [key]: value } })}\n`);
        await log.datasync();
      });
      await last;
      contents[part].set(key, value);
    };
    const result = await work({ ...contents, root, note }).finally(() => log.close());
    const asRecords = (_: string, value: unknown) =>
      value instanceof Map ? Object.fromEntries(value) : value;
    await replaceFile(file, `${JSON.stringify({ root: root.path, ...contents }, asRecords)}\n`);
    return result;
  } finally {
    release();
  }
}

function fileOf({ path: root, home }: DownloadRoot): string {
  const digest = createHash('sha256').update(root).digest('base64url').slice(0, 24);
  return path.join(home, 'downloads', `${digest}.json`);
}

/** So long another run is waited for, while so much of the call is left. ms */
const longestWait = 20_000;
const leastLeft = 10_000;

/** Holds a file for one run alone, by a transaction that the system ends with its process. */
async function takeLock(file: string, { left, signal }: Deadline): Promise<() => void> {
  const { default: Libsql } = await import('libsql');
  const giveUpAt = Math.max(left() - longestWait, leastLeft);
  const database = new Libsql(file);
  for (;;) {
    try {
      database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return () => database.close();
    } catch (error) {
      const isBusy = codeOf(error)?.startsWith('SQLITE_BUSY') === true;
      if (!isBusy || left() <= giveUpAt || signal.aborted) {
        database.close();
        const why = 'Make the same call again when that has ended. It may find nothing left to do.';
        const message = 'Another call or program is writing to this folder.';
        throw isBusy
          ? new ArtworkError('conflict', message, { code: 'download_busy', next: { why } })
          : error;
      }
    }
    await sleep(100);
  }
}
