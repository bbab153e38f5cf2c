import type { SeedCompany, SeedGame } from '../types.ts';
import { adventureGames } from './adventures.ts';
import { independentGameCompanies } from './companies-independent.ts';
import { ownedGameCompanies } from './companies-owned.ts';
import { fictionalGames } from './fictional.ts';
import { moreGames } from './more.ts';
import { nintendoGames } from './nintendo.ts';
import { rolePlayingGames } from './role-playing.ts';
import { shooters } from './shooters.ts';
import { soulslikes } from './soulslikes.ts';

/**
 * Every game. The first release date of a real game is the earliest, anywhere, as it is commonly published,
 * and null where that is in doubt; platforms are those of that release, or of the months after it.
 */
export const games: readonly SeedGame[] = [
  ...nintendoGames,
  ...shooters,
  ...rolePlayingGames,
  ...soulslikes,
  ...adventureGames,
  ...moreGames,
  ...fictionalGames,
];

/**
 * Developers and publishers of the real games, owners before what they own. The fictional games borrow those
 * of the shows.
 */
export const gameCompanies: readonly SeedCompany[] = [...independentGameCompanies, ...ownedGameCompanies];
