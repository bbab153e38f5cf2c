import type { Database } from '../database.ts';
import { insert } from '../insert.ts';
import type { Content } from './content.ts';
import { StableIds } from './identity.ts';
import { fillBelongings, type Named, type Names } from './names.ts';

export interface SeededGame {
  readonly kind: 'game';
  readonly id: number;
  readonly title: string;
  readonly belongs: readonly Named[];
}

export function fillGames(database: Database, content: Content, names: Names): readonly SeededGame[] {
  const ids = new StableIds(1_000, 9_999);
  const idOf = new Map(content.games.map(({ title }) => [title, ids.idOf(title)]));
  const known = (title: string, wanting: string) => {
    const id = idOf.get(title);
    if (id === undefined)
      throw new Error(`${wanting} refers to the game ${title}, which is not in the seed.`);
    return id;
  };
  const games = content.games.map((game) => {
    const id = known(game.title, game.title);
    insert(database, 'games', {
      id,
      title: game.title,
      summary: game.summary,
      storyline: game.storyline,
      game_type: game.gameType,
      first_release_date: game.firstReleaseDate,
      developers: JSON.stringify(game.developers),
      publishers: JSON.stringify(game.publishers),
      engines: JSON.stringify(game.engines),
      genres: JSON.stringify(game.genres),
      platforms: JSON.stringify(game.platforms),
    });
    const belongs = fillBelongings(
      database,
      names,
      { kind: 'game', id, title: game.title },
      { category: game.categories },
    );
    return { kind: 'game' as const, id, title: game.title, belongs };
  });
  for (const game of content.games) {
    for (const [position, title] of game.relatedGames.entries()) {
      const related = known(title, game.title);
      insert(database, 'related_games', {
        game_id: known(game.title, game.title),
        position,
        related_id: related,
      });
    }
  }
  return games;
}
