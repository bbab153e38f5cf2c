import { addWorks, type SeedRow } from '../../src/sandbox/seed/fill.ts';
import type { Store } from '../../src/sandbox/store.ts';
import type { Random } from './random.ts';
import { episodeTitle, personName, placeName, workTitle } from './titles.ts';

/** Ids that were given out one after the other. */
export interface Ids {
  readonly first: number;
  readonly count: number;
}

/** Beyond every id of the seed, whose longest have seven digits. */
const firstId = 10_000_000;
const rowsInTransaction = 20_000;

/** Rows of works by their files, put into the catalogue many at a time. */
class Rows {
  readonly #store: Store;
  readonly #rows = new Map<string, SeedRow[]>();
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  add(file: string, row: SeedRow): void {
    const rows = this.#rows.get(file) ?? [];
    rows.push(row);
    this.#rows.set(file, rows);
    this.#count += 1;
    if (this.#count >= rowsInTransaction) this.write();
  }

  write(): void {
    this.#store.transaction(() => {
      for (const [file, rows] of this.#rows) addWorks(this.#store, file, rows);
    });
    this.#rows.clear();
    this.#count = 0;
  }
}

/** Runs `work` for each number below `count`, in transactions of so many changes that none grows large. */
export function inTransactions(
  store: Store,
  count: number,
  work: (index: number) => void,
  changes: number,
): void {
  for (let done = 0; done < count; ) {
    const end = Math.min(count, done + changes);
    store.transaction(() => {
      for (; done < end; done += 1) work(done);
    });
  }
}

/** `episodes` episodes, in seasons of 4 to 24 and shows of 1 to 8 seasons, some with specials. */
export function generateShows(store: Store, random: Random, episodes: number) {
  const made = { shows: 0, seasons: 0, episodes: 0 };
  const rows = new Rows(store);
  while (made.episodes < episodes) generateShow(rows, random, made, episodes);
  rows.write();
  const ids = (count: number): Ids => ({ first: firstId, count });
  return { shows: ids(made.shows), seasons: ids(made.seasons), episodes: ids(made.episodes) };
}

function generateShow(
  rows: Rows,
  random: Random,
  made: { shows: number; seasons: number; episodes: number },
  limit: number,
): void {
  const showId = firstId + made.shows;
  made.shows += 1;
  let year = 1955 + random.below(70);
  rows.add('shows', {
    id: showId,
    title: workTitle(random),
    overview: `What happens in ${placeName(random)}.`,
    tagline: null,
    status: 'ended',
    first_air_date: `${year}-01-06`,
    last_air_date: `${year}-01-06`,
  });
  const seasons = 1 + random.below(random.chance(0.6) ? 3 : 8);
  const firstSeason = random.chance(0.15) ? 0 : 1;
  for (let number = firstSeason; number <= seasons && made.episodes < limit; number += 1) {
    const seasonId = firstId + made.seasons;
    made.seasons += 1;
    rows.add('seasons', {
      id: seasonId,
      show_id: showId,
      title: number === 0 ? 'Specials' : `Season ${number}`,
      season_number: number,
      air_date: `${year}-01-06`,
    });
    const length = Math.min(4 + random.below(21), limit - made.episodes);
    for (let episode = 1; episode <= length; episode += 1) {
      const month = String(1 + Math.floor((episode - 1) / 2)).padStart(2, '0');
      rows.add('episodes', {
        id: firstId + made.episodes,
        show_id: showId,
        season_id: seasonId,
        season_number: number,
        episode_number: episode,
        title: episodeTitle(random, episode),
        air_date: `${year}-${month}-${episode % 2 === 1 ? '06' : '20'}`,
      });
      made.episodes += 1;
    }
    year += 1;
  }
}

/** Every fourth film is in a collection of two to six, under the title that they share. */
export function generateFilms(store: Store, random: Random, films: number) {
  const rows = new Rows(store);
  let collections = 0;
  let open = { id: 0, title: '', left: 0, part: 0 };
  for (let index = 0; index < films; index += 1) {
    if (open.left === 0 && random.chance(0.08)) {
      open = { id: firstId + collections, title: workTitle(random), left: 2 + random.below(5), part: 0 };
      collections += 1;
      rows.add('collections', {
        id: open.id,
        title: `${open.title} Collection`,
        overview: `The films of ${open.title}.`,
      });
    }
    const isPart = open.left > 0;
    if (isPart) open = { ...open, left: open.left - 1, part: open.part + 1 };
    const sequel = open.part === 1 ? open.title : `${open.title} ${open.part}`;
    rows.add('movies', {
      id: firstId + index,
      title: isPart ? sequel : workTitle(random),
      overview: `A film about ${placeName(random)}.`,
      tagline: null,
      status: 'released',
      release_date: `${1930 + random.below(96)}-0${1 + random.below(9)}-1${random.below(10)}`,
      runtime_minutes: 70 + random.below(110),
      filmed_for_imax: false,
      collection_id: isPart ? open.id : null,
    });
  }
  rows.write();
  return { films: { first: firstId, count: films }, collections: { first: firstId, count: collections } };
}

/** Every third game names the one before it as related. */
export function generateGames(store: Store, random: Random, games: number): Ids {
  const rows = new Rows(store);
  for (let index = 0; index < games; index += 1) {
    const id = firstId + index;
    rows.add('games', {
      id,
      title: workTitle(random),
      summary: `A game set in ${placeName(random)}.`,
      storyline: null,
      game_type: 'original',
      first_release_date: `${1985 + random.below(41)}-0${1 + random.below(9)}-1${random.below(10)}`,
      developers: [],
      publishers: [],
      engines: [],
      genres: [],
      platforms: [],
      related: index % 3 === 1 ? [id - 1] : [],
    });
  }
  rows.write();
  return { first: firstId, count: games };
}

export function generateNames(store: Store, random: Random, people: number) {
  const rows = new Rows(store);
  for (let index = 0; index < people; index += 1) {
    rows.add('people', {
      id: firstId + index,
      name: personName(random),
      biography: `Born in ${placeName(random)}.`,
      birthday: `${1920 + random.below(85)}-05-12`,
      deathday: null,
      place_of_birth: placeName(random),
      known_for_department: 'acting',
      homepage: null,
    });
  }
  const networks = Math.ceil(people / 50);
  for (let index = 0; index < networks; index += 1) {
    rows.add('networks', {
      id: firstId + index,
      name: `${placeName(random)} ${random.one(['Broadcasting', 'One', 'Television', 'Plus'])}`,
      homepage: null,
      origin_country: 'US',
    });
  }
  rows.write();
  return { people: { first: firstId, count: people }, networks: { first: firstId, count: networks } };
}
