import {
  assetFeedItem,
  envelope,
  episodesIndexItem,
  feedMeta,
  indexMeta,
  page,
  type Resource,
  records,
  setFeedItem,
} from './schemas.ts';
import { read, readAllPages } from './read.ts';

/** Enough to meet what is rare, few enough for a service that is far away. */
const mostOfAKind = 60;

const pathOfTarget: Readonly<Record<string, Resource>> = {
  show: 'shows',
  season: 'seasons',
  episode: 'episodes',
  movie: 'movies',
  collection: 'collections',
  game: 'games',
  company: 'companies',
  network: 'networks',
  person: 'people',
  category: 'categories',
};

const pathOfSet: Readonly<Record<string, Resource>> = {
  movie_set: 'movie-set',
  show_set: 'show-set',
  game_set: 'game-set',
  collection_set: 'collection-set',
  brand_set: 'brand-set',
};

/**
 * Ids of every resource: there is no search, so they are found as any client finds them, in the episodes
 * index and the feeds, and from there in the records.
 */
export async function discover(baseUrl: string): Promise<Readonly<Record<Resource, ReadonlySet<number>>>> {
  const ids: Record<Resource, Set<number>> = {
    shows: new Set(),
    seasons: new Set(),
    episodes: new Set(),
    movies: new Set(),
    collections: new Set(),
    games: new Set(),
    companies: new Set(),
    networks: new Set(),
    people: new Set(),
    categories: new Set(),
    'movie-set': new Set(),
    'show-set': new Set(),
    'game-set': new Set(),
    'collection-set': new Set(),
    'brand-set': new Set(),
    boxsets: new Set(),
    loadouts: new Set(),
  };
  const found = (resource: Resource | undefined, id: number | undefined) => {
    if (resource && id !== undefined && ids[resource].size < mostOfAKind) ids[resource].add(id);
  };
  for (const { data } of await readAllPages(baseUrl, '/episodes', page(episodesIndexItem, indexMeta))) {
    for (const episode of data) {
      found('shows', episode.show.id);
      found('seasons', episode.season.id);
      found('episodes', episode.id);
    }
  }
  for (const { data } of await readAllPages(baseUrl, '/feeds/sets', page(setFeedItem, feedMeta))) {
    for (const change of data) found(pathOfSet[change.kind], change.setId);
  }
  for (const { data } of await readAllPages(baseUrl, '/feeds/assets', page(assetFeedItem, feedMeta))) {
    for (const { target } of data) found(pathOfTarget[target.kind], target.id);
  }
  for (const id of ids.shows) {
    const { data } = await read(baseUrl, `/shows/${id}`, envelope(records.shows));
    for (const set of data.sets) found('show-set', set.id);
  }
  for (const id of ids.movies) {
    const { data } = await read(baseUrl, `/movies/${id}`, envelope(records.movies));
    found('collections', data.collection?.id);
  }
  for (const id of ids.collections) {
    const { data } = await read(baseUrl, `/collections/${id}`, envelope(records.collections));
    for (const movie of data.movies) found('movies', movie.id);
  }
  for (const id of ids['show-set']) {
    const { data } = await read(baseUrl, `/show-set/${id}`, envelope(records['show-set']));
    found('boxsets', data.boxset?.id);
  }
  for (const id of ids['movie-set']) {
    const { data } = await read(baseUrl, `/movie-set/${id}`, envelope(records['movie-set']));
    found('boxsets', data.boxset?.id);
  }
  for (const id of ids['game-set']) {
    const { data } = await read(baseUrl, `/game-set/${id}`, envelope(records['game-set']));
    found('loadouts', data.loadout?.id);
  }
  return ids;
}
