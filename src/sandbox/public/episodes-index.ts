import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';

const pageSize = 100;

/**
 * All episodes, show by show. There is no snapshot: a new episode moves the later ones.
 * @throws PublicError 404 for a page beyond the last.
 */
export function readEpisodesIndex({ database }: ServerContext, page: number) {
  const total = database.only('SELECT count(*) AS total FROM episodes').integer('total');
  const totalPages = Math.max(1, Math.ceil(total / pageSize));
  if (page < 1 || page > totalPages) throw notFound(`Page ${page}`);
  const episodes = database.all(
    `SELECT e.*, w.title AS show_title, s.title AS season_title
     FROM episodes e JOIN shows w ON w.id = e.show_id JOIN seasons s ON s.id = e.season_id
     ORDER BY e.show_id, e.season_number, e.episode_number, e.id LIMIT ? OFFSET ?`,
    pageSize,
    (page - 1) * pageSize,
  );
  return {
    data: episodes.map((episode) => ({
      id: episode.integer('id'),
      title: episode.text('title'),
      year: episode.yearOrNull('air_date'),
      seasonNumber: episode.integer('season_number'),
      episodeNumber: episode.integer('episode_number'),
      show: { id: episode.integer('show_id'), kind: 'show', title: episode.text('show_title') },
      season: {
        id: episode.integer('season_id'),
        kind: 'season',
        title: episode.text('season_title'),
        seasonNumber: episode.integer('season_number'),
      },
    })),
    meta: { page, totalPages, nextPage: page < totalPages ? `/episodes/pages/${page + 1}` : null },
  };
}
