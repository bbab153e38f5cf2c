import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';
import type { Content } from './content.ts';
import { StableIds } from './identity.ts';
import { fillBelongings, type Named, type Names } from './names.ts';
import { gamesMeant } from './records.ts';

export interface SeededGame {
  readonly kind: 'game';
  readonly id: number;
  readonly title: string;
  readonly belongs: readonly Named[];
}

export function fillGames(database: Database, content: Content, names: Names): readonly SeededGame[] {
  const ids = new StableIds(1_000, 9_999);
  // Remakes share a title, never the date.
  const identified = content.games.map((game) => ({
    ...game,
    id: ids.idOf(`${game.title} ${game.firstReleaseDate}`),
  }));
  const games = identified.map(({ id, ...game }) => {
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
  for (const { id, relatedGames } of identified) {
    const related = relatedGames.flatMap((reference) => gamesMeant(identified, reference));
    for (const [position, other] of related.entries()) {
      insert(database, 'related_games', { game_id: id, position, related_id: other.id });
    }
  }
  return games;
}
