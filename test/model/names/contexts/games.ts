import type { GameRecord } from '../types.ts';

export const portal2: GameRecord = { kind: 'game', id: 72, title: 'Portal 2', firstReleaseDate: null };

/** Fictional. */
export const lamplighters: GameRecord = {
  kind: 'game',
  id: 8201,
  title: 'Lamplighters II: The Wick',
  firstReleaseDate: '2004-11-05',
};
