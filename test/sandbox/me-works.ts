import { createGroup, createSet, type NewSet } from '../../src/sandbox/artwork.ts';
import { addWorks } from '../../src/sandbox/seed/fill.ts';
import type { Store } from '../../src/sandbox/store.ts';

/** Fictional works and Sets that a test can rely on, whatever the catalogue is filled with. */
export const works = {
  movie: { kind: 'movie', id: 900_001 },
  otherMovie: { kind: 'movie', id: 900_002 },
  collection: { kind: 'collection', id: 900_003 },
  game: { kind: 'game', id: 900_004 },
} as const;

export const sets = {
  movie: 900_001,
  collection: 900_003,
  game: 900_004,
  ungrouped: 900_005,
  foreign: 900_006,
};
export const groups = { loadout: 900_001, empty: 900_002 };

const at = '2026-01-02T03:04:05.678Z';

/** Sets of account 1, one of account 2; the groups are account 1's. None has any artwork. */
export function plantWorks(store: Store): void {
  store.transaction(() => {
    addWorks(store, 'collections', [{ id: works.collection.id, title: 'The Planted Ones', overview: '' }]);
    const movies = [works.movie, works.otherMovie].map(({ id }) => ({
      ...{ id, title: `Planted Film ${id}`, overview: '', status: 'released' },
      ...{ release_date: '2001-02-03', filmed_for_imax: false, collection_id: works.collection.id },
    }));
    addWorks(store, 'movies', movies);
    const lists = { developers: [], publishers: [], engines: [], genres: [], platforms: [] };
    const game = { id: works.game.id, title: 'Planted Game', summary: '', game_type: 'original', ...lists };
    addWorks(store, 'games', [game]);
    plantSet(store, sets.movie, 'movie_set', works.movie);
    plantSet(store, sets.collection, 'collection_set', works.collection);
    plantSet(store, sets.game, 'game_set', works.game);
    plantSet(store, sets.ungrouped, 'movie_set', works.otherMovie);
    plantSet(store, sets.foreign, 'movie_set', works.movie, 2);
    const group = { description: null, ownerId: 1, languageCode: 'en', createdAt: at, publicFrom: at };
    createGroup(store, {
      ...{ ...group, id: groups.loadout, kind: 'loadout', title: 'Planted Loadout', setIds: [sets.game] },
    });
    createGroup(store, {
      ...{ ...group, id: groups.empty, kind: 'boxset', title: 'Planted Boxset', setIds: [] },
    });
  });
}

/** A show of one season with this many episodes, and a Set of account 1 for it without artwork. */
export function plantShow(store: Store, id: number, episodes: number) {
  return store.transaction(() => {
    addWorks(store, 'shows', [{ id, title: `Planted Show ${id}`, overview: '', status: 'ended' }]);
    addWorks(store, 'seasons', [{ id, show_id: id, title: 'Season 1', season_number: 1 }]);
    const rows = Array.from({ length: episodes }, (_, index) => ({
      ...{ id: id * 1_000 + index, season_id: id, episode_number: index + 1, title: `Episode ${index + 1}` },
    }));
    addWorks(store, 'episodes', rows);
    plantSet(store, id, 'show_set', { kind: 'show', id });
    return { setId: id, episodes: rows.map((row) => row.id) };
  });
}

function plantSet(
  store: Store,
  id: number,
  kind: NewSet['kind'],
  target: { kind: string; id: number },
  ownerId = 1,
): void {
  createSet(store, {
    ...{ id, kind, target, members: [], title: `Planted ${kind}`, description: null, ownerId },
    ...{ languageCode: 'en', editionId: null, finalised: false, createdAt: at, publicFrom: at },
  });
}
