import type { Slot } from '../artwork/slots.ts';
import { stableNumber } from './identity.ts';
import { authored, creatorFor, isUntold, placed, type SetPlan } from './plan.ts';
import type { SeededGame } from './works-games.ts';

const coverages: readonly (readonly [description: string, slots: readonly Slot[]])[] = [
  [
    'Every slot that a launcher shows.',
    ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  ],
  ['Cover, hero and logo.', ['cover', 'hero', 'logo']],
  ['No logo yet.', ['cover', 'squareCover', 'icon']],
];

export function planGameSets(games: readonly SeededGame[]): readonly SetPlan[] {
  return games.flatMap((game) =>
    coverages.slice(0, 1 + stableNumber(`sets ${game.title}`, 3)).map(([description, slots], nth) => ({
      ...authored(`game ${game.id} ${game.title} ${nth}`, game.title, creatorFor(game.title, nth)),
      kind: 'game_set' as const,
      target: { kind: 'game', id: game.id },
      members: [],
      description: isUntold(game.title) ? null : description,
      edition: null,
      placements: placed('game', game.id, ...slots),
    })),
  );
}
