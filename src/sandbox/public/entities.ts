import { type EntityKind, metadataImagesOf, type PicturedKind } from '../artwork/targets.ts';
import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Row } from '../store/database.ts';
import { assetsOf, metadataImages } from './assets.ts';

/** How a kind of entity is read: the row of an id, and what is shown of it. */
interface EntityRead {
  readonly sql: string;
  /** Members that columns of the row hold. */
  readonly members: readonly string[];
  /** Members that are made of columns, shown before its artwork. */
  readonly converted?: (row: Row) => object;
  /** What it consists of or refers to. */
  readonly links?: (row: Row, id: number, context: ServerContext) => object;
}

/** The metadata entities (the interface document, Resources). */
const entities: Readonly<Record<EntityKind, EntityRead>> = {
  // The interface document does not say whether specials count. Here they are episodes like all others, so that the
  // dates and `numberOfEpisodes` agree with the show's episodes; `numberOfSeasons` leaves out season 0.
  show: {
    sql: `SELECT *, CAST(substr(first_air_date, 1, 4) AS INTEGER) AS year,
        (SELECT count(*) FROM seasons WHERE show_id = w.id AND season_number > 0) AS number_of_seasons,
        (SELECT count(*) FROM episodes WHERE show_id = w.id) AS number_of_episodes
      FROM shows w WHERE id = ?`,
    members: [
      ...['title', 'overview', 'tagline', 'status', 'year', 'firstAirDate', 'lastAirDate'],
      ...['numberOfSeasons', 'numberOfEpisodes'],
    ],
    links: (_, id, { database, now }) => ({
      seasons: database
        .all(`SELECT *, 'season' AS kind FROM seasons WHERE show_id = ? ORDER BY season_number`, id)
        .map((season) => season.members('id', 'kind', 'title', 'seasonNumber', 'airDate')),
      sets: database
        .all(
          `SELECT s.id, s.title, s.updated_at AS date_updated, o.name AS created_by
           FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
           WHERE s.kind = 'show_set' AND s.target_kind = 'show' AND s.target_id = ? AND s.public_from <= ?
           ORDER BY s.id`,
          id,
          now().toISOString(),
        )
        .map((set) => set.members('id', 'createdBy', 'title', 'dateUpdated')),
    }),
  },
  season: {
    sql: 'SELECT s.*, w.title AS show_title FROM seasons s JOIN shows w ON w.id = s.show_id WHERE s.id = ?',
    members: ['title', 'seasonNumber', 'airDate'],
    links: (season, id, { database }) => ({
      show: reference('show', season),
      episodes: database
        .all(`SELECT *, 'episode' AS kind FROM episodes WHERE season_id = ? ORDER BY episode_number, id`, id)
        .map((episode) => episode.members('id', 'kind', 'title', 'episodeNumber', 'airDate')),
    }),
  },
  episode: {
    sql: `SELECT e.*, w.title AS show_title, s.title AS season_title
      FROM episodes e JOIN shows w ON w.id = e.show_id JOIN seasons s ON s.id = e.season_id WHERE e.id = ?`,
    members: ['title', 'seasonNumber', 'episodeNumber', 'airDate'],
    converted: showAndSeason,
  },
  movie: {
    sql: `SELECT m.*, c.title AS collection_title
      FROM movies m LEFT JOIN collections c ON c.id = m.collection_id WHERE m.id = ?`,
    members: ['title', 'overview', 'tagline', 'status', 'releaseDate', 'runtimeMinutes'],
    converted: (movie) => ({ filmedForImax: movie.flag('filmed_for_imax') }),
    links: (movie) => ({ collection: reference('collection', movie) }),
  },
  collection: {
    sql: `SELECT c.*, min(m.release_date) AS first_release_date, max(m.release_date) AS latest_release_date
      FROM collections c LEFT JOIN movies m ON m.collection_id = c.id WHERE c.id = ? GROUP BY c.id`,
    members: ['title', 'overview', 'firstReleaseDate', 'latestReleaseDate'],
    links: (_, id, { database }) => ({
      movies: database
        .all(
          `SELECT *, 'movie' AS kind FROM movies WHERE collection_id = ?
           ORDER BY release_date IS NULL, release_date, id`,
          id,
        )
        .map((movie) => movie.members('id', 'kind', 'title', 'releaseDate')),
    }),
  },
  // `engines`, whose element the interface document does not show, are assumed to be names, as genres are.
  game: {
    sql: 'SELECT * FROM games WHERE id = ?',
    members: ['title', 'summary', 'storyline', 'gameType', 'firstReleaseDate'],
    links: (game, id, { database }) => ({
      ...Object.fromEntries(
        ['developers', 'publishers', 'engines', 'genres', 'platforms'].map((list): [string, unknown] => [
          list,
          JSON.parse(game.text(list)),
        ]),
      ),
      relatedGames: database
        .all(
          `SELECT g.*, 'game' AS kind FROM related_games r JOIN games g ON g.id = r.related_id
           WHERE r.game_id = ? ORDER BY r.position`,
          id,
        )
        .map((related) => related.members('id', 'kind', 'title', 'firstReleaseDate')),
    }),
  },
  // `parentCompany`, which the interface document does not show, is assumed to be a reference like the others.
  company: {
    sql: `SELECT c.*, p.name AS parent_name FROM companies c LEFT JOIN companies p ON p.id = c.parent_id
      WHERE c.id = ?`,
    members: ['name', 'description', 'homepage', 'headquartersCountry', 'originCountry'],
    links: (company) => {
      const id = company.integerOrNull('parent_id');
      return {
        parentCompany: id === null ? null : { id, kind: 'company', name: company.text('parent_name') },
      };
    },
  },
  network: {
    sql: 'SELECT * FROM networks WHERE id = ?',
    members: ['name', 'homepage', 'originCountry'],
  },
  person: {
    sql: 'SELECT * FROM people WHERE id = ?',
    members: ['name', 'biography', 'birthday', 'deathday', 'placeOfBirth', 'knownForDepartment', 'homepage'],
  },
  category: {
    sql: 'SELECT *, category_group AS "group" FROM categories WHERE id = ?',
    members: ['name', 'description', 'group'],
  },
};

/** @throws PublicError 404 when there is no such entity. */
export function readEntity(context: ServerContext, kind: EntityKind, id: number): object {
  const { sql, members, converted, links } = entities[kind];
  const row = context.database.first(sql, id);
  if (!row) throw notFound(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`);
  return {
    id,
    kind,
    ...row.members(...members),
    ...converted?.(row),
    ...(isPictured(kind) ? { metadataImages: metadataImages(context, kind, id) } : {}),
    assets: assetsOf(context, kind, id),
    ...links?.(row, id, context),
  };
}

function isPictured(kind: EntityKind): kind is PicturedKind {
  return kind in metadataImagesOf;
}

function reference(kind: 'show' | 'collection', row: Row) {
  const id = row.integerOrNull(`${kind}_id`);
  return id === null ? null : { id, kind, title: row.text(`${kind}_title`) };
}

/** The show and the season of an episode, of which the row has the titles. */
export function showAndSeason(episode: Row) {
  return {
    show: reference('show', episode),
    season: {
      id: episode.integer('season_id'),
      kind: 'season',
      title: episode.text('season_title'),
      seasonNumber: episode.integer('season_number'),
    },
  };
}
