import type { Catalogue } from '../../catalogue/client.ts';
import type { FeedName } from '../../catalogue/records/kinds.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { type ArtworkSet, setOf } from '../../model/set.ts';
import type { Marks } from '../../store/kv.ts';
import { type ChangeEvent, type FeedReach, reachesTo, readFeed } from '../changes/feeds.ts';
import type { DownloadRoot } from './download-root.ts';
import {
  createKeptDownloads,
  type KeptDownload,
  type KeptDownloads,
  startOfAsset,
} from './kept-downloads.ts';
import { type DownloadPorts, isPending, type Ran, runDownload } from './run-download.ts';
import { takeUpdateLease } from './update-lease.ts';

interface UpdatePorts extends Omit<DownloadPorts, 'catalogue' | 'store'> {
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage' | 'readFeedPage'>;
  readonly root: DownloadRoot;
  readonly store: Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'>;
  readonly dryRun: boolean;
}

/** What became of one download that was looked after. */
export interface UpdatedDownload {
  readonly download: KeptDownload;
  readonly outcome: /** Its Set moved, or it had not been brought whole. */
    | { readonly is: 'looked'; readonly ran: Ran }
    /** The Set is what it was. */
    | { readonly is: 'same' }
    /** The service has it no more; its files stay. */
    | { readonly is: 'gone' }
    | { readonly is: 'failed'; readonly error: ArtworkError }
    /** Not begun in this call's time. */
    | { readonly is: 'pending' };
}

export type Update =
  | { readonly is: 'busy' }
  | {
      readonly is: 'done';
      /** How many downloads lie below the root. */
      readonly downloads: number;
      readonly looked: readonly UpdatedDownload[];
      /** Those that the service had no more when an earlier run looked. */
      readonly gone: readonly KeptDownload[];
      /** Not even the feeds could be read to their end in this call's time. */
      readonly feedsCut: boolean;
      /** Another process took over in the middle. */
      readonly lost: boolean;
    };

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
 * what is new. It is one process's at a time, and goes on where another ended: what is due is noted before it is done.
 * @throws ArtworkError of the feeds, the store and the root; `cancelled`
 */
export async function updateDownloads(ports: UpdatePorts): Promise<Update> {
  const { store, root, service, dryRun } = ports;
  const kept = createKeptDownloads(store, root.path, service);
  const lease = await takeUpdateLease(store, kept.name);
  if (lease === null) return { is: 'busy' };
  try {
    const before = await kept.all();
    const gone = before.filter(({ state }) => state === 'gone');
    if (before.length === 0)
      return { is: 'done', downloads: 0, looked: [], gone, feedsCut: false, lost: false };
    const feeds = await readFeeds(before, lease.newest, ports);
    if (feeds === null) {
      return { is: 'done', downloads: before.length, looked: [], gone, feedsCut: true, lost: false };
    }
    const due = judgeAll(before, feeds);
    if (!dryRun) {
      for (const { download, marks } of due) if (marks !== null) await kept.mark(download, marks);
      await lease.heed({ assets: feeds.assets.reach.newest, sets: feeds.sets.reach.newest });
    }
    const looked: UpdatedDownload[] = [];
    for (const { download, marks } of due) {
      if (lease.lost.aborted) break;
      const hasTime = ports.deadline.left() > leastTime;
      const now = { ...download, ...marks };
      looked.push({
        download: now,
        outcome: hasTime ? await lookAfter(now, kept, ports) : { is: 'pending' },
      });
      await ports.progress(looked.length, due.length);
    }
    return {
      ...{ is: 'done', downloads: before.length, looked },
      gone: gone.filter((one) => !due.some(({ download }) => download === one)),
      ...{ feedsCut: false, lost: lease.lost.aborted },
    };
  } finally {
    await lease.release();
  }
}

interface ReadFeed {
  readonly reach: FeedReach;
  readonly events: readonly ChangeEvent[];
  /** From when on the feed was read, ms. */
  readonly since: number;
  /** It was read down to what the last run has heeded. */
  readonly isClosed: boolean;
}

type Feeds = Readonly<Record<FeedName, ReadFeed>>;

/** Both feeds, back to the last run or, before the first one, to the oldest download. Null: no time for all of them. */
async function readFeeds(
  kept: readonly KeptDownload[],
  newest: Readonly<Record<FeedName, string | null>>,
  { catalogue, deadline }: UpdatePorts,
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
    return { reach, events, since, isClosed: last !== null && reachesTo(reach, Date.parse(last)) };
  };
  const sets = await read('sets');
  const assets = await read('assets');
  const isCut = [sets, assets].some(({ reach }) => reach.state === 'cut') && deadline.left() <= leastTime;
  return isCut ? null : { sets, assets };
}

interface Due {
  readonly download: KeptDownload;
  /** What is noted before it is looked after; null: it stands there already. */
  readonly marks: Partial<Pick<KeptDownload, 'state' | 'seen'>> | null;
}

/** Those that have to be looked after, in the order in which they were read. */
function judgeAll(kept: readonly KeptDownload[], feeds: Feeds): Due[] {
  const bySet = new Map<string, ChangeEvent[]>();
  const byAsset = new Map<string, ChangeEvent[]>();
  const add = (map: Map<string, ChangeEvent[]>, key: string, event: ChangeEvent) => {
    const events = map.get(key) ?? [];
    events.push(event);
    map.set(key, events);
  };
  for (const event of [...feeds.sets.events, ...feeds.assets.events]) {
    if (event.of === 'set') add(bySet, `${event.set.kind} ${event.set.id}`, event);
    else for (const start of startOfAsset(event.previousAssetId)) add(byAsset, start, event);
  }
  const today = Date.now();
  let groups = 0;
  const ordered = [...kept].sort((one, other) => one.readAt - other.readAt);
  return ordered.flatMap((download): Due[] => {
    const sets = [download, ...download.members];
    const told = [
      ...sets.flatMap((one) =>
        (bySet.get(`${one.kind} ${one.id}`) ?? []).filter((event) => isAfter(event, one.updated)),
      ),
      ...download.assets.flatMap((start) => byAsset.get(start) ?? []),
    ].filter((event) => isAfter(event, download.seen));
    if (told.length > 0) {
      return [{ download, marks: { state: keeps(download, 'due'), seen: latestOf(told, download.seen) } }];
    }
    if (download.state === 'gone' || download.state === 'whole') {
      if (download.state === 'gone') return [];
      const isProven = [feeds.sets, feeds.assets].every((feed) => isCovered(feed, download));
      if (!isProven) return [{ download, marks: { state: 'unsure' } }];
      const isOld = isGroupKind(download.kind) && today - download.readAt > groupsEvery;
      groups += isOld ? 1 : 0;
      return isOld && groups <= mostGroups ? [{ download, marks: { state: 'unsure' } }] : [];
    }
    return [{ download, marks: null }];
  });
}

/** What was begun stays so: all of it is looked at. */
function keeps({ state }: KeptDownload, next: 'due'): KeptDownload['state'] {
  return state === 'begun' ? state : next;
}

/** Whether a change would have been seen that came after the Set was read. */
function isCovered({ reach, isClosed }: ReadFeed, { readAt }: KeptDownload): boolean {
  if (isClosed || (reach.state === 'ended' && reach.oldest === null)) return true;
  return reachesTo(reach, readAt - clockMargin);
}

function isAfter(event: ChangeEvent, time: string | null): boolean {
  const moment = event.at === null ? null : Date.parse(event.at);
  const before = time === null ? Number.NaN : Date.parse(time);
  return moment === null || Number.isNaN(before) || moment > before;
}

function latestOf(events: readonly ChangeEvent[], before: string | null): string | null {
  const times = [...events.map(({ at }) => at), before].filter((time) => time !== null);
  return times.reduce<string | null>(
    (latest, time) => (latest === null || Date.parse(time) > Date.parse(latest) ? time : latest),
    null,
  );
}

async function lookAfter(
  download: KeptDownload,
  kept: KeptDownloads,
  ports: UpdatePorts,
): Promise<UpdatedDownload['outcome']> {
  const { kind, id } = download;
  const { dryRun, deadline } = ports;
  try {
    const set = setOf(kind, id, await ports.catalogue.readSet(kind, id, deadline));
    const isSame =
      download.state === 'unsure' &&
      isUnmoved(set, download) &&
      set.members.every((one) => isKnown(one, download));
    if (isSame) {
      if (!dryRun) await kept.mark(download, { state: 'whole', readAt: Date.now() });
      return { is: 'same' };
    }
    return { is: 'looked', ran: await bringAll(download, set, ports) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    if (error.category === 'not_found') {
      if (!dryRun) await kept.mark(download, { state: 'gone' });
      return { is: 'gone' };
    }
    return { is: 'failed', error };
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
async function bringAll(download: KeptDownload, set: ArtworkSet, ports: UpdatePorts): Promise<Ran> {
  const { slots, layout, folders, assetFolders, languageCode } = download;
  const isUpdate = download.state !== 'begun';
  const wish = {
    ...{ set, layout, folders, assetFolders, languageCode, dryRun: ports.dryRun },
    slots: slots === null ? null : new Set(slots),
    update: {
      // A folder that a person took away is not made anew.
      worksBefore: new Set(download.works),
      skips:
        isUpdate && layout !== 'kometa'
          ? (member: ArtworkSet['members'][number]) => isKnown(member, download)
          : null,
    },
  };
  for (;;) {
    const ran = await runDownload(wish, {
      ...ports,
      progress: async () => {},
      deadline: noLaterThan(ports.deadline, 600_000),
    });
    const gotFurther = ran.downloaded.outcomes.some(
      ({ outcome: { state } }) => state === 'written' || state === 'replaced',
    );
    if (!isPending(ran.gathered, ran.downloaded) || ran.downloaded.diskFull || !gotFurther) return ran;
    if (ports.dryRun || ports.deadline.left() < leastTime) return ran;
  }
}
