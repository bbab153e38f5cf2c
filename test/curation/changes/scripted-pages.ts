import type { CataloguePage } from '../../../src/catalogue/client.ts';
import { type FeedItem, type FeedName, feeds } from '../../../src/catalogue/records/kinds.ts';
import type { FeedPages } from '../../../src/curation/changes/feeds.ts';
import { ArtworkError } from '../../../src/errors.ts';

export const now = Date.UTC(2026, 10, 20);

export type Item = Readonly<Record<string, unknown>>;

/** An Asset of this number: the higher, the newer, one a minute. */
export function added(number: number, more: Item = {}): Item {
  return {
    assetId: assetId(number),
    kind: 'asset',
    slot: 'poster',
    target: { id: number, kind: 'movie' },
    changeType: 'added',
    changedAt: timeOf(number),
    previousAssetId: null,
    replacements: [],
    ...more,
  };
}

/** What replaced the Asset of one number by that of another. */
export function replaced(from: number, to: number, chain: readonly [number, number][] = [[from, to]]): Item {
  return added(to, {
    target: { id: 1, kind: 'movie' },
    changeType: 'updated',
    previousAssetId: assetId(from),
    replacements: chain.map(([one, other]) => ({
      previousAssetId: assetId(one),
      newAssetId: assetId(other),
      changedAt: timeOf(other),
    })),
  });
}

export function assetId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function timeOf(number: number): string {
  return new Date(now - 100 * 24 * 3_600_000 + number * 60_000).toISOString();
}

export interface ScriptedPages extends FeedPages {
  /** Every page that was asked for. */
  readonly asked: (string | null)[];
  /** The pages of the feed of Assets, newest first; that of Sets is empty. */
  pages: readonly (readonly Item[])[];
  /** Pages that are gone when they are asked for. */
  expired: number;
  /** What follows each page: the next one unless a test says otherwise. */
  follows: (page: number, last: boolean) => string | null;
}

/** A feed as the client hands it over, read in memory. */
export function scriptedPages(pages: readonly (readonly Item[])[], most = 400): ScriptedPages {
  let taken = 0;
  const script: ScriptedPages = {
    asked: [],
    pages,
    expired: 0,
    follows: (page, last) => (last ? null : `/feeds/assets/pages/s/${page + 1}`),
    takePage() {
      taken += 1;
      return taken <= most;
    },
    now: () => now,
    async read<Feed extends FeedName>(
      feed: Feed,
      page: string | null,
    ): Promise<CataloguePage<FeedItem<Feed>>> {
      if (feed === 'sets') return pageOf(feed, [], null);
      script.asked.push(page);
      if (page !== null && script.expired > 0) {
        script.expired -= 1;
        throw new ArtworkError('snapshot_expired', 'Gone.', { status: 410 });
      }
      const number = Number(/(\d+)$/.exec(page ?? '1')?.[1]);
      const items = script.pages[number - 1] ?? [];
      return pageOf(feed, items, script.follows(number, number >= script.pages.length));
    },
  };
  return script;
}

function pageOf<Feed extends FeedName>(
  feed: Feed,
  items: readonly Item[],
  nextPage: string | null,
): CataloguePage<FeedItem<Feed>> {
  return {
    items: items.map((item) => feeds[feed].schema.parse(item)),
    nextPage,
    page: null,
    totalPages: null,
    snapshot: null,
  };
}
