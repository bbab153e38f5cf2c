import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';
import { yearOf } from './year.ts';

/**
 * Show. The interface document leaves open what specials count for; here they are episodes like all others,
 * so that `firstAirDate`, `lastAirDate` and `numberOfEpisodes` agree with the episodes that the show has.
 * Season 0 is no season of its own: `numberOfSeasons` leaves it out.
 */
export function readShow(premises: Premises, id: number) {
  const { database, now } = premises;
  const show = database.first('SELECT * FROM shows WHERE id = ?', id);
  if (!show) throw notFound(`Show ${id}`);
  const seasons = database.all('SELECT * FROM seasons WHERE show_id = ? ORDER BY season_number', id);
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
    numberOfSeasons: seasons.filter((season) => season.integer('season_number') > 0).length,
    numberOfEpisodes: database
      .only('SELECT count(*) AS episodes FROM episodes WHERE show_id = ?', id)
      .integer('episodes'),
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
