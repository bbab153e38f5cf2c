import { episodesIndex } from '../../../src/catalogue/records/kinds.ts';
import type { Clock } from '../../../src/clock.ts';
import type { ReaderPorts } from '../../../src/curation/find/reader.ts';
import { ArtworkError } from '../../../src/errors.ts';

export interface Asked {
  readonly path: string;
  /** By the clock, ms. */
  readonly at: number;
}

export interface ListedCatalogue {
  readonly catalogue: ReaderPorts['catalogue'];
  /** Every request in the order in which they began. */
  readonly asked: Asked[];
  /** The most that were under way at a time. */
  readonly mostAtOnce: () => number;
}

export interface Listing {
  /** How many films changed of late: 100 to a page of the feed, each known by its id alone. */
  readonly films: number;
  /** Pages of the episodes index, with one show of 100 episodes on each. */
  readonly episodePages: number;
  /** How long an answer takes, ms. */
  readonly takesMs?: number;
  /** Throws where the service is not to answer as it should. */
  readonly refuse?: (path: string, nth: number) => void;
  /** Where a page of the episodes index leads instead; undefined: as it should. */
  readonly astray?: (page: number) => EpisodesWay | undefined;
  /** A snapshot can be read for so long, ms. */
  readonly snapshotMs?: number;
}

interface EpisodesWay {
  readonly nextPage: string | null;
  readonly page: number | null;
  readonly totalPages: number | null;
}

/** A service with nothing but what a reading goes through, and a note of each request. */
export function listedCatalogue(clock: Clock, listing: Listing): ListedCatalogue {
  const { films, episodePages, takesMs = 120, refuse, snapshotMs = 900_000, astray } = listing;
  const began = clock.now();
  const asked: Asked[] = [];
  const snapshots: number[] = [];
  let underWay = 0;
  let most = 0;
  const answer = async <Value>(path: string, signal: AbortSignal | undefined, make: () => Value) => {
    asked.push({ path, at: clock.now() });
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      await clock.sleep(takesMs, signal ?? new AbortController().signal);
      if (signal?.aborted === true) throw new ArtworkError('cancelled', 'The call was cancelled.');
      refuse?.(path, asked.length);
      return make();
    } finally {
      underWay -= 1;
    }
  };
  const numberIn = (nextPage: string | null) => Number(nextPage?.split('/').at(-1) ?? 1);
  const page = <Item>(
    items: readonly Item[],
    number: number,
    of: number,
    next: (page: number) => string,
  ) => ({
    items,
    page: number,
    totalPages: of,
    nextPage: number < of ? next(number + 1) : null,
    snapshot: null,
  });
  const count = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

  const catalogue: ListedCatalogue['catalogue'] = {
    readEpisodesPage: (nextPage, call) =>
      answer(nextPage ?? '/episodes', call?.signal, () => {
        const number = numberIn(nextPage);
        const show = { id: number, kind: 'show', title: `Show ${number}` };
        const items = count(number * 100, number * 100 + 100).map((id) => ({
          id,
          title: `Episode ${id}`,
          year: 2001,
          seasonNumber: 1,
          episodeNumber: id % 100,
          show,
          season: { id: number, kind: 'season', title: 'Season 1', seasonNumber: 1 },
        }));
        const way = page(
          items.map((item) => episodesIndex.schema.parse(item)),
          number,
          episodePages,
          (next) => `/episodes/pages/${next}`,
        );
        return { ...way, ...astray?.(number) };
      }),
    readFeedPage: (feed, nextPage, call) =>
      answer(nextPage ?? `/feeds/${feed}`, call?.signal, () => {
        const number = numberIn(nextPage);
        const taken = Number(nextPage?.split('/').at(-2) ?? snapshots.push(clock.now()) - 1);
        if (clock.now() - (snapshots[taken] ?? 0) > snapshotMs) {
          throw new ArtworkError('snapshot_expired', 'The snapshot has expired.', { status: 410 });
        }
        const pages = feed === 'assets' ? Math.max(1, Math.ceil(films / 100)) : 1;
        const ids = feed === 'assets' ? count((number - 1) * 100, Math.min(films, number * 100)) : [];
        const items: never[] = [];
        for (const id of ids) items.push(filmEvent(id, began) as never);
        return page(items, number, pages, (next) => `/feeds/${feed}/pages/${taken}/${next}`);
      }),
    readEntity: (kind, id, call) =>
      answer(
        `/${kind}s/${id}`,
        call?.signal,
        () => ({ id: Number(id), kind, title: `The ${kind} ${id}` }) as never,
      ),
  };
  return { catalogue, asked, mostAtOnce: () => most };
}

function filmEvent(id: number, latest: number) {
  return {
    assetId: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    kind: 'asset',
    slot: 'poster',
    target: { id: id + 1, kind: 'movie' },
    changeType: 'added',
    changedAt: new Date(latest - 60_000 * id).toISOString(),
    previousAssetId: null,
    replacements: [],
  };
}
