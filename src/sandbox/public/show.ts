import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';
import { yearOf } from './year.ts';

/** Specials count in neither `numberOfSeasons` nor `numberOfEpisodes`. */
export function readShow(premises: Premises, id: number) {
  const { database, now } = premises;
  const show = database.first('SELECT * FROM shows WHERE id = ?', id);
  if (!show) throw notFound(`Show ${id}`);
  const seasons = database.all(
    `SELECT s.*, (SELECT count(*) FROM episodes e WHERE e.season_id = s.id) AS episodes
     FROM seasons s WHERE s.show_id = ? ORDER BY s.season_number`,
    id,
  );
  const regular = seasons.filter((season) => season.integer('season_number') > 0);
  return {
    id,
    kind: 'show',
    title: show.text('title'),
    overview: show.text('overview'),
    tagline: show.textOrNull('tagline'),
    status: show.text('status'),
    year: yearOf(show.textOrNull('first_air_date')),
    firstAirDate: show.textOrNull('first_air_date'),
    lastAirDate: show.textOrNull('last_air_date'),
    numberOfSeasons: regular.length,
    numberOfEpisodes: regular.reduce((sum, season) => sum + season.integer('episodes'), 0),
    metadataImages: metadataImages(premises, 'show', id),
    assets: assetsOf(premises, 'show', id),
    seasons: seasons.map((season) => ({
      id: season.integer('id'),
      kind: 'season',
      title: season.text('title'),
      seasonNumber: season.integer('season_number'),
      airDate: season.textOrNull('air_date'),
    })),
    sets: database
      .all(
        `SELECT s.id, s.title, s.updated_at, o.name AS created_by
         FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
         WHERE s.kind = 'show_set' AND s.target_kind = 'show' AND s.target_id = ? AND s.public_from <= ?
         ORDER BY s.id`,
        id,
        now().toISOString(),
      )
      .map((set) => ({
        id: set.integer('id'),
        createdBy: set.textOrNull('created_by'),
        title: set.text('title'),
        dateUpdated: set.text('updated_at'),
      })),
  };
}
