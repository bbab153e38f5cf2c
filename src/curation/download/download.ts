import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Catalogue } from '../../catalogue/client.ts';
import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn } from '../../model/asset.ts';
import { isWorkKind, type SetKind } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf, type SetMember, setOf } from '../../model/set.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfTarget, type WorkTarget } from '../../model/target.ts';
import type { Settings } from '../../settings.ts';
import { sweepFolder } from '../../store/draft.ts';
import type { Marks } from '../../store/kv.ts';
import type { OwnRecords } from '../own.ts';
import { createPlanStore } from '../plan/store.ts';
import { type Fetched, fetchPicture } from './fetch-picture.ts';
import { type LayoutName, layouts } from './layouts.ts';
import { openLibrary } from './library.ts';
import { type KeptDownload, type Manifest, readManifest, withManifest } from './manifest.ts';
import { folderOfSet } from './names.ts';
import {
  type Picture,
  type PlacedFile,
  type Places,
  picturesToDownload,
  placePictures,
  workOf,
} from './place.ts';
import { type DownloadRoot, enterFolder, openDownloadRoot } from './root.ts';
import { DiskFull, type Settled, settleFile, type Writing, writingFailed } from './write.ts';

interface DownloadMeans {
  readonly settings: Pick<Settings, 'baseUrl' | 'assetUrl' | 'downloadRoot' | 'home'>;
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage' | 'readFeedPage'>;
  store(): Promise<Marks>;
  account(): Promise<{ records(namespace: string): Promise<OwnRecords> }>;
}

export interface DownloadPorts {
  readonly root: DownloadRoot;
  readonly store: Pick<Marks, 'putIfAbsent' | 'compareAndSet'>;
  /** Tells one catalogue from another. */
  readonly service: string;
  readonly catalogue: DownloadMeans['catalogue'];
  readonly deadline: Deadline;
  progress(done: number, total: number): Promise<void>;
  /** Names of works that a person has confirmed for plans: their folders may be called so. */
  alsoCalled(work: WorkTarget): Promise<readonly string[]>;
}

/**
 * What downloads and updates work with.
 * @throws ArtworkError as `openDownloadRoot`
 */
export async function openDownloads(
  { settings, catalogue, store, account }: DownloadMeans,
  deadline: Deadline,
  progress: DownloadPorts['progress'],
): Promise<DownloadPorts> {
  const { baseUrl, assetUrl, downloadRoot, home } = settings;
  return {
    root: await openDownloadRoot(downloadRoot, home),
    store: await store(),
    service: [baseUrl ?? 'embedded', ...(assetUrl === null ? [] : [assetUrl])].join(' '),
    ...{ catalogue, deadline, progress },
    async alsoCalled({ kind, id }) {
      if (!isWorkKind(kind)) return [];
      const { records } = await account();
      return createPlanStore(await records('plans')).namesOf({ kind, id });
    },
  };
}

interface DownloadWish {
  readonly set: ArtworkSet;
  readonly layout: LayoutName;
  /** Below the root. */
  readonly folders: readonly string[];
  /** Null: all. */
  readonly slots: readonly Slot[] | null;
  /** Of Kometa: whether each work has a folder. */
  readonly assetFolders: boolean;
  readonly languageCode: string | null;
  readonly takeOver: boolean;
  readonly dryRun: boolean;
  /** Of an update: keys of the works whose folders were there before, and the Sets of a group that need not be read. */
  readonly update?: {
    readonly worksBefore: ReadonlySet<string>;
    readonly skips: (member: SetMember) => boolean;
  };
}

/** A Set of a group that gives no pictures, and why, as words that end a sentence. */
interface SetLeftOut {
  readonly kind: SetKind | null;
  readonly id: number;
  readonly title: string;
  readonly state: 'other_language' | 'failed' | 'no_public_read' | 'too_many' | 'pending';
  readonly why: string;
}

/** What became of one placed file. */
export interface FileOutcome {
  readonly file: PlacedFile;
  /** Below the root, with `/`; its ending is left open where the bytes have not told it. */
  readonly path: string;
  /** The type that the reader can't read, and that it was converted from, or would be as far as its path tells. */
  readonly convertedFrom?: string;
  readonly outcome:
    | Settled
    | { readonly state: 'failed'; readonly error: ArtworkError }
    /** Not begun: the time, bytes or disk of this call came to an end before, or too many failed in a row. */
    | { readonly state: 'pending' };
}

export interface Ran {
  readonly set: ArtworkSet;
  /** How many pictures the Set, or a group's Sets, have in the slots that were asked for. */
  readonly pictures: number;
  readonly setsLeftOut: readonly SetLeftOut[];
  readonly places: Places;
  readonly outcomes: readonly FileOutcome[];
  /** Fetched in this call. */
  readonly bytes: number;
  readonly diskFull: boolean;
  /** Failures in a row after which no further picture was begun; null where it did not come to that. */
  readonly stoppedAfter: number | null;
  /** The file that tells Kometa of the pictures. */
  readonly metadata: Pick<FileOutcome, 'path' | 'outcome'> | null;
}

/** Reads and pictures at a time: the service states no limits, and decoding keeps a small machine busy. */
const few = 4;
/** Sets of one group; a bound, because they come from an answer. */
const mostMembers = 500;
/** Bytes that one call fetches before it leaves the rest to the next one. */
const mostBytes = 512 * 1024 * 1024;
/** Pictures that may fail in a row: a service that has none of them is not asked for all of a large Set. */
const mostFailures = 24;
/** With less of a call's time left no further Set, and no further picture, is begun, ms. */
const leastForSet = 15_000;
const leastForPicture = 8_000;
/** What is left of the call for its answer, ms. */
const answerTime = 3_000;
/** Most that a picture may take, ms. The first has all the time that there is: a slow line brings one a call. */
const pictureTime = 15_000;

/** What an earlier call of the same download has learned, as long as it has not come to its end. */
interface Unfinished {
  readonly known: Map<string, ArtworkSet>;
  /** Paths of pictures that failed: they are tried last, so that they hold nothing else up. */
  readonly failed: Set<string>;
}
const mostUnfinished = 16;
const unfinished = new Map<string, Unfinished>();

/**
 * Gathers the pictures of a Set or group, finds their places, and brings them there, as far as one call reaches. The
 * same call again goes on with the rest.
 * @throws ArtworkError of the root, the manifest; `cancelled`
 */
export async function runDownload(wish: DownloadWish, ports: DownloadPorts): Promise<Ran> {
  // A dry run notes the files that may be taken over.
  return wish.dryRun && !wish.takeOver
    ? bring(wish, ports, await readManifest(ports.root))
    : withManifest(ports, (manifest) => bring(wish, ports, manifest));
}

async function bring(wish: DownloadWish, ports: DownloadPorts, manifest: Manifest): Promise<Ran> {
  const { root, service, alsoCalled } = ports;
  const { set, layout, folders, assetFolders, dryRun } = wish;
  const key = keyOf(wish, service);
  const unfinishedKey = JSON.stringify([root.path, key]);
  const before = unfinished.get(unfinishedKey) ?? { known: new Map(), failed: new Set() };
  const { pictures, setsLeftOut } = await gather(wish, ports, before.known);
  const library = openLibrary(root, folders, alsoCalled);
  const places = await placePictures(pictures, {
    ...{ layout: layouts[layout], folders, assetFolders, library },
    worksBefore: wish.update?.worksBefore ?? new Set(),
    everywhere: folders.length === 0 ? library : openLibrary(root, [], alsoCalled),
  });
  const kept = manifest.downloads.get(key);
  if (!dryRun && places.files.length + waitingOf(places).length > 0)
    await manifest.note('downloads', key, begunOf(wish, service, kept));
  const replaced = path.join(root.home, 'replaced', new Date().toISOString().replaceAll(':', '-'));
  const writing = { root, manifest, dryRun, takeOver: wish.takeOver ? replaced : null };
  const brought = await bringFiles(places.files, layout, before.failed, writing, ports);
  const ran = { set, pictures: pictures.length, setsLeftOut, places, ...brought };
  unfinished.delete(unfinishedKey);
  if (isPending(ran)) unfinished.set(unfinishedKey, before);
  const [oldest] = unfinished.keys();
  if (unfinished.size > mostUnfinished && oldest !== undefined) unfinished.delete(oldest);
  const metadata = layout === 'kometa' ? await writeMetadata(wish, writing, ports, ran) : null;
  const now = manifest.downloads.get(key);
  if (!dryRun && now !== undefined)
    await manifest.note('downloads', key, endedOf(now, wish, ran, [...before.known.values()]));
  return { ...ran, metadata };
}

/** The same for calls that bring the same Set to the same places. */
function keyOf({ set, folders, layout, assetFolders }: DownloadWish, service: string): string {
  return JSON.stringify([service, set.kind, set.id, layout, folders, assetFolders]);
}

/** As it is noted before the first file is written: a process that is killed leaves it to the next update. */
function begunOf(wish: DownloadWish, service: string, kept: KeptDownload | undefined): KeptDownload {
  const { set, layout, folders, assetFolders, languageCode } = wish;
  return {
    ...(kept ?? {
      ...{ readAt: Date.now(), updated: null, seen: null, members: [], assets: [], works: [], waiting: [] },
    }),
    ...{ kind: set.kind, id: set.id, title: set.title, service, layout, folders: [...folders] },
    ...{ assetFolders, languageCode, slots: slotsOfBoth(kept, wish.slots), state: 'begun' },
  };
}

/** What two calls for the same Set asked for together. Null: all. */
function slotsOfBoth(kept: KeptDownload | undefined, slots: readonly Slot[] | null): Slot[] | null {
  if (slots === null || kept?.slots === null) return null;
  return [...new Set([...(kept?.slots ?? []), ...slots])];
}

/** How far a call came. @param read of a group: its Sets that were read */
function endedOf(
  kept: KeptDownload,
  { set, slots }: DownloadWish,
  ran: Omit<Ran, 'metadata'>,
  read: readonly ArtworkSet[],
): KeptDownload {
  const isAll = kept.slots?.length === slots?.length;
  const isLeft =
    isPending(ran) ||
    ran.setsLeftOut.some(({ state }) => state === 'failed') ||
    ran.places.leftOut.some(({ state }) => state === 'unclear') ||
    ran.outcomes.some(({ outcome }) => outcome.state === 'failed');
  const members = new Map(kept.members.map((one) => [keyOfTarget(one), one]));
  for (const { kind, id, updated } of read) members.set(keyOfTarget({ kind, id }), { kind, id, updated });
  const assets = [set, ...read].flatMap(picturesOf).flatMap(({ path: ref }) => startOfAsset(assetIdIn(ref)));
  const works = ran.places.works.filter(({ is }) => is !== 'unclear').map(({ work }) => keyOfTarget(work));
  return {
    ...kept,
    ...{ title: set.title, state: isLeft || !isAll ? 'begun' : 'whole', updated: set.updated },
    readAt: Date.now(),
    members: [...members.values()],
    assets: [...new Set(read.length < members.size ? [...kept.assets, ...assets] : assets)],
    works: [...new Set([...kept.works, ...works])],
    waiting: waitingOf(ran.places),
  };
}

/** How an Asset's id begins, in lower case; none for what is no id. */
export function startOfAsset(id: string | null): string[] {
  return id === null ? [] : [id.slice(0, 13).toLowerCase()];
}

/** The episodes whose video had not come, by the folders of their shows. */
function waitingOf({ files, leftOut, works }: Places): KeptDownload['waiting'] {
  const without = [
    ...files.filter(({ lacksVideo }) => lacksVideo === true),
    ...leftOut.filter(({ state }) => state === 'no_video'),
  ].map(({ picture }) => picture);
  return works.flatMap(({ work, folder }) => {
    const own = without.filter((picture) => workOf(picture)?.id === work.id);
    const episodes = own.flatMap(({ target }) =>
      target.kind === 'episode' ? [`${target.season} ${target.episode}`] : [],
    );
    return episodes.length === 0 ? [] : [{ folder: [...folder], episodes }];
  });
}

/**
 * The pictures of a Set, or of all Sets of a group with the group's own poster. One Set of a group that can't be read
 * leaves the others as they are.
 */
async function gather(
  { set, slots, languageCode, update }: DownloadWish,
  { catalogue, deadline }: DownloadPorts,
  known: Map<string, ArtworkSet>,
): Promise<{ readonly pictures: readonly Picture[]; readonly setsLeftOut: readonly SetLeftOut[] }> {
  const read = async (member: SetMember): Promise<ArtworkSet | SetLeftOut> => {
    const { kind, id, title } = member;
    const without = (state: SetLeftOut['state'], why: string) => ({ kind, id, title, state, why });
    if (kind === null) return without('no_public_read', 'public reads have no Sets of its kind');
    const before = known.get(keyOfTarget({ kind, id }));
    if (before !== undefined) return before;
    if (deadline.left() < leastForSet) return without('pending', 'there was no time left to read it');
    try {
      const found = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
      known.set(keyOfTarget(found), found);
      return found;
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
      return without('failed', error.message);
    }
  };
  const isGroup = set.members.length > 0;
  const wanted = set.members.slice(0, mostMembers).filter((member) => update?.skips(member) !== true);
  const sets: (ArtworkSet | SetLeftOut)[] = isGroup ? await mapLimit(wanted, few, read) : [set];
  for (const { kind, id, title } of set.members.slice(mostMembers)) {
    const why = `only the first ${mostMembers} Sets of a group are taken`;
    sets.push({ kind, id, title, state: 'too_many', why });
  }
  // A group's own poster belongs to all of its languages.
  const pictures = isGroup ? picturesToDownload(set) : [];
  const setsLeftOut: SetLeftOut[] = [];
  for (const one of sets) {
    if (!('places' in one)) setsLeftOut.push(one);
    else if (languageCode === null || isOfLanguage(one, languageCode))
      pictures.push(...picturesToDownload(one));
    else {
      const why = one.language === null ? 'it tells no language' : `it is in ${one.language}`;
      setsLeftOut.push({ kind: one.kind, id: one.id, title: one.title, state: 'other_language', why });
    }
  }
  return { pictures: pictures.filter(({ slot }) => slots?.includes(slot) !== false), setsLeftOut };
}

/** `en` is every English; `en-GB` is that alone. */
function isOfLanguage({ language }: ArtworkSet, wanted: string): boolean {
  const [has, asked] = [language?.toLowerCase(), wanted.toLowerCase()];
  return has !== undefined && (has === asked || has.startsWith(`${asked}-`));
}

type Brought = Pick<Ran, 'outcomes' | 'bytes' | 'diskFull' | 'stoppedAfter'>;

/** Brings every file to where it belongs, as far as this call reaches. One that fails leaves the others as they are. */
async function bringFiles(
  files: readonly PlacedFile[],
  layout: LayoutName,
  failedBefore: Set<string>,
  writing: Writing,
  { catalogue, service, deadline, progress }: DownloadPorts,
): Promise<Brought> {
  const { root, dryRun } = writing;
  const { types } = layouts[layout];
  const swept = new Set<string>();
  const fetched = new Map<string, Promise<Fetched>>();
  let [bytes, done, failures, diskFull] = [0, 0, 0, false];
  // Several files may be of one picture, as those beside two versions of an episode: it is fetched once.
  const fetch = (ref: string, mostTime: number): Promise<Fetched> => {
    const until = noLaterThan(deadline, Math.min(mostTime, deadline.left() - answerTime));
    const found = fetched.get(ref) ?? fetchPicture(catalogue, ref, types, until);
    fetched.set(ref, found);
    return found;
  };
  const counts = new Map<string, number>();
  for (const { picture } of files) counts.set(picture.path, (counts.get(picture.path) ?? 0) + 1);

  const settle = async (file: PlacedFile, mostTime: number): Promise<FileOutcome> => {
    const { path: ref, set } = file.picture;
    const end = likelyEnd(ref);
    let from = dryRun && end !== null && !types.some((type) => type === end) ? end : null;
    const told = (outcome: FileOutcome['outcome']): FileOutcome => {
      const name = 'name' in outcome ? outcome.name : file.stem + endingOf(end, from);
      const isTold = from !== null && outcome.state !== 'left_alone' && outcome.state !== 'present';
      return {
        ...{ file, path: [...file.folders, name].join('/'), outcome },
        ...(isTold && from !== null ? { convertedFrom: from } : {}),
      };
    };
    const isEnough = diskFull || bytes >= mostBytes || failures >= mostFailures;
    if (isEnough || (!dryRun && deadline.left() < leastForPicture)) return told({ state: 'pending' });
    try {
      const folder = await enterFolder(root, file.folders, !dryRun);
      if (folder !== null && !dryRun && !swept.has(folder)) {
        swept.add(folder);
        await sweepFolder(folder, Date.now());
      }
      const settled = await settleFile(
        {
          ...{ folder, name: file.stem, isPicture: true },
          source: { service, ref, setUpdated: set.updated },
          isSameSource: (written) =>
            written.service === service &&
            written.ref === ref &&
            (assetIdIn(ref) !== null || (set.updated !== null && written.setUpdated === set.updated)),
          content: async () => {
            const found = await fetch(ref, mostTime);
            bytes += found.bytes.length;
            // A picture that arrived says something of the service; one that was there already does not.
            if (failures < mostFailures) failures = 0;
            from = found.convertedFrom;
            return found;
          },
        },
        writing,
      );
      failedBefore.delete(ref);
      return told(settled);
    } catch (error) {
      if (error instanceof DiskFull) {
        diskFull = true;
        return told({ state: 'pending' });
      }
      if (error instanceof ArtworkError && isOfAll(error)) throw error;
      failedBefore.add(ref);
      failures += 1;
      return told({ state: 'failed', error: writingFailed(error) });
    } finally {
      counts.set(ref, (counts.get(ref) ?? 1) - 1);
      if (counts.get(ref) === 0) fetched.delete(ref);
    }
  };
  const ordered = [
    ...files.filter(({ picture }) => !failedBefore.has(picture.path)),
    ...files.filter(({ picture }) => failedBefore.has(picture.path)),
  ];
  const outcomes = await mapLimit(ordered, few, async (file, index) => {
    const outcome = await settle(file, index === 0 ? Number.POSITIVE_INFINITY : pictureTime);
    done += 1;
    await progress(done, files.length);
    return outcome;
  });
  const order = new Map(files.map((file, index) => [file, index]));
  const inOrder = outcomes.toSorted(
    (one, other) => (order.get(one.file) ?? 0) - (order.get(other.file) ?? 0),
  );
  return { outcomes: inOrder, bytes, diskFull, stoppedAfter: failures < mostFailures ? null : failures };
}

/** What ends the whole run: nothing that follows could be noted. */
function isOfAll({ category, code }: ArtworkError): boolean {
  return category === 'cancelled' || code === 'download_busy' || /^(?:store|home)_/.test(code);
}

/** The type that the service's path tells, which the bytes may prove wrong. */
function likelyEnd(ref: string): string | null {
  const [, end] = /\.(png|jpe?g|webp|gif)(?:\?|$)/i.exec(ref) ?? [];
  return end?.toLowerCase().replace('jpg', 'jpeg') ?? null;
}

/** Of what is to be converted only its pixels tell the ending. */
function endingOf(end: string | null, from: string | null): string {
  return end === null || from !== null ? '' : `.${end.replace('jpeg', 'jpg')}`;
}

/** The file names what lies in place by now; a call that goes on replaces it by one that names more. */
async function writeMetadata(
  { folders, set, dryRun }: DownloadWish,
  writing: Writing,
  { root, service }: DownloadPorts,
  { outcomes }: Pick<Ran, 'outcomes'>,
): Promise<Ran['metadata']> {
  const { kometaMetadata } = await import('./kometa-metadata.ts');
  const placed = outcomes.filter(
    ({ outcome }) => !['failed', 'pending', 'left_alone'].includes(outcome.state),
  );
  const text = kometaMetadata(
    set,
    placed.map(({ file, path: below }) => ({ picture: file.picture, file: path.join(root.path, below) })),
  );
  if (text === null) return null;
  const name = `${folderOfSet(set)}.yml`;
  const below = [...folders, name].join('/');
  try {
    const outcome = await settleFile(
      {
        ...{ folder: await enterFolder(root, folders, !dryRun), name, isPicture: false },
        source: { service, ref: 'metadata file for Kometa', setUpdated: set.updated },
        isSameSource: ({ digests }) => digests[0] === createHash('sha256').update(text).digest('hex'),
        content: async () => ({ bytes: Buffer.from(text), ending: '' }),
      },
      { ...writing, takeOver: null },
    );
    return { path: below, outcome };
  } catch (error) {
    if (error instanceof DiskFull) return { path: below, outcome: { state: 'pending' } };
    return { path: below, outcome: { state: 'failed', error: writingFailed(error) } };
  }
}

export function isPending({ setsLeftOut, outcomes }: Pick<Ran, 'setsLeftOut' | 'outcomes'>): boolean {
  return [...setsLeftOut, ...outcomes.map(({ outcome }) => outcome)].some(({ state }) => state === 'pending');
}
