import type { z } from 'zod';
import { SeedErrors, type Located, readRecords } from './read-records.ts';
import {
  category,
  collection,
  company,
  episode,
  game,
  gamesMeant,
  movie,
  network,
  person,
  type SeedCategory,
  type SeedCollection,
  type SeedCompany,
  type SeedEpisode,
  type SeedGame,
  type SeedMovie,
  type SeedNetwork,
  type SeedPerson,
  type SeedSeason,
  type SeedShow,
  season,
  show,
} from './records.ts';

/** The initial content of the catalogue, except artwork and Sets. */
export interface SeedContent {
  readonly shows: readonly SeedShow[];
  readonly movies: readonly SeedMovie[];
  readonly collections: readonly SeedCollection[];
  readonly games: readonly SeedGame[];
  readonly companies: readonly SeedCompany[];
  readonly networks: readonly SeedNetwork[];
  readonly people: readonly SeedPerson[];
  readonly categories: readonly SeedCategory[];
}

/** The build puts the data beside the program, as it is beside this source. */
const shipped = new URL('./data/', import.meta.url);

/**
 * Reads and checks the data: every record by its schema, every reference, and that nothing is repeated.
 * @param folder - ends with a slash
 * @throws SandboxError that names file, line and field of each error.
 */
export function readContent(folder: URL = shipped): SeedContent {
  const faults = new SeedErrors();
  const read = <T>(file: string, type: z.ZodType<T>) => readRecords(folder, file, type, faults);
  const data = {
    shows: read('shows.jsonl', show),
    seasons: read('seasons.jsonl', season),
    episodes: read('episodes.jsonl', episode),
    movies: read('movies.jsonl', movie),
    collections: read('collections.jsonl', collection),
    games: read('games.jsonl', game),
    companies: read('companies.jsonl', company),
    networks: read('networks.jsonl', network),
    people: read('people.jsonl', person),
    categories: read('categories.jsonl', category),
  };
  // Without a broken record, references to it would be reported too.
  faults.raise();
  checkReferences(data, faults);
  const shows = nest(data, faults);
  faults.raise();
  return {
    shows,
    movies: recordsOf(data.movies),
    collections: recordsOf(data.collections),
    games: recordsOf(data.games),
    companies: recordsOf(data.companies),
    networks: recordsOf(data.networks),
    people: recordsOf(data.people),
    categories: recordsOf(data.categories),
  };
}

interface Data {
  readonly shows: readonly Located<z.infer<typeof show>>[];
  readonly seasons: readonly Located<z.infer<typeof season>>[];
  readonly episodes: readonly Located<z.infer<typeof episode>>[];
  readonly movies: readonly Located<SeedMovie>[];
  readonly collections: readonly Located<SeedCollection>[];
  readonly games: readonly Located<SeedGame>[];
  readonly companies: readonly Located<SeedCompany>[];
  readonly networks: readonly Located<SeedNetwork>[];
  readonly people: readonly Located<SeedPerson>[];
  readonly categories: readonly Located<SeedCategory>[];
}

function recordsOf<T>(all: readonly Located<T>[]): readonly T[] {
  return all.map(({ record }) => record);
}

function checkReferences(data: Data, faults: SeedErrors): void {
  const nameOf = ({ name }: { readonly name: string }) => name;
  const titleOf = ({ title }: { readonly title: string }) => title;
  const networks = distinct(data.networks, 'name', nameOf, faults);
  const people = distinct(data.people, 'name', nameOf, faults);
  const categories = distinct(data.categories, 'name', nameOf, faults);
  const collections = distinct(data.collections, 'title', titleOf, faults);
  const companies = distinct(data.companies, 'name', nameOf, faults);
  const refer = (from: Located<unknown>, field: string, to: readonly string[], known: Keys, what: string) => {
    for (const name of to.filter((one) => !known.has(one))) {
      faults.add(from, field, `names ${JSON.stringify(name)}, which must be ${what}`);
    }
  };

  const owners = new Set<string>();
  for (const placed of data.companies) {
    const { name, parentCompany } = placed.record;
    if (parentCompany !== null) {
      refer(placed, 'parentCompany', [parentCompany], owners, 'a company on a line above');
    }
    owners.add(name);
  }
  for (const placed of [...data.shows, ...data.movies]) {
    const work = placed.record;
    refer(placed, 'companies', work.companies, companies, 'a company');
    refer(placed, 'people', work.people, people, 'a person');
    refer(placed, 'categories', work.categories, categories, 'a category');
  }
  for (const placed of data.shows) refer(placed, 'networks', placed.record.networks, networks, 'a network');
  for (const placed of data.movies) {
    const wanted = placed.record.collection;
    if (wanted !== null) refer(placed, 'collection', [wanted], collections, 'a collection');
  }
  // Some movies and games share a title, but never the date too.
  distinct(data.movies, 'title', (work) => `${work.releaseDate} ${work.title}`, faults);
  distinct(data.games, 'title', (work) => `${work.firstReleaseDate} ${work.title}`, faults);
  const games = recordsOf(data.games);
  for (const placed of data.games) {
    refer(placed, 'genres', placed.record.genres, categories, 'a category');
    refer(placed, 'categories', placed.record.categories, categories, 'a category');
    const named = new Set<SeedGame>([placed.record]);
    for (const [index, reference] of placed.record.relatedGames.entries()) {
      const [related, ...others] = gamesMeant(games, reference);
      if (related !== undefined && others.length === 0 && !named.has(related)) named.add(related);
      else faults.add(placed, `relatedGames[${index}]`, oneOtherGame);
    }
  }
}

const oneOtherGame =
  'must be the title of one other game, with its date where several have it, and once only';

type Keys = Pick<ReadonlySet<string>, 'has'>;

/** The records by key; reports each key that an earlier record has. */
function distinct<T>(
  all: readonly Located<T>[],
  field: string,
  keyOf: (record: T) => string,
  faults: SeedErrors,
): ReadonlyMap<string, Located<T>> {
  const known = new Map<string, Located<T>>();
  for (const placed of all) {
    const key = keyOf(placed.record);
    const earlier = known.get(key);
    if (earlier === undefined) known.set(key, placed);
    else faults.add(placed, field, `must be another one than on line ${earlier.line}`);
  }
  return known;
}

/** Puts each episode into its season and each season into its show, in the order of the lines. */
function nest({ shows, seasons, episodes }: Data, faults: SeedErrors): readonly SeedShow[] {
  distinct(shows, 'title', ({ title }) => title, faults);
  distinct(seasons, 'number', (one) => `${one.number} ${one.show}`, faults);
  // Two episodes of a season may have one number; their titles differ then.
  distinct(episodes, 'title', (one) => `${one.season} ${one.number} ${one.show}\n${one.title}`, faults);

  const found = new Map(shows.map(({ record }) => [record.title, new Map<number, NestedSeason>()]));
  for (const placed of seasons) {
    const { show: showTitle, number, title, airDate } = placed.record;
    const own = found.get(showTitle);
    if (own === undefined) faults.add(placed, 'show', 'must be the title of a show');
    else own.set(number, { number, title, airDate, episodes: [] });
  }
  for (const placed of episodes) {
    const { show: showTitle, season: seasonNumber, number, title, airDate } = placed.record;
    const own = found.get(showTitle);
    const within = own?.get(seasonNumber);
    if (own === undefined) faults.add(placed, 'show', 'must be the title of a show');
    else if (within === undefined)
      faults.add(placed, 'season', 'must be the number of a season of this show');
    else within.episodes.push({ number, title, airDate });
  }
  return shows.map(({ record }) => ({ ...record, seasons: [...(found.get(record.title)?.values() ?? [])] }));
}

interface NestedSeason extends Omit<SeedSeason, 'episodes'> {
  readonly episodes: SeedEpisode[];
}
