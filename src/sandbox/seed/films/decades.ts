import type { SeedCollection } from '../types.ts';

const decades = [1930, 1950, 1960, 1970, 1980, 1990, 2000, 2010, 2020];

/** What the real films belong to that no other collection of the seed holds: their decade. */
export const decadeCollections: readonly SeedCollection[] = decades.map((first) => ({
  title: `Films of the ${first}s`,
  overview: `A selection of films that opened from ${first} to ${first + 9}.`,
}));
