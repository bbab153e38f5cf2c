import type { SeedCollection, SeedCompany, SeedMovie, SeedPerson } from '../types.ts';
import { adventureCollections, adventures } from './adventures.ts';
import { animatedCollections, animatedSeries } from './animated-series.ts';
import { before1980 } from './before-1980.ts';
import { americanFilmCompanies } from './companies-american.ts';
import { otherFilmCompanies } from './companies-elsewhere.ts';
import { ownedFilmCompanies } from './companies-owned.ts';
import { crimeAndAgentCollections, crimeAndAgents } from './crime-and-agents.ts';
import { darkFutureCollections, darkFutures } from './dark-futures.ts';
import { decadeCollections } from './decades.ts';
import { fictionalCollections, fictionalFilms } from './fictional.ts';
import { fictionalScripts } from './fictional-scripts.ts';
import { harbourLights, harbourLightsCollection } from './harbour-lights.ts';
import { harryPotter, harryPotterCollections } from './harry-potter.ts';
import { middleEarth, middleEarthCollections } from './middle-earth.ts';
import { filmPeopleAToE } from './people-a-to-e.ts';
import { filmPeopleFToI } from './people-f-to-i.ts';
import { filmPeopleJToL } from './people-j-to-l.ts';
import { filmPeopleMToQ } from './people-m-to-q.ts';
import { filmPeopleRToZ } from './people-r-to-z.ts';
import { since2010 } from './since-2010.ts';
import { starWars, starWarsCollections } from './star-wars.ts';
import { the1980s } from './the-1980s.ts';
import { the1990s } from './the-1990s.ts';
import { the2000s } from './the-2000s.ts';
import { trilogies, trilogyCollections } from './trilogies.ts';

/**
 * Every film. A release date is the day on which a real film opened in a country of its origin, as it is
 * commonly published; premieres and festivals don't count. A runtime is that of the version that opened, as it
 * is commonly published; rounding makes a minute or two of difference. A real film of which published dates
 * disagree, or the lengths of its versions, is not here. An empty tagline: none is on record. `filmedForImax`
 * is true where a film was surely shot, at least in part, for IMAX.
 */
export const movies: readonly SeedMovie[] = [
  ...middleEarth,
  ...starWars,
  ...harryPotter,
  ...adventures,
  ...darkFutures,
  ...crimeAndAgents,
  ...animatedSeries,
  ...trilogies,
  ...before1980,
  ...the1980s,
  ...the1990s,
  ...the2000s,
  ...since2010,
  ...fictionalFilms,
  ...fictionalScripts,
  ...harbourLights,
];

/** Every collection. The films of a real one stand in `movies` in the order of their release. */
export const collections: readonly SeedCollection[] = [
  ...middleEarthCollections,
  ...starWarsCollections,
  ...harryPotterCollections,
  ...adventureCollections,
  ...darkFutureCollections,
  ...crimeAndAgentCollections,
  ...animatedCollections,
  ...trilogyCollections,
  ...fictionalCollections,
  harbourLightsCollection,
  ...decadeCollections,
];

/**
 * The companies that made the real films, owners before what they own. The fictional films borrow those of the
 * shows.
 */
export const filmCompanies: readonly SeedCompany[] = [
  ...americanFilmCompanies,
  ...otherFilmCompanies,
  ...ownedFilmCompanies,
];

/** The directors of the real films, apart from those who stand among the people of the shows. */
export const filmPeople: readonly SeedPerson[] = [
  ...filmPeopleAToE,
  ...filmPeopleFToI,
  ...filmPeopleJToL,
  ...filmPeopleMToQ,
  ...filmPeopleRToZ,
];
