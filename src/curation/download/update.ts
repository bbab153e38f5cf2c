import type { FeedName } from '../../catalogue/records/kinds.ts';
import { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { assetIdIn } from '../../model/asset.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf, setOf } from '../../model/set.ts';
import { keyOfTarget } from '../../model/target.ts';
import { reachesTo, readFeed, spanOfTimes } from '../changes/feeds.ts';
import { type DownloadPorts, download, type Ran } from './download.ts';
import { type Library, openLibrary } from './library.ts';
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
const margin = 60 * 60_000;
const mostFeedPages = 400;
/** With less of the call's time left no further Set is begun. ms */
const leastTime = 15_000;
/** The feeds need not tell that a group has another Set: a few are read anew in each run, none more often than daily. */
const mostGroups = 8;
const groupsEvery = 20 * 60 * 60_000;

/**
 * Brings what was downloaded below a root up to date: reads the feeds, then the Sets that changed since, and of these
 * what is new. A run that does not get to its end leaves the feeds to the next one, which finds what is done already.
 * @returns every download of the catalogue
 * @throws ArtworkError of the feeds, the manifest and the root; `conflict` (`download_busy`); `cancelled`
 */
export async function updateDownloads(ports: DownloadPorts, dryRun: boolean): Promise<UpdatedDownload[]> {
  return dryRun
    ? update(ports, await readManifest(ports.root), true)
    : withManifest(ports, (manifest) => update(ports, manifest, false));
}

async function update(ports: DownloadPorts, manifest: Manifest, dryRun: boolean): Promise<UpdatedDownload[]> {
  const { root, service, deadline, progress } = ports;
  const all = [...manifest.downloads].filter(([, { service: of }]) => of === service);
  all.sort(([, one], [, other]) => one.readAt - other.readAt);
  const [oldest] = all.map(([, { readAt }]) => readAt);
  if (oldest === undefined) return [];
  const heeded = manifest.feeds.get(service);
  const since = (heeded === undefined ? oldest : Date.parse(heeded)) - margin;
  const feeds = [await readBack('sets', since, ports), await readBack('assets', since, ports)];
  const isToBeRead = judgeBy(feeds, since);
  const library = openLibrary(root, ports.alsoCalled);
  const updated: UpdatedDownload[] = [];
  for (const [at, [key, kept]] of all.entries()) {
    const isLeft = kept.state === 'left' || (await hasVideosByNow(kept, library));
    let outcome: UpdatedDownload['outcome'] = { is: kept.state === 'gone' ? 'gone' : 'same' };
    if (isLeft || isToBeRead(kept)) {
      const hasTime = deadline.left() > leastTime;
      outcome = hasTime ? await lookAfter(kept, isLeft, ports, manifest, dryRun) : { is: 'pending' };
      // The feeds of the next run do not tell of what failed. What was looked at has noted itself.
      const state = { unmoved: 'whole', gone: 'gone', failed: 'left' } as const;
      if (!dryRun && (outcome.is === 'unmoved' || outcome.is === 'gone' || outcome.is === 'failed'))
        await manifest.note('downloads', key, { ...kept, state: state[outcome.is], readAt: Date.now() });
      await progress(at + 1, all.length);
    }
    updated.push({ kept, outcome });
  }
  const { newest } = spanOfTimes(feeds.map(({ reach }) => reach.newest));
  // A time that is yet to come would hide what changes until then.
  const { oldest: mark } = spanOfTimes([newest, new Date().toISOString()]);
  const isAtEnd = updated.every(({ outcome }) => outcome.is !== 'pending');
  if (!dryRun && isAtEnd && mark !== null) await manifest.note('feeds', service, mark);
  return updated;
}

/** A feed, as far back as `since` (ms since 1970) or the call's time reaches. */
function readBack(name: FeedName, since: number, { catalogue, deadline }: DownloadPorts) {
  let pages = 0;
  return readFeed(name, since, {
    read: (feed, page) => catalogue.readFeedPage(feed, page, deadline),
    takePage: () => {
      pages += 1;
      return pages <= mostFeedPages && deadline.left() > leastTime;
    },
    now: () => Date.now(),
  });
}

/** Says of each download whether its Set has to be read, by what the feeds tell, and by what they may not have told. */
function judgeBy(feeds: readonly Awaited<ReturnType<typeof readBack>>[], since: number) {
  const events = groupedBy(
    feeds.flatMap((feed) => feed.events),
    (event) => (event.of === 'set' ? keyOfTarget(event.set) : event.previousAssetId),
  );
  let groups = 0;
  return ({ kind, id, updated, state, readAt, members, assets }: KeptDownload): boolean => {
    const isNews = (subject: string, known: string | null) =>
      events.get(subject)?.some(({ at }) => {
        const time = at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
        return time > readAt - margin && !(known !== null && time <= Date.parse(known));
      }) === true;
    if (assets.some((asset) => isNews(asset, null))) return true;
    if ([{ kind, id, updated }, ...members].some((one) => isNews(keyOfTarget(one), one.updated))) return true;
    if (state === 'gone') return false;
    const isCovered = feeds.every(({ reach }) => {
      // Before the first change that a feed tells nothing can have been missed.
      const isEmpty = reach.state === 'ended' && reach.oldest === null;
      return isEmpty || reachesTo(reach, Math.max(since, readAt - margin));
    });
    if (!isCovered) return true;
    if (!isGroupKind(kind) || Date.now() - readAt < groupsEvery) return false;
    groups += 1;
    return groups <= mostGroups;
  };
}

/** Whether a video has come whose picture was left out, or was called as videos usually are. Asks no service. */
async function hasVideosByNow({ waiting, state }: KeptDownload, library: Library): Promise<boolean> {
  for (const { folder, episodes } of state === 'gone' ? [] : waiting) {
    const videos = await library.videosIn(folder);
    if (videos.some(({ codes }) => codes.some((one) => episodes.includes(one)))) return true;
  }
  return false;
}

/** @param isLeft something is to be brought, whether its Set has moved or not */
async function lookAfter(
  kept: KeptDownload,
  isLeft: boolean,
  ports: DownloadPorts,
  manifest: Manifest,
  dryRun: boolean,
): Promise<UpdatedDownload['outcome']> {
  const { kind, id, works } = kept;
  try {
    const set = setOf(kind, id, await ports.catalogue.readSet(kind, id, ports.deadline));
    if (!isLeft && isUnmoved(set, kept)) return { is: 'unmoved' };
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
