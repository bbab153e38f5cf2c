import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import { assetsOf, metadataImages } from './assets.ts';

export function readMovie(context: ServerContext, id: number) {
  const movie = context.database.first(
    `SELECT m.*, c.title AS collection_title
     FROM movies m LEFT JOIN collections c ON c.id = m.collection_id WHERE m.id = ?`,
    id,
  );
  if (!movie) throw notFound(`Movie ${id}`);
  const collectionId = movie.integerOrNull('collection_id');
  return {
    id,
    kind: 'movie',
    title: movie.text('title'),
    overview: movie.text('overview'),
    tagline: movie.textOrNull('tagline'),
    status: movie.text('status'),
    releaseDate: movie.textOrNull('release_date'),
    runtimeMinutes: movie.integerOrNull('runtime_minutes'),
    filmedForImax: movie.flag('filmed_for_imax'),
    metadataImages: metadataImages(context, 'movie', id),
    assets: assetsOf(context, 'movie', id),
    collection:
      collectionId === null
        ? null
        : { id: collectionId, kind: 'collection', title: movie.text('collection_title') },
  };
}

export function readCollection(context: ServerContext, id: number) {
  const { database } = context;
  const collection = database.first('SELECT * FROM collections WHERE id = ?', id);
  if (!collection) throw notFound(`Collection ${id}`);
  const movies = database
    .all(
      'SELECT id, title, release_date FROM movies WHERE collection_id = ? ORDER BY release_date IS NULL, release_date, id',
      id,
    )
    .map((movie) => ({
      id: movie.integer('id'),
      kind: 'movie',
      title: movie.text('title'),
      releaseDate: movie.textOrNull('release_date'),
    }));
  const dates = movies.map((movie) => movie.releaseDate).filter((date) => date !== null);
  return {
    id,
    kind: 'collection',
    title: collection.text('title'),
    overview: collection.text('overview'),
    firstReleaseDate: dates[0] ?? null,
    latestReleaseDate: dates.at(-1) ?? null,
    metadataImages: metadataImages(context, 'collection', id),
    assets: assetsOf(context, 'collection', id),
    movies,
  };
}

/** `engines`, whose element the interface document does not show, are assumed to be names, as genres are. */
export function readGame(context: ServerContext, id: number) {
  const { database } = context;
  const game = database.first('SELECT * FROM games WHERE id = ?', id);
  if (!game) throw notFound(`Game ${id}`);
  const stored = (column: string): unknown => JSON.parse(game.text(column));
  return {
    id,
    kind: 'game',
    title: game.text('title'),
    summary: game.text('summary'),
    storyline: game.textOrNull('storyline'),
    gameType: game.text('game_type'),
    firstReleaseDate: game.textOrNull('first_release_date'),
    metadataImages: metadataImages(context, 'game', id),
    assets: assetsOf(context, 'game', id),
    developers: stored('developers'),
    publishers: stored('publishers'),
    engines: stored('engines'),
    genres: stored('genres'),
    platforms: stored('platforms'),
    relatedGames: database
      .all(
        `SELECT g.id, g.title, g.first_release_date
         FROM related_games r JOIN games g ON g.id = r.related_id WHERE r.game_id = ? ORDER BY r.position`,
        id,
      )
      .map((related) => ({
        id: related.integer('id'),
        kind: 'game',
        title: related.text('title'),
        firstReleaseDate: related.textOrNull('first_release_date'),
      })),
  };
}
