import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { AtomicStore } from '../../storage/atomic-store.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { type Downloaded, downloadFiles } from './download.ts';
import { type DownloadRoot, inFolder } from './download-root.ts';
import type { PlacedPicture } from './kometa-metadata.ts';
import { type Layout, setFolder } from './layouts.ts';
import { DiskFull, writingFailed } from './place-file.ts';
import { createMediaFolders, type FilePlan, planFiles } from './plan-files.ts';
import {
  type ChildSet,
  type DownloadedSet,
  type PictureToDownload,
  readSetContents,
  type SetContents,
} from './set-pictures.ts';
import { createWrittenFiles, type Settled, settleText, type WrittenFiles } from './settle-file.ts';

interface DownloadPorts {
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage'>;
  readonly root: DownloadRoot;
  readonly store: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet'>;
  /** Tells one catalogue from another. */
  readonly service: string;
  readonly deadline: Deadline;
  progress(done: number, total: number): Promise<void>;
}

interface DownloadWish {
  readonly contents: SetContents;
  readonly layout: Layout;
  /** Below the root. */
  readonly folders: readonly string[];
  readonly slots: ReadonlySet<string> | null;
  readonly languageCode: string | null;
  readonly dryRun: boolean;
}

/** The file that tells Kometa of the pictures, or why there is none. */
type MetadataFile =
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
  const { root, deadline, catalogue, service } = ports;
  const { folders, layout, dryRun } = wish;
  const { kind, id } = wish.contents.set;
  const key = JSON.stringify([root.path, service, kind, id, folders, layout]);
  const before = unfinished.get(key) ?? { known: new Map(), failedBefore: new Set() };
  const gathered = await gatherPictures(wish.contents, {
    ...{ catalogue, deadline, known: before.known },
    languageCode: wish.languageCode,
    slots: wish.slots,
    hasTime: () => deadline.left() > leastTime,
  });
  const plan = await planFiles(gathered.pictures, layout, createMediaFolders(root, folders));
  const record = createWrittenFiles(ports.store);
  const { failedBefore } = before;
  const downloaded = await downloadFiles(plan.files, {
    ...{ catalogue, root, folders, record, service, dryRun, failedBefore, deadline },
    progress: ports.progress,
  });
  unfinished.delete(key);
  if (isPending(gathered, downloaded)) unfinished.set(key, before);
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
    return await inFolder(root, folders, !dryRun, async (folder) => ({
      path: below,
      outcome: await settleText(folder, name, text, source, record, dryRun),
    }));
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
  if (downloaded.diskFull) {
    return {
      why: 'The disk has no room for the rest. Only a person can free space; then the same call goes on where this one ended.',
    };
  }
  if (!isPending(gathered, downloaded)) return null;
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

function isPending({ setsLeftOut }: Gathered, { outcomes }: Downloaded): boolean {
  return [...setsLeftOut, ...outcomes.map(({ outcome }) => outcome)].some(({ state }) => state === 'pending');
}

/** A Set of a group that gives no pictures, and why, as words that end a sentence. */
interface SetLeftOut {
  readonly kind: string | null;
  readonly id: number | string;
  readonly title: string | null;
  readonly state: 'other_language' | 'failed' | 'no_public_read' | 'too_many' | 'pending';
  readonly why: string;
}

interface Gathered {
  readonly set: DownloadedSet;
  readonly pictures: readonly PictureToDownload[];
  readonly setsLeftOut: readonly SetLeftOut[];
  /** How many Sets were read for it. */
  readonly read: number;
}

interface PictureGathering {
  readonly catalogue: Pick<Catalogue, 'readSet'>;
  /** Null: of any. */
  readonly languageCode: string | null;
  /** Null: all. */
  readonly slots: ReadonlySet<string> | null;
  /** Sets of a group that an earlier call of the same download has read. */
  readonly known: Map<string, SetContents>;
  hasTime(): boolean;
  readonly deadline: Deadline;
}

/** The service states no limits: a few reads at a time. */
const few = 4;
/** Sets of one group; a bound, because they come from an answer. */
const mostChildren = 500;

/**
 * The pictures of a Set, or of all Sets of a group with the group's own poster. One Set of a group that can't be read
 * leaves the others as they are.
 * @throws ArtworkError `cancelled`
 */
async function gatherPictures(contents: SetContents, gathering: PictureGathering): Promise<Gathered> {
  const { languageCode, slots } = gathering;
  const isWanted = ({ set }: SetContents) => languageCode === null || isOfLanguage(set, languageCode);
  const before = gathering.known.size;
  const children = await mapLimit(contents.children.slice(0, mostChildren), few, (child) =>
    readChild(child, gathering),
  );
  // A group's own poster belongs to all of its languages.
  const others = contents.children.slice(mostChildren).map(tooMany);
  const found = [...(contents.children.length > 0 ? [] : [contents]), ...children, ...others].map((one) =>
    'pictures' in one && !isWanted(one) ? ofOtherLanguage(one) : one,
  );
  const own = contents.children.length > 0 ? contents.pictures : [];
  const pictures = [...own, ...found.flatMap((one) => ('pictures' in one ? one.pictures : []))];
  return {
    set: contents.set,
    pictures: pictures.filter(({ slot }) => slots === null || slots.has(slot)),
    setsLeftOut: found.flatMap((one) => ('pictures' in one ? [] : [one])),
    read: gathering.known.size - before,
  };
}

function tooMany({ kind, id, title }: ChildSet): SetLeftOut {
  const why = `only the first ${mostChildren} Sets of a group are taken`;
  return { kind, id, title, state: 'too_many', why };
}

function ofOtherLanguage({ set: { kind, id, title, language } }: SetContents): SetLeftOut {
  const why = language === null ? 'it tells no language' : `it is in ${language}`;
  return { kind, id, title, state: 'other_language', why };
}

async function readChild(
  { kind, id, title }: ChildSet,
  { catalogue, known, hasTime, deadline }: PictureGathering,
): Promise<SetContents | SetLeftOut> {
  if (kind === null || typeof id !== 'number') {
    return { kind, id, title, state: 'no_public_read', why: 'public reads have no Sets of its kind' };
  }
  const key = `${kind} ${id}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (!hasTime()) return { kind, id, title, state: 'pending', why: 'there was no time left to read it' };
  try {
    const found = await readSetContents(catalogue, kind, id, deadline);
    known.set(key, found);
    return found;
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    return { kind, id, title, state: 'failed', why: `${error.code}: ${error.message}` };
  }
}

/** `en` is every English; `en-GB` is that alone. */
function isOfLanguage({ language }: DownloadedSet, wanted: string): boolean {
  const [has, asked] = [language?.toLowerCase(), wanted.toLowerCase()];
  return has !== undefined && (has === asked || has.startsWith(`${asked}-`));
}
