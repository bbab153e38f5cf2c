/** `YYYY-MM-DD`. */
export type IsoDate = string;

/** `[episode number, title, air date]`. */
export type SeedEpisode = readonly [number: number, title: string, airDate: IsoDate | null];

export interface SeedSeason {
  /** 0 for specials. */
  readonly number: number;
  readonly title: string;
  readonly airDate: IsoDate | null;
  readonly episodes: readonly SeedEpisode[];
}

/** Works under a real name hold only what is surely known: a fact in doubt is left out (null or absent). */
export interface SeedShow {
  readonly title: string;
  readonly overview: string;
  readonly tagline: string | null;
  readonly status: string;
  readonly seasons: readonly SeedSeason[];
  /** Names, each the name of a seeded network, company, person or category. */
  readonly networks: readonly string[];
  readonly companies: readonly string[];
  readonly people: readonly string[];
  readonly categories: readonly string[];
}

export interface SeedMovie {
  readonly title: string;
  readonly overview: string;
  readonly tagline: string | null;
  readonly status: string;
  readonly releaseDate: IsoDate | null;
  readonly runtimeMinutes: number | null;
  readonly filmedForImax: boolean;
  /** Title of a seeded collection. */
  readonly collection: string | null;
  readonly companies: readonly string[];
  readonly people: readonly string[];
  readonly categories: readonly string[];
}

export interface SeedCollection {
  readonly title: string;
  readonly overview: string;
}

/** Another seeded game: its title, with the first release date where several games bear that title. */
export type SeedGameReference = string | readonly [title: string, firstReleaseDate: IsoDate];

export interface SeedGame {
  readonly title: string;
  readonly summary: string;
  readonly storyline: string | null;
  readonly gameType: string;
  readonly firstReleaseDate: IsoDate | null;
  readonly developers: readonly { readonly name: string; readonly role: string }[];
  readonly publishers: readonly string[];
  readonly engines: readonly string[];
  readonly genres: readonly string[];
  readonly platforms: readonly { readonly name: string; readonly abbreviation: string }[];
  readonly relatedGames: readonly SeedGameReference[];
  readonly categories: readonly string[];
}

export interface SeedCompany {
  readonly name: string;
  readonly description: string;
  readonly homepage: string | null;
  readonly headquartersCountry: string | null;
  readonly originCountry: string | null;
  /** Name of another seeded company. */
  readonly parentCompany: string | null;
}

export interface SeedNetwork {
  readonly name: string;
  readonly homepage: string | null;
  readonly originCountry: string | null;
}

export interface SeedPerson {
  readonly name: string;
  readonly biography: string;
  readonly birthday: IsoDate | null;
  readonly deathday: IsoDate | null;
  readonly placeOfBirth: string | null;
  readonly knownForDepartment: string | null;
  readonly homepage: string | null;
}

export interface SeedCategory {
  readonly name: string;
  readonly description: string;
  readonly group: string;
}
