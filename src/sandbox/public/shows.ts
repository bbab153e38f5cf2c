import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import { assetsOf, metadataImages } from './assets.ts';

/**
 * The interface document does not say whether specials count. Here they are episodes like all others, so that
 * `firstAirDate`, `lastAirDate` and `numberOfEpisodes` agree with the show's episodes. `numberOfSeasons`
 * leaves out season 0.
 */
export function readShow(context: ServerContext, id: number) {
  const { database, now } = context;
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
    year: show.yearOrNull('first_air_date'),
    firstAirDate: show.textOrNull('first_air_date'),
    lastAirDate: show.textOrNull('last_air_date'),
    numberOfSeasons: seasons.filter((season) => season.integer('season_number') > 0).length,
    numberOfEpisodes: database
      .only('SELECT count(*) AS episodes FROM episodes WHERE show_id = ?', id)
      .integer('episodes'),
    metadataImages: metadataImages(context, 'show', id),
    assets: assetsOf(context, 'show', id),
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

export function readSeason(context: ServerContext, id: number) {
  const season = context.database.first(
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
    metadataImages: metadataImages(context, 'season', id),
    assets: assetsOf(context, 'season', id),
    show: { id: season.integer('show_id'), kind: 'show', title: season.text('show_title') },
    episodes: context.database
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

export function readEpisode(context: ServerContext, id: number) {
  const episode = context.database.first(
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
    assets: assetsOf(context, 'episode', id),
  };
}
