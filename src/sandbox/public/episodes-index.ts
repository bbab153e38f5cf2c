import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Database, Row } from '../store/database.ts';
import { showAndSeason } from './entities.ts';

const pageSize = 100;

/**
 * All episodes, show by show. There is no snapshot: a new episode moves the later ones.
 * @throws PublicError 404 for a page beyond the last.
 */
export function readEpisodesIndex({ database }: ServerContext, page: number) {
  const total = database.only('SELECT count(*) AS total FROM episodes').integer('total');
  const totalPages = Math.max(1, Math.ceil(total / pageSize));
  if (page < 1 || page > totalPages) throw notFound(`Page ${page}`);
  const episodes = episodesOn(database, page, total);
  return {
    data: episodes.map((episode) => ({
      ...episode.members('id', 'title', 'year', 'seasonNumber', 'episodeNumber'),
      ...showAndSeason(episode),
    })),
    meta: { page, totalPages, nextPage: page < totalPages ? `/episodes/pages/${page + 1}` : null },
  };
}

const rows = `SELECT e.*, CAST(substr(e.air_date, 1, 4) AS INTEGER) AS year, w.title AS show_title, s.title AS season_title
  FROM episodes e JOIN shows w ON w.id = e.show_id JOIN seasons s ON s.id = e.season_id`;
const order = 'ORDER BY e.show_id, e.season_number, e.episode_number, e.id';

/** Where pages begin that come after one just read, valid while there are just as many episodes. */
interface Beginnings {
  readonly total: number;
  readonly after: Map<number, readonly number[]>;
}

const known = new WeakMap<Database, Beginnings>();
const mostBeginnings = 64;

/**
 * A client that reads on where the last page ended is served from there: skipping a million episodes again for each
 * page would take most of the time of reading them all.
 */
function episodesOn(database: Database, page: number, total: number): readonly Row[] {
  const found = known.get(database);
  const { after } = found?.total === total ? found : { after: new Map<number, readonly number[]>() };
  known.set(database, { total, after });
  const beginning = after.get(page);
  const episodes =
    beginning === undefined
      ? database.all(`${rows} ${order} LIMIT ? OFFSET ?`, pageSize, (page - 1) * pageSize)
      : database.all(
          `${rows} WHERE (e.show_id, e.season_number, e.episode_number, e.id) > (?, ?, ?, ?) ${order} LIMIT ?`,
          ...beginning,
          pageSize,
        );
  const last = episodes.at(-1);
  if (last === undefined) return episodes;
  after.delete(page + 1);
  after.set(
    page + 1,
    ['show_id', 'season_number', 'episode_number', 'id'].map((column) => last.integer(column)),
  );
  for (const oldest of after.keys()) {
    if (after.size <= mostBeginnings) break;
    after.delete(oldest);
  }
  return episodes;
}
