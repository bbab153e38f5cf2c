import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';

export function readEpisode(premises: Premises, id: number) {
  const episode = premises.database.first(
    `SELECT e.*, w.title AS show_title, s.title AS season_title
     FROM episodes e JOIN shows w ON w.id = e.show_id JOIN seasons s ON s.id = e.season_id WHERE e.id = ?`,
    id,
  );
  if (!episode) throw notFound(`Episode ${id}`);
  return {
    id,
    kind: 'episode',
    title: episode.text('title'),
    seasonNumber: episode.integer('season_number'),
    episodeNumber: episode.integer('episode_number'),
    airDate: episode.textOrNull('air_date'),
    show: { id: episode.integer('show_id'), kind: 'show', title: episode.text('show_title') },
    season: {
      id: episode.integer('season_id'),
      kind: 'season',
      title: episode.text('season_title'),
      seasonNumber: episode.integer('season_number'),
    },
    assets: assetsOf(premises, 'episode', id),
  };
}
