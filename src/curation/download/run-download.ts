import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { ArtworkSet, SetMember } from '../../model/set.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfTarget, type WorkTarget } from '../../model/target.ts';
import type { Marks } from '../../store/kv.ts';
import { type Downloaded, downloadFiles } from './download.ts';
import { type DownloadRoot, enterFolder } from './download-root.ts';
import { folderOfSet } from './file-names.ts';
import { type Gathered, gatherPictures } from './gather.ts';
import { createKeptDownloads } from './kept-downloads.ts';
import type { PlacedPicture } from './kometa-metadata.ts';
import { type LayoutName, layouts } from './layouts/index.ts';
import { createMedia } from './media.ts';
import { DiskFull, writingFailed } from './place-file.ts';
import { type FilesToPlace, planFiles } from './plan-files.ts';
import { createWrittenFiles, type Settled, settleText, type WrittenFiles } from './settle-file.ts';

export interface DownloadPorts {
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage'>;
  readonly root: DownloadRoot;
  readonly store: Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'>;
  /** Tells one catalogue from another. */
  readonly service: string;
  readonly deadline: Deadline;
  /** Other names of a work that a person has confirmed. */
  alsoCalled(work: WorkTarget): Promise<readonly string[]>;
  progress(done: number, total: number): Promise<void>;
}

interface DownloadWish {
  readonly set: ArtworkSet;
  readonly layout: LayoutName;
  /** Below the root. */
  readonly folders: readonly string[];
  readonly slots: ReadonlySet<Slot> | null;
  /** Of Kometa: whether each work has a folder. */
  readonly assetFolders: boolean;
  readonly languageCode: string | null;
  readonly dryRun: boolean;
  /** Of an update. */
  readonly update?: {
    /** Keys of the works whose folders were found or made before: such a folder that is missing is not made anew. */
    readonly worksBefore: ReadonlySet<string>;
    /** Whether a Set of a group is what it was, so that it need not be read; null: all are read. */
    readonly skips: ((member: SetMember) => boolean) | null;
  };
}

/** The file that tells Kometa of the pictures, or why there is none. */
type MetadataFile =
  | { readonly path: string; readonly outcome: Settled }
  | { readonly path: string; readonly error: ArtworkError };

export interface Ran {
  readonly gathered: Gathered;
  readonly plan: FilesToPlace;
  readonly downloaded: Downloaded;
  readonly metadata: MetadataFile | null;
}

/** What an earlier call of the same download has learned, as long as it has not come to its end. */
interface Unfinished {
  readonly known: Map<string, ArtworkSet>;
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
  const { root, deadline, catalogue, service } = ports;
  const { folders, layout, dryRun } = wish;
  const { kind, id } = wish.set;
  const key = JSON.stringify([root.path, service, kind, id, folders, layout]);
  const before = unfinished.get(key) ?? { known: new Map(), failedBefore: new Set() };
  const gathered = await gatherPictures(wish.set, {
    ...{ catalogue, deadline, known: before.known },
    languageCode: wish.languageCode,
    slots: wish.slots,
    skips: wish.update?.skips ?? null,
    hasTime: () => deadline.left() > leastTime,
  });
  const media = createMedia(root, folders, ports.alsoCalled);
  const plan = await planFiles(gathered.pictures, {
    ...{ layout: layouts[layout], folders, media, assetFolders: wish.assetFolders },
    worksBefore: wish.update?.worksBefore ?? new Set(),
    everywhere: folders.length === 0 ? media : createMedia(root, [], ports.alsoCalled),
  });
  const kept = createKeptDownloads(ports.store, root.path, service);
  const asked = { kind, id, layout, folders: [...folders], assetFolders: wish.assetFolders };
  const noted = {
    ...asked,
    slots: wish.slots === null ? null : [...wish.slots],
    languageCode: wish.languageCode,
  };
  if (!dryRun && plan.files.length > 0) await kept.begin(noted, wish.set);
  const record = createWrittenFiles(ports.store);
  const { failedBefore } = before;
  const downloaded = await downloadFiles(plan.files, {
    ...{ catalogue, root, record, service, dryRun, failedBefore, deadline },
    progress: ports.progress,
  });
  unfinished.delete(key);
  if (isPending(gathered, downloaded)) unfinished.set(key, before);
  const [oldest] = unfinished.keys();
  if (unfinished.size > mostUnfinished && oldest !== undefined) unfinished.delete(oldest);
  const metadata =
    layout === 'kometa' ? await writeMetadata(wish, ports, gathered, downloaded, record) : null;
  if (!dryRun) {
    await kept.end(noted, wish.set, {
      isWhole: isWhole(gathered, plan, downloaded),
      members: [...before.known.values()],
      works: plan.works.filter(({ is }) => is !== 'unclear').map(({ work }) => keyOfTarget(work)),
    });
  }
  return { gathered, plan, downloaded, metadata };
}

/** Whether nothing is left that a later run could bring. */
function isWhole({ setsLeftOut }: Gathered, { leftOut }: FilesToPlace, { outcomes }: Downloaded): boolean {
  return (
    setsLeftOut.every(({ state }) => state !== 'pending' && state !== 'failed') &&
    leftOut.every(({ state }) => state !== 'unclear') &&
    outcomes.every(({ outcome: { state } }) => state !== 'pending' && state !== 'failed')
  );
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
  const name = `${folderOfSet(set)}.yml`;
  const below = [...folders, name].join('/');
  const source = {
    service,
    ref: 'metadata file for Kometa',
    set: keyOfTarget(set),
    setUpdated: set.updated,
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
  { gathered, plan, downloaded }: Ran,
  again: Readonly<Record<string, unknown>> & { readonly dryRun?: boolean | undefined },
): Next | null {
  const states = downloaded.outcomes.map(({ outcome }) => outcome.state);
  const call = (args: object, why: string): Next => ({ tool: 'download_set', arguments: { ...args }, why });
  if (again.dryRun === true) {
    const { dryRun: _, ...args } = again;
    const would = states.some((state) => state === 'would_write' || state === 'would_replace');
    return would ? call(args, 'It writes what this shows.') : nextOfUnclear(plan);
  }
  if (downloaded.diskFull) {
    return {
      why: 'The disk has no room for the rest. Only a person can free space; then the same call goes on where this one ended.',
    };
  }
  if (!isPending(gathered, downloaded)) return nextOfUnclear(plan);
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

/** Which folder is meant only a person knows. */
function nextOfUnclear({ works }: FilesToPlace): Next | null {
  return works.some(({ is }) => is === 'unclear')
    ? {
        why: 'Ask the person which of the folders in `works` is meant: the same call with that one as `folder` takes it; with another folder beside them it makes a new one.',
      }
    : null;
}

export function isPending({ setsLeftOut }: Gathered, { outcomes }: Downloaded): boolean {
  return [...setsLeftOut, ...outcomes.map(({ outcome }) => outcome)].some(({ state }) => state === 'pending');
}
