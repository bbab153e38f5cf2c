import type { SeedShow } from '../../types.ts';
import { fortyWinters } from './forty-winters.ts';
import { islandAfterIsland } from './island-after-island.ts';
import { lighthouse } from './lighthouse.ts';
import { longestTitle } from './longest-title.ts';
import { miscountedParcels } from './miscounted-parcels.ts';
import { sixtyTwoDoors } from './sixty-two-doors.ts';
import { smallWinterSpecial } from './small-winter-special.ts';
import { teapotNews } from './teapot-news.ts';
import { tomorrowPerhaps } from './tomorrow-perhaps.ts';
import { towerOfMumble } from './tower-of-mumble.ts';
import { unfilmedHours } from './unfilmed-hours.ts';

export { manySeasonsShow } from './forty-winters.ts';
export { manyPostersShow } from './lighthouse.ts';
export { titleCardsShow } from './sixty-two-doors.ts';

/** Shows that nobody made, each for something that real shows seldom have. */
export const fictionalShows: readonly SeedShow[] = [
  lighthouse,
  fortyWinters,
  sixtyTwoDoors,
  islandAfterIsland,
  miscountedParcels,
  towerOfMumble,
  longestTitle,
  tomorrowPerhaps,
  unfilmedHours,
  teapotNews,
  smallWinterSpecial,
];
