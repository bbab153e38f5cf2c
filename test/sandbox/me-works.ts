import { storeGroup } from '../../src/sandbox/artwork/groups.ts';
import { type NewSet, storeSet } from '../../src/sandbox/artwork/sets.ts';
import { type Database, insert } from '../../src/sandbox/store/database.ts';

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
export function plantWorks(database: Database): void {
  database.transaction(() => {
    insert(database, 'collections', { id: works.collection.id, title: 'The Planted Ones', overview: '' });
    for (const { id } of [works.movie, works.otherMovie]) {
      insert(database, 'movies', {
        id,
        title: `Planted Film ${id}`,
        overview: '',
        status: 'released',
        release_date: '2001-02-03',
        filmed_for_imax: 0,
        collection_id: works.collection.id,
      });
    }
    insert(database, 'games', {
      id: works.game.id,
      title: 'Planted Game',
      summary: '',
      game_type: 'original',
      developers: '[]',
      publishers: '[]',
      engines: '[]',
      genres: '[]',
      platforms: '[]',
    });
    plantSet(database, sets.movie, 'movie_set', works.movie);
    plantSet(database, sets.collection, 'collection_set', works.collection);
    plantSet(database, sets.game, 'game_set', works.game);
    plantSet(database, sets.ungrouped, 'movie_set', works.otherMovie);
    plantSet(database, sets.foreign, 'movie_set', works.movie, 2);
    const group = { description: null, ownerId: 1, languageCode: 'en', createdAt: at };
    storeGroup(database, {
      ...group,
      id: groups.loadout,
      kind: 'loadout',
      title: 'Planted Loadout',
      setIds: [sets.game],
    });
    storeGroup(database, { ...group, id: groups.empty, kind: 'boxset', title: 'Planted Boxset', setIds: [] });
  });
}

/** A show of one season with this many episodes, and a Set of account 1 for it without artwork. */
export function plantShow(database: Database, id: number, episodes: number) {
  return database.transaction(() => {
    insert(database, 'shows', { id, title: `Planted Show ${id}`, overview: '', status: 'ended' });
    insert(database, 'seasons', { id, show_id: id, title: 'Season 1', season_number: 1 });
    const ids = Array.from({ length: episodes }, (_, index) => id * 1_000 + index);
    for (const [index, episode] of ids.entries()) {
      insert(database, 'episodes', {
        id: episode,
        show_id: id,
        season_id: id,
        season_number: 1,
        episode_number: index + 1,
        title: `Episode ${index + 1}`,
      });
    }
    plantSet(database, id, 'show_set', { kind: 'show', id });
    return { setId: id, episodes: ids };
  });
}

function plantSet(
  database: Database,
  id: number,
  kind: NewSet['kind'],
  target: { kind: string; id: number },
  ownerId = 1,
): void {
  storeSet(database, {
    id,
    kind,
    target,
    members: [],
    title: `Planted ${kind}`,
    description: null,
    ownerId,
    languageCode: 'en',
    editionId: null,
    finalised: false,
    createdAt: at,
    publicFrom: at,
  });
}
