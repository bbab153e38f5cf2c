import type { SeedShow } from '../types.ts';

export { networks } from './networks.ts';

export const shows: readonly SeedShow[] = [];
