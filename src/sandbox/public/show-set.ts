import type { Premises } from '../premises.ts';
import { setArtwork } from './set-artwork.ts';
import { readSetHead } from './set-head.ts';
import { yearOf } from './year.ts';

/** Shows every season and episode of the show, so that what the Set lacks can be seen. */
export function readShowSet(premises: Premises, id: number) {
  const { database } = premises;
  const { fields, language, group, targetId } = readSetHead(premises, 'show_set', id);
  const show = database.only('SELECT * FROM shows WHERE id = ?', targetId);
  const showId = show.integer('id');
  const artwork = setArtwork(premises, id);
  const episodes = database
    .all(
      `SELECT id, season_id, episode_number FROM episodes
       WHERE show_id = ? ORDER BY season_number, episode_number, id`,
      showId,
    )
    .map((episode) => ({ seasonId: episode.integer('season_id'), episode }));
  return {
    ...fields,
    language,
    boxset: group,
    show: {
      id: showId,
      title: show.text('title'),
      year: yearOf(show.textOrNull('first_air_date')),
      ...artwork('show', showId),
      seasons: database
        .all('SELECT id, season_number FROM seasons WHERE show_id = ? ORDER BY season_number', showId)
        .map((season) => ({
          id: season.integer('id'),
          seasonNumber: season.integer('season_number'),
          ...artwork('season', season.integer('id')),
          episodes: episodes
            .filter(({ seasonId }) => seasonId === season.integer('id'))
            .map(({ episode }) => ({
              id: episode.integer('id'),
              episodeNumber: episode.integer('episode_number'),
              ...artwork('episode', episode.integer('id')),
            })),
        })),
    },
  };
}
