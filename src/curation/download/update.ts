import type { FeedName } from '../../catalogue/records/kinds.ts';
import { ArtworkError } from '../../errors.ts';
import { assetIdIn } from '../../model/asset.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf, setOf } from '../../model/set.ts';
import { keyOfTarget } from '../../model/target.ts';
import { type ChangeEvent, reachesTo, readFeed } from '../changes/feeds.ts';
import { type DownloadPorts, download, type Ran } from './download.ts';
import { openLibrary } from './library.ts';
import { type KeptDownload, type Manifest, readManifest, withManifest } from './manifest.ts';

/** What became of one download. */
export interface UpdatedDownload {
  readonly kept: KeptDownload;
  readonly outcome: /** Its Set moved, something was left, or a video has come. */
    | { readonly is: 'looked'; readonly ran: Ran }
    /** `same`: nothing tells of a change. `unmoved`: its Set was read. `pending`: there was no time for it. */
    | { readonly is: 'same' | 'unmoved' | 'gone' | 'pending' }
    | { readonly is: 'failed'; readonly error: ArtworkError };
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
 * @returns every download of the catalogue
 * @throws ArtworkError of the feeds, the manifest and the root; `conflict` (`download_busy`); `cancelled`
 */
export async function updateDownloads(ports: DownloadPorts, dryRun: boolean): Promise<UpdatedDownload[]> {
  return dryRun
    ? update(ports, await readManifest(ports.root), true)
    : withManifest(ports, (manifest) => update(ports, manifest, false));
}

async function update(ports: DownloadPorts, manifest: Manifest, dryRun: boolean): Promise<UpdatedDownload[]> {
  const { service, deadline, progress } = ports;
  const all = [...manifest.downloads].filter(([, { service: of }]) => of === service);
  all.sort(([, one], [, other]) => one.readAt - other.readAt);
  const [oldest] = all.map(([, { readAt }]) => readAt);
  if (oldest === undefined) return [];
  const heeded = manifest.feeds.get(service) ?? { assets: null, sets: null };
  const feeds = await readFeeds(oldest, heeded, ports);
  if (feeds === null) return all.map(([, kept]) => ({ kept, outcome: { is: 'pending' } }));
  const judge = createJudge(feeds);
  const due: [key: string, kept: KeptDownload][] = [];
  const updated: UpdatedDownload[] = [];
  for (const [key, kept] of all) {
    const state = (await hasVideosByNow(kept, ports)) ? 'left' : judge(kept);
    if (state === 'left' || state === 'due') due.push([key, { ...kept, state }]);
    else updated.push({ kept, outcome: { is: state === 'gone' ? 'gone' : 'same' } });
    if (state !== kept.state && !dryRun) await manifest.note('downloads', key, { ...kept, state });
  }
  const newest = { assets: feeds.assets.reach.newest, sets: feeds.sets.reach.newest };
  if (!dryRun) await manifest.note('feeds', service, newest);
  for (const [at, [key, kept]] of due.entries()) {
    const hasTime = deadline.left() > leastTime;
    const outcome = hasTime ? await lookAfter(kept, ports, manifest, dryRun) : ({ is: 'pending' } as const);
    const state = { unmoved: 'whole', gone: 'gone' } as const;
    if (!dryRun && (outcome.is === 'unmoved' || outcome.is === 'gone'))
      await manifest.note('downloads', key, { ...kept, state: state[outcome.is], readAt: Date.now() });
    updated.push({ kept, outcome });
    await progress(at + 1, due.length);
  }
  return updated;
}

interface Feed extends Awaited<ReturnType<typeof readFeed>> {
  /** It was read down to what the last run has heeded. */
  readonly isClosed: boolean;
}
type Feeds = Readonly<Record<FeedName, Feed>>;

/** Both feeds, back to the last run or, before the first one, to the oldest download. Null: no time for all of them. */
async function readFeeds(
  oldest: number,
  heeded: Readonly<Record<FeedName, string | null>>,
  { catalogue, deadline }: DownloadPorts,
): Promise<Feeds | null> {
  let pages = 0;
  const read = async (name: FeedName): Promise<Feed> => {
    const last = heeded[name];
    const since = last === null ? oldest - clockMargin : Date.parse(last) - feedMargin;
    const found = await readFeed(name, since, {
      read: (feed, page) => catalogue.readFeedPage(feed, page, deadline),
      takePage: () => {
        pages += 1;
        return pages <= mostFeedPages && deadline.left() > leastTime;
      },
      now: () => Date.now(),
    });
    return { ...found, isClosed: last !== null && reachesTo(found.reach, Date.parse(last)) };
  };
  const feeds = { sets: await read('sets'), assets: await read('assets') };
  return deadline.left() > leastTime ? feeds : null;
}

/** Says what a download is by what the feeds tell. */
function createJudge(feeds: Feeds): (kept: KeptDownload) => KeptDownload['state'] {
  const bySubject = new Map<string | null, ChangeEvent[]>();
  for (const event of [...feeds.sets.events, ...feeds.assets.events]) {
    const subject = event.of === 'set' ? keyOfTarget(event.set) : event.previousAssetId;
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), event]);
  }
  let groups = 0;
  return (kept) => {
    const { state, kind, readAt, members, assets } = kept;
    const isTold = (subject: string, updated: string | null) =>
      bySubject.get(subject)?.some(({ at }) => {
        const time = at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
        const known = updated === null ? Number.NEGATIVE_INFINITY : Date.parse(updated);
        return time > readAt - clockMargin && !(time <= known);
      }) === true;
    const isMoved =
      assets.some((id) => isTold(id, null)) ||
      [kept, ...members].some((one) => isTold(keyOfTarget(one), one.updated));
    if (isMoved) return state === 'left' ? 'left' : 'due';
    if (state !== 'whole') return state;
    const isCovered = [feeds.sets, feeds.assets].every(({ reach, isClosed }) => {
      // Before the first change that a feed tells nothing can have been missed.
      const isEmpty = reach.state === 'ended' && reach.oldest === null;
      return isClosed || isEmpty || reachesTo(reach, readAt - clockMargin);
    });
    if (!isCovered) return 'due';
    groups += isGroupKind(kind) && Date.now() - readAt > groupsEvery ? 1 : 0;
    return isGroupKind(kind) && Date.now() - readAt > groupsEvery && groups <= mostGroups ? 'due' : 'whole';
  };
}

/** Whether a video has come whose picture was left out, or was called as videos usually are. Asks no service. */
async function hasVideosByNow({ waiting, state }: KeptDownload, ports: DownloadPorts): Promise<boolean> {
  const { showIn } = openLibrary(ports.root, ports.alsoCalled);
  for (const { folder, episodes } of state === 'gone' ? [] : waiting) {
    const { byEpisode } = await showIn(folder);
    if (episodes.some((episode) => byEpisode.has(episode))) return true;
  }
  return false;
}

async function lookAfter(
  kept: KeptDownload,
  ports: DownloadPorts,
  manifest: Manifest,
  dryRun: boolean,
): Promise<UpdatedDownload['outcome']> {
  const { kind, id, state, works } = kept;
  try {
    const set = setOf(kind, id, await ports.catalogue.readSet(kind, id, ports.deadline));
    if (state === 'due' && isUnmoved(set, kept)) return { is: 'unmoved' };
    const wish = { ...kept, set, takeOver: false, dryRun, worksBefore: works };
    return { is: 'looked', ran: await download(wish, { ...ports, progress: async () => {} }, manifest) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
    return error.failure === 'not_found' ? { is: 'gone' } : { is: 'failed', error };
  }
}

/** Whether a Set, and each Set of a group, is what it was when it was downloaded. */
function isUnmoved(set: ArtworkSet, { updated, members, assets }: KeptDownload): boolean {
  const before = new Map(members.map((one) => [keyOfTarget(one), one.updated]));
  const isKnown = ({ kind, id, updated: now }: ArtworkSet['members'][number]) =>
    kind === null || (now !== null && before.get(keyOfTarget({ kind, id })) === now);
  const ids = picturesOf(set).flatMap(({ path }) => assetIdIn(path) ?? []);
  const isSame = set.updated !== null && set.updated === updated;
  return isSame && ids.every((one) => assets.includes(one)) && set.members.every(isKnown);
}
