import type { Premises } from '../premises.ts';
import { setArtwork } from './set-artwork.ts';
import { readSetHead } from './set-head.ts';
import { yearOf } from './year.ts';

export function readGameSet(premises: Premises, id: number) {
  const { fields, language, group, targetId } = readSetHead(premises, 'game_set', id);
  const game = premises.database.only('SELECT * FROM games WHERE id = ?', targetId);
  const gameId = game.integer('id');
  return {
    ...fields,
    language,
    loadout: group,
    game: {
      id: gameId,
      title: game.text('title'),
      year: yearOf(game.textOrNull('first_release_date')),
      ...setArtwork(premises, id)('game', gameId),
    },
  };
}
