import type { SeedCollection, SeedMovie } from '../types.ts';

export const movies: readonly SeedMovie[] = [];
export const collections: readonly SeedCollection[] = [];
