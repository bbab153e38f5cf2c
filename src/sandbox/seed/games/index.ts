import type { SeedGame } from '../types.ts';

export const games: readonly SeedGame[] = [];
