import { type Database, insert } from '../../src/sandbox/store/database.ts';
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

/** Runs `work` for each number below `count`, in transactions of so many rows that none grows large. */
export function inTransactions(
  database: Database,
  count: number,
  work: (index: number) => void,
  rows = rowsInTransaction,
): void {
  for (let done = 0; done < count; ) {
    const end = Math.min(count, done + rows);
    database.transaction(() => {
      for (; done < end; done += 1) work(done);
    });
  }
}

/** `episodes` episodes, in seasons of 4 to 24 and shows of 1 to 8 seasons, some with specials. */
export function generateShows(database: Database, random: Random, episodes: number) {
  const made = { shows: 0, seasons: 0, episodes: 0 };
  while (made.episodes < episodes) {
    const begun = made.episodes;
    database.transaction(() => {
      while (made.episodes < episodes && made.episodes - begun < rowsInTransaction) {
        generateShow(database, random, made, episodes);
      }
    });
  }
  const ids = (count: number): Ids => ({ first: firstId, count });
  return { shows: ids(made.shows), seasons: ids(made.seasons), episodes: ids(made.episodes) };
}

function generateShow(
  database: Database,
  random: Random,
  made: { shows: number; seasons: number; episodes: number },
  limit: number,
): void {
  const showId = firstId + made.shows;
  made.shows += 1;
  let year = 1955 + random.below(70);
  insert(database, 'shows', {
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
    insert(database, 'seasons', {
      id: seasonId,
      show_id: showId,
      title: number === 0 ? 'Specials' : `Season ${number}`,
      season_number: number,
      air_date: `${year}-01-06`,
    });
    const length = Math.min(4 + random.below(21), limit - made.episodes);
    for (let episode = 1; episode <= length; episode += 1) {
      const month = String(1 + Math.floor((episode - 1) / 2)).padStart(2, '0');
      insert(database, 'episodes', {
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
export function generateFilms(database: Database, random: Random, films: number) {
  let collections = 0;
  let open = { id: 0, title: '', left: 0, part: 0 };
  inTransactions(database, films, (index) => {
    if (open.left === 0 && random.chance(0.08)) {
      open = { id: firstId + collections, title: workTitle(random), left: 2 + random.below(5), part: 0 };
      collections += 1;
      insert(database, 'collections', {
        id: open.id,
        title: `${open.title} Collection`,
        overview: `The films of ${open.title}.`,
      });
    }
    const isPart = open.left > 0;
    if (isPart) open = { ...open, left: open.left - 1, part: open.part + 1 };
    const sequel = open.part === 1 ? open.title : `${open.title} ${open.part}`;
    insert(database, 'movies', {
      id: firstId + index,
      title: isPart ? sequel : workTitle(random),
      overview: `A film about ${placeName(random)}.`,
      tagline: null,
      status: 'released',
      release_date: `${1930 + random.below(96)}-0${1 + random.below(9)}-1${random.below(10)}`,
      runtime_minutes: 70 + random.below(110),
      filmed_for_imax: 0,
      collection_id: isPart ? open.id : null,
    });
  });
  return { films: { first: firstId, count: films }, collections: { first: firstId, count: collections } };
}

/** Every third game names the one before it as related. */
export function generateGames(database: Database, random: Random, games: number): Ids {
  inTransactions(database, games, (index) => {
    const id = firstId + index;
    insert(database, 'games', {
      id,
      title: workTitle(random),
      summary: `A game set in ${placeName(random)}.`,
      storyline: null,
      game_type: 'original',
      first_release_date: `${1985 + random.below(41)}-0${1 + random.below(9)}-1${random.below(10)}`,
      developers: '[]',
      publishers: '[]',
      engines: '[]',
      genres: '[]',
      platforms: '[]',
    });
    if (index % 3 === 1) insert(database, 'related_games', { game_id: id, position: 0, related_id: id - 1 });
  });
  return { first: firstId, count: games };
}

export function generateNames(database: Database, random: Random, people: number) {
  inTransactions(database, people, (index) => {
    insert(database, 'people', {
      id: firstId + index,
      name: personName(random),
      biography: `Born in ${placeName(random)}.`,
      birthday: `${1920 + random.below(85)}-05-12`,
      deathday: null,
      place_of_birth: placeName(random),
      known_for_department: 'acting',
      homepage: null,
    });
  });
  const networks = Math.ceil(people / 50);
  inTransactions(database, networks, (index) => {
    insert(database, 'networks', {
      id: firstId + index,
      name: `${placeName(random)} ${random.one(['Broadcasting', 'One', 'Television', 'Plus'])}`,
      homepage: null,
      origin_country: 'US',
    });
  });
  return { people: { first: firstId, count: people }, networks: { first: firstId, count: networks } };
}
