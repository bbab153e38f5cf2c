import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';

export function readSeason(premises: Premises, id: number) {
  const season = premises.database.first(
    'SELECT s.*, w.title AS show_title FROM seasons s JOIN shows w ON w.id = s.show_id WHERE s.id = ?',
    id,
  );
  if (!season) throw notFound(`Season ${id}`);
  return {
    id,
    kind: 'season',
    title: season.text('title'),
    seasonNumber: season.integer('season_number'),
    airDate: season.textOrNull('air_date'),
    metadataImages: metadataImages(premises, 'season', id),
    assets: assetsOf(premises, 'season', id),
    show: { id: season.integer('show_id'), kind: 'show', title: season.text('show_title') },
    episodes: premises.database
      .all('SELECT * FROM episodes WHERE season_id = ? ORDER BY episode_number, id', id)
      .map((episode) => ({
        id: episode.integer('id'),
        kind: 'episode',
        title: episode.text('title'),
        episodeNumber: episode.integer('episode_number'),
        airDate: episode.textOrNull('air_date'),
      })),
  };
}
