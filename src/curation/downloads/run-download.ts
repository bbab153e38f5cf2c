import path from 'node:path';
import type { Call, Catalogue } from '../../catalogue/client.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { AtomicStore } from '../../storage/atomic-store.ts';
import type { DownloadRoot } from './download-root.ts';
import { type Downloaded, downloadFiles } from './download.ts';
import { enterFolder } from './enter-folder.ts';
import { type Gathered, gatherPictures } from './gather.ts';
import type { PlacedPicture } from './kometa-metadata.ts';
import { type Layout, setFolder } from './layouts.ts';
import { createMediaFolders } from './media-folders.ts';
import { DiskFull, writingFailed } from './place-file.ts';
import { type FilePlan, planFiles } from './plan-files.ts';
import type { SetContents } from './set-pictures.ts';
import { type Settled, settleText } from './settle-file.ts';
import { createWrittenFiles, type WrittenFiles } from './written.ts';

export interface DownloadPorts {
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage'>;
  readonly root: DownloadRoot;
  readonly store: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet'>;
  /** Tells one catalogue from another. */
  readonly service: string;
  call(): Call;
  progress(done: number, total: number): Promise<void>;
}

export interface DownloadWish {
  readonly contents: SetContents;
  readonly layout: Layout;
  /** Below the root. */
  readonly folders: readonly string[];
  readonly slots: ReadonlySet<string> | null;
  readonly languageCode: string | null;
  readonly dryRun: boolean;
}

/** The file that tells Kometa of the pictures, or why there is none. */
export type MetadataFile =
  | { readonly path: string; readonly outcome: Settled }
  | { readonly path: string; readonly error: ArtworkError };

export interface Ran {
  readonly gathered: Gathered;
  readonly plan: FilePlan;
  readonly downloaded: Downloaded;
  readonly metadata: MetadataFile | null;
}

/** What an earlier call of the same download has learned, as long as it has not come to its end. */
interface Unfinished {
  readonly known: Map<string, SetContents>;
  readonly failedBefore: Set<string>;
}

const mostUnfinished = 16;
const unfinished = new Map<string, Unfinished>();

/** In ms: with less of the call's time left no further Set of a group is read. */
const leastTime = 15_000;

/**
 * Gathers the pictures of a Set or group, plans their places, and brings them there, as far as one call reaches. The
 * same call again goes on with the rest.
 * @throws ArtworkError
 */
export async function runDownload(wish: DownloadWish, ports: DownloadPorts): Promise<Ran> {
  const { root, call, catalogue, service } = ports;
  const { folders, layout, dryRun } = wish;
  const key = JSON.stringify([
    root.path,
    service,
    wish.contents.set.kind,
    wish.contents.set.id,
    folders,
    layout,
  ]);
  const before = unfinished.get(key) ?? { known: new Map(), failedBefore: new Set() };
  const gathered = await gatherPictures(wish.contents, {
    ...{ catalogue, call, known: before.known },
    languageCode: wish.languageCode,
    slots: wish.slots,
    hasTime: () => (call().deadlineMs ?? 0) > leastTime,
  });
  const plan = await planFiles(gathered.pictures, layout, createMediaFolders(root, folders));
  const record = createWrittenFiles(ports.store);
  const { failedBefore } = before;
  const downloaded = await downloadFiles(plan.files, {
    ...{ catalogue, root, folders, record, service, dryRun, failedBefore, call },
    progress: ports.progress,
  });
  const isPending =
    downloaded.outcomes.some(({ outcome }) => outcome.state === 'pending') ||
    gathered.setsLeftOut.some(({ state }) => state === 'pending');
  unfinished.delete(key);
  if (isPending) unfinished.set(key, before);
  const [oldest] = unfinished.keys();
  if (unfinished.size > mostUnfinished && oldest !== undefined) unfinished.delete(oldest);
  const metadata =
    layout === 'kometa' ? await writeMetadata(wish, ports, gathered, downloaded, record) : null;
  return { gathered, plan, downloaded, metadata };
}

/** The file names what lies in place by now; a call that goes on replaces it by one that names more. */
async function writeMetadata(
  { folders, dryRun }: DownloadWish,
  { root, service }: DownloadPorts,
  { set }: Gathered,
  { outcomes }: Downloaded,
  record: WrittenFiles,
): Promise<MetadataFile | null> {
  const placed = outcomes.flatMap(({ file, path: below, outcome }): PlacedPicture[] =>
    outcome.state === 'failed' || outcome.state === 'pending' || outcome.state === 'left_alone'
      ? []
      : [{ picture: file.picture, file: path.join(root.path, below) }],
  );
  const { kometaMetadata } = await import('./kometa-metadata.ts');
  const text = kometaMetadata(set, placed);
  if (text === null) return null;
  const name = `${setFolder(set)}.yml`;
  const below = [...folders, name].join('/');
  const source = {
    service,
    ref: 'metadata file for Kometa',
    set: `${set.kind} ${set.id}`,
    setUpdated: set.dateUpdated,
  };
  try {
    const folder = await enterFolder(root, folders, !dryRun);
    return { path: below, outcome: await settleText(folder, name, text, source, record, dryRun) };
  } catch (error) {
    if (error instanceof DiskFull) {
      return { path: below, error: new ArtworkError('internal', 'The disk is full.', { code: 'disk_full' }) };
    }
    return { path: below, error: writingFailed(error) };
  }
}

/**
 * What leads on from a call. The same call goes on only where this one got further, so that following it always ends.
 * @param again the call as it was made
 */
export function nextOfDownload(
  { gathered, downloaded }: Ran,
  again: Readonly<Record<string, unknown>> & { readonly dryRun?: boolean | undefined },
): Next | null {
  const states = downloaded.outcomes.map(({ outcome }) => outcome.state);
  const call = (args: object, why: string): Next => ({ tool: 'download_set', arguments: { ...args }, why });
  if (again.dryRun === true) {
    const { dryRun: _, ...args } = again;
    const would = states.some((state) => state === 'would_write' || state === 'would_replace');
    return would ? call(args, 'It writes what this shows.') : null;
  }
  const isPending =
    states.includes('pending') || gathered.setsLeftOut.some(({ state }) => state === 'pending');
  if (downloaded.diskFull) {
    return {
      why: 'The disk has no room for the rest. Only a person can free space; then the same call goes on where this one ended.',
    };
  }
  if (!isPending) return null;
  const gotFurther = gathered.read > 0 || states.some((state) => state === 'written' || state === 'replaced');
  if (!gotFurther && downloaded.stoppedAfter !== null) {
    return {
      why: `${downloaded.stoppedAfter} files failed in a row, so the rest was not begun. A person looks at \`problems\`, whether the service has these pictures and whether the folder can be written to; the same call begins with the others then.`,
    };
  }
  return gotFurther
    ? call(again, 'It goes on with the rest; what is there already is not fetched again.')
    : {
        why: 'Nothing arrived in the time of this call. A person looks whether the service can be reached; the same call goes on then.',
      };
}
