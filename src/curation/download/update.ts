import { ArtworkError } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { setOf } from '../../model/set.ts';
import { keyOfTarget } from '../../model/target.ts';
import { type FeedPages, reachesTo, readFeed } from '../changes/feeds.ts';
import { type DownloadPorts, download, leastTime, type Ran } from './download.ts';
import { type Library, openLibrary } from './library.ts';
import { type KeptDownload, type Manifest, withManifest } from './manifest.ts';

/** What became of one download. */
export interface UpdatedDownload {
  readonly kept: KeptDownload;
  readonly outcome: /** The feeds name its Set, something was left, or a video has come. */
    | { readonly is: 'looked'; readonly ran: Ran }
    /** `pending`: there was no time for it. `gone`: the service has no such Set any more. */
    | { readonly is: 'unchanged' | 'gone' | 'pending' }
    | { readonly is: 'failed'; readonly error: ArtworkError };
}

/** Clocks of this machine and the service may differ by so much, and public reads lag behind. ms */
const margin = 60 * 60_000;

/**
 * Brings what was downloaded below a root up to date: reads the feeds, then the Sets that changed since, and of these
 * what is new. A run that does not get to its end leaves the feeds to the next one, which finds what is done already.
 * @returns every download of the catalogue
 * @throws ArtworkError of the feeds and the manifest; `cancelled`
 */
export function updateDownloads(ports: DownloadPorts, dryRun: boolean): Promise<UpdatedDownload[]> {
  return withManifest(ports, (manifest) => update(ports, manifest, dryRun));
}

async function update(ports: DownloadPorts, manifest: Manifest, dryRun: boolean): Promise<UpdatedDownload[]> {
  const { root, service, deadline } = ports;
  const now = Date.now();
  const all = [...manifest.downloads].filter(([, { service: of }]) => of === service);
  all.sort(([, one], [, other]) => one.readAt - other.readAt);
  const [oldest] = all.map(([, { readAt }]) => readAt);
  if (oldest === undefined) return [];
  const isNamed = await readFeeds((manifest.updates.get(service) ?? oldest) - margin, ports);
  const library = openLibrary(root);
  const updated: UpdatedDownload[] = [];
  for (const [key, kept] of all) {
    let outcome: UpdatedDownload['outcome'] = { is: 'unchanged' };
    if (kept.isLeft || isNamed(kept) || (await hasVideosByNow(kept, library))) {
      const hasTime = deadline.left() > leastTime;
      outcome = hasTime ? await lookAfter(kept, ports, manifest, dryRun) : { is: 'pending' };
      const read = { ...kept, isLeft: outcome.is === 'failed', waiting: [], readAt: now };
      // The feeds of the next run do not tell of what failed. What was looked at has noted itself.
      if (!dryRun && (outcome.is === 'gone' || outcome.is === 'failed'))
        await manifest.note('downloads', key, read);
    }
    updated.push({ kept, outcome });
  }
  const isAtEnd = updated.every(({ outcome }) => outcome.is !== 'pending');
  if (!dryRun && isAtEnd) await manifest.note('updates', service, now);
  return updated;
}

/**
 * Reads the feeds as far back as `since` (ms since 1970) or the call's time reaches.
 * @returns tells of a download whether a change may have come since it was read
 */
async function readFeeds(since: number, { catalogue, deadline }: DownloadPorts) {
  const pages: FeedPages = {
    read: (feed, page) => catalogue.readFeedPage(feed, page, deadline),
    takePage: () => deadline.left() > leastTime,
    now: () => Date.now(),
  };
  const feeds = [await readFeed('sets', since, pages), await readFeed('assets', since, pages)];
  const events = groupedBy(
    feeds.flatMap((feed) => feed.events),
    (event) => (event.of === 'set' ? keyOfTarget(event.set) : event.previousAssetId),
  );
  return ({ subjects, readAt }: KeptDownload): boolean => {
    const from = Math.max(since, readAt - margin);
    // Where a feed tells no change at all, none can have been missed.
    const isCovered = feeds.every(
      ({ reach }) => reachesTo(reach, from) || (reach.state === 'ended' && reach.oldest === null),
    );
    const named = subjects.flatMap((one) => events.get(one) ?? []);
    return !isCovered || named.some(({ at }) => at === null || Date.parse(at) > from);
  };
}

/** Whether a video has come whose picture was left out, or was called as videos usually are. Asks no service. */
async function hasVideosByNow({ waiting }: KeptDownload, library: Library): Promise<boolean> {
  for (const { folder, episodes } of waiting) {
    const videos = await library.videosIn(folder);
    if (videos.some(({ codes }) => codes.some((one) => episodes.includes(one)))) return true;
  }
  return false;
}

async function lookAfter(
  kept: KeptDownload,
  ports: DownloadPorts,
  manifest: Manifest,
  dryRun: boolean,
): Promise<UpdatedDownload['outcome']> {
  const { kind, id, isLeft } = kept;
  try {
    const set = setOf(kind, id, await ports.catalogue.readSet(kind, id, ports.deadline));
    // What was whole has had its folders: one that is missing was taken away.
    const wish = { ...kept, set, takeOver: false, dryRun, mayMake: isLeft };
    return { is: 'looked', ran: await download(wish, ports, manifest) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
    return error.failure === 'not_found' ? { is: 'gone' } : { is: 'failed', error };
  }
}
