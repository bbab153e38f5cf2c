import type { FeedName } from '../../catalogue/records/kinds.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { type ArtworkSet, setOf } from '../../model/set.ts';
import { keyOfTarget } from '../../model/target.ts';
import { type ChangeEvent, type FeedReach, reachesTo, readFeed } from '../changes/feeds.ts';
import { type DownloadPorts, isPending, type Ran, runDownload, startOfAsset } from './download.ts';
import { openLibrary, videosByEpisode } from './library.ts';
import { type KeptDownload, type Manifest, readManifest, withManifest } from './manifest.ts';

/** What became of one download that was looked after. */
export interface UpdatedDownload {
  readonly download: KeptDownload;
  readonly outcome: /** Its Set moved, something was left, or a video has come. */
    | { readonly is: 'looked'; readonly ran: Ran }
    /** The Set is what it was. */
    | { readonly is: 'same' }
    /** The service has it no more; its files stay. */
    | { readonly is: 'gone' }
    | { readonly is: 'failed'; readonly error: ArtworkError }
    /** Not begun in this call's time. */
    | { readonly is: 'pending' };
}

export interface Update {
  /** How many downloads lie below the root. */
  readonly downloads: number;
  readonly looked: readonly UpdatedDownload[];
  /** Those that the service had no more when an earlier run looked. */
  readonly gone: readonly KeptDownload[];
  /** Not even the feeds could be read to their end in this call's time. */
  readonly feedsCut: boolean;
}

/** Clocks of this machine and the service may differ by so much, and public reads lag behind. ms */
const clockMargin = 60 * 60_000;
/** From one run to the next only the service's clock counts. ms */
const feedMargin = 10 * 60_000;
const mostFeedPages = 400;
/** With less of the call's time left no further Set is begun. ms */
const leastTime = 15_000;
/** The feeds need not tell that a group has another Set: a few are read anew in each run, none more often than daily. */
const mostGroups = 8;
const groupsEvery = 20 * 60 * 60_000;

/**
 * Brings what was downloaded below a root up to date: reads the feeds, then the Sets that changed since, and of these
 * what is new. It goes on where another run ended: what is due is noted before it is done.
 * @throws ArtworkError of the feeds, the manifest and the root; `conflict` (`download_busy`); `cancelled`
 */
export async function updateDownloads(ports: DownloadPorts, dryRun: boolean): Promise<Update> {
  return dryRun
    ? update(ports, await readManifest(ports.root), true)
    : withManifest(ports, (manifest) => update(ports, manifest, false));
}

async function update(ports: DownloadPorts, manifest: Manifest, dryRun: boolean): Promise<Update> {
  const { service, deadline, progress } = ports;
  const before = [...manifest.downloads].filter(([, { service: of }]) => of === service);
  const kept = before.map(([, download]) => download);
  const gone = kept.filter(({ state }) => state === 'gone');
  const found = { downloads: kept.length, looked: [], gone, feedsCut: false };
  if (kept.length === 0) return found;
  const feeds = await readFeeds(kept, manifest.feeds.get(service) ?? { assets: null, sets: null }, ports);
  if (feeds === null) return { ...found, feedsCut: true };
  const judge = createJudge(feeds);
  const due: (readonly [key: string, download: KeptDownload])[] = [];
  for (const [key, download] of before.sort(([, one], [, other]) => one.readAt - other.readAt)) {
    const marks = judge(download) ?? ((await hasVideosByNow(download, ports)) ? { state: 'begun' } : null);
    if (marks === null) continue;
    const marked = { ...download, ...marks };
    due.push([key, marked]);
    const isNew = marked.state !== download.state || marked.seen !== download.seen;
    if (isNew && !dryRun) await manifest.note('downloads', key, marked);
  }
  if (!dryRun) {
    const heeded = { assets: feeds.assets.reach.newest, sets: feeds.sets.reach.newest };
    await manifest.note('feeds', service, heeded);
  }
  const looked: UpdatedDownload[] = [];
  for (const [key, download] of due) {
    const mark = async (marks: Partial<KeptDownload>) => {
      if (!dryRun) await manifest.note('downloads', key, { ...download, ...marks });
    };
    const outcome: UpdatedDownload['outcome'] =
      deadline.left() > leastTime ? await lookAfter(download, mark, ports, dryRun) : { is: 'pending' };
    looked.push({ download, outcome });
    await progress(looked.length, due.length);
  }
  const isDue = new Set(due.map(([key]) => key));
  const still = before.filter(([key, { state }]) => state === 'gone' && !isDue.has(key));
  return { ...found, looked, gone: still.map(([, download]) => download) };
}

interface ReadFeed {
  readonly reach: FeedReach;
  readonly events: readonly ChangeEvent[];
  /** It was read down to what the last run has heeded. */
  readonly isClosed: boolean;
}

type Feeds = Readonly<Record<FeedName, ReadFeed>>;

/** Both feeds, back to the last run or, before the first one, to the oldest download. Null: no time for all of them. */
async function readFeeds(
  kept: readonly KeptDownload[],
  newest: Readonly<Record<FeedName, string | null>>,
  { catalogue, deadline }: DownloadPorts,
): Promise<Feeds | null> {
  const oldest = Math.min(...kept.map(({ readAt }) => readAt)) - clockMargin;
  let pages = 0;
  const read = async (feed: FeedName): Promise<ReadFeed> => {
    const last = newest[feed];
    const since = last === null ? oldest : Date.parse(last) - feedMargin;
    const { reach, events } = await readFeed(feed, since, {
      read: (name, page) => catalogue.readFeedPage(name, page, deadline),
      takePage: () => {
        pages += 1;
        return pages <= mostFeedPages && deadline.left() > leastTime;
      },
      now: () => Date.now(),
    });
    return { reach, events, isClosed: last !== null && reachesTo(reach, Date.parse(last)) };
  };
  const sets = await read('sets');
  const assets = await read('assets');
  const isCut = [sets, assets].some(({ reach }) => reach.state === 'cut') && deadline.left() <= leastTime;
  return isCut ? null : { sets, assets };
}

type Marks = Partial<Pick<KeptDownload, 'state' | 'seen'>>;

/** Says what is noted of a download before it is looked after; null: the feeds give no reason to. */
function createJudge(feeds: Feeds): (download: KeptDownload) => Marks | null {
  const bySubject = new Map<string, ChangeEvent[]>();
  for (const event of [...feeds.sets.events, ...feeds.assets.events]) {
    const subjects = event.of === 'set' ? [keyOfTarget(event.set)] : startOfAsset(event.previousAssetId);
    for (const one of subjects) bySubject.set(one, [...(bySubject.get(one) ?? []), event]);
  }
  let groups = 0;
  return (download) => {
    const { state, seen, readAt, kind, assets } = download;
    const ofSets = [download, ...download.members].flatMap((one) =>
      (bySubject.get(keyOfTarget(one)) ?? []).filter((event) => isAfter(event, one.updated)),
    );
    const told = [...ofSets, ...assets.flatMap((start) => bySubject.get(start) ?? [])];
    const fresh = told.filter((event) => isAfter(event, seen));
    if (fresh.length > 0) {
      const times = [seen, ...fresh.map(({ at }) => at)].filter((time) => time !== null);
      const latest = times.sort((one, other) => Date.parse(one) - Date.parse(other)).at(-1) ?? null;
      // What was begun stays so: all of it is looked at.
      return { state: state === 'begun' ? 'begun' : 'due', seen: latest };
    }
    if (state === 'gone') return null;
    if (state !== 'whole') return {};
    if (![feeds.sets, feeds.assets].every((feed) => isCovered(feed, readAt))) return { state: 'unsure' };
    const isOld = isGroupKind(kind) && Date.now() - readAt > groupsEvery;
    groups += isOld ? 1 : 0;
    return isOld && groups <= mostGroups ? { state: 'unsure' } : null;
  };
}

/** Whether a change would have been seen that came after the Set was read. */
function isCovered({ reach, isClosed }: ReadFeed, readAt: number): boolean {
  if (isClosed || (reach.state === 'ended' && reach.oldest === null)) return true;
  return reachesTo(reach, readAt - clockMargin);
}

function isAfter(event: ChangeEvent, time: string | null): boolean {
  const moment = event.at === null ? null : Date.parse(event.at);
  const before = time === null ? Number.NaN : Date.parse(time);
  return moment === null || Number.isNaN(before) || moment > before;
}

/** Whether a video has come whose picture was left out, or was called as videos usually are. Asks no service. */
async function hasVideosByNow({ waiting, state }: KeptDownload, ports: DownloadPorts): Promise<boolean> {
  if (state === 'gone') return false;
  for (const { folder, episodes } of waiting) {
    const { videosBelow } = openLibrary(ports.root, folder, ports.alsoCalled);
    const videos = videosByEpisode(await videosBelow(folder));
    if (episodes.some((episode) => videos.has(episode))) return true;
  }
  return false;
}

async function lookAfter(
  download: KeptDownload,
  mark: (marks: Partial<KeptDownload>) => Promise<void>,
  ports: DownloadPorts,
  dryRun: boolean,
): Promise<UpdatedDownload['outcome']> {
  const { kind, id, state } = download;
  try {
    const set = setOf(kind, id, await ports.catalogue.readSet(kind, id, ports.deadline));
    const isSame = isUnmoved(set, download) && set.members.every((one) => isKnown(one, download));
    if (state === 'unsure' && isSame) {
      await mark({ state: 'whole', readAt: Date.now() });
      return { is: 'same' };
    }
    return { is: 'looked', ran: await bringAll(download, set, ports, dryRun) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    if (error.category !== 'not_found') return { is: 'failed', error };
    await mark({ state: 'gone' });
    return { is: 'gone' };
  }
}

function isUnmoved(set: Pick<ArtworkSet, 'updated'>, { updated }: Pick<KeptDownload, 'updated'>): boolean {
  return set.updated !== null && set.updated === updated;
}

function isKnown(member: ArtworkSet['members'][number], { members }: KeptDownload): boolean {
  const before = members.find(({ kind, id }) => kind === member.kind && id === member.id);
  return before !== undefined && isUnmoved(member, before);
}

/** Calls of a download bring so much and no more: it is called again for as long as it gets further. */
async function bringAll(
  download: KeptDownload,
  set: ArtworkSet,
  ports: DownloadPorts,
  dryRun: boolean,
): Promise<Ran> {
  const { slots, layout, folders, assetFolders, languageCode, state } = download;
  // The metadata file for Kometa names the pictures of all.
  const maySkip = state !== 'begun' && layout !== 'kometa';
  const wish = {
    ...{ set, layout, folders, assetFolders, languageCode, slots, takeOver: false, dryRun },
    update: {
      // A folder that a person took away is not made anew.
      worksBefore: new Set(download.works),
      skips: (member: ArtworkSet['members'][number]) => maySkip && isKnown(member, download),
    },
  };
  for (;;) {
    const ran = await runDownload(wish, {
      ...ports,
      progress: async () => {},
      deadline: noLaterThan(ports.deadline, 600_000),
    });
    const gotFurther = ran.outcomes.some(
      ({ outcome: { state: is } }) => is === 'written' || is === 'replaced',
    );
    const isStuck = !isPending(ran) || ran.diskFull || !gotFurther;
    if (isStuck || dryRun || ports.deadline.left() < leastTime) return ran;
  }
}
