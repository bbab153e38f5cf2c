import type { Slot } from '../artwork/slots.ts';
import { stableNumber } from './identity.ts';
import { authored, creatorFor, placed, type SetPlan } from './plan.ts';
import type { SeededGame } from './works-games.ts';

const coverages: readonly (readonly Slot[])[] = [
  ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  ['cover', 'hero', 'logo'],
  ['cover', 'squareCover', 'icon'],
];

export function planGameSets(games: readonly SeededGame[]): readonly SetPlan[] {
  return games.flatMap((game) =>
    coverages.slice(0, 1 + stableNumber(`sets ${game.title}`, 3)).map((slots, nth) => ({
      ...authored(`game ${game.id} ${game.title} ${nth}`, game.title, creatorFor(game.title, nth)),
      kind: 'game_set' as const,
      target: { kind: 'game', id: game.id },
      members: [],
      description:
        nth === 0 ? 'Every slot that a launcher shows.' : slots.includes('logo') ? null : 'No logo yet.',
      edition: null,
      placements: placed('game', game.id, ...slots),
    })),
  );
}
