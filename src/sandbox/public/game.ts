import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';

/** `engines`, whose element the interface document doesn't show, are assumed to be names, as genres are. */
export function readGame(premises: Premises, id: number) {
  const { database } = premises;
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
    metadataImages: metadataImages(premises, 'game', id),
    assets: assetsOf(premises, 'game', id),
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
