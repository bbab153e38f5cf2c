import { stableNumber } from './identity.ts';

/** Of so many seasons, one has no poster in the whole catalogue. */
const oneWithoutOf = 8;

export function hasPoster(season: { readonly id: number }): boolean {
  return stableNumber(`poster of season ${season.id}`, oneWithoutOf) > 0;
}
