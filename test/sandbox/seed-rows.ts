import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export const data = path.resolve(import.meta.dirname, '../../src/sandbox/seed/data');

/** @throws z.ZodError for a line that is none of these. */
export function linesOf<T>(file: string, line: z.ZodType<T>): readonly T[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return z.array(line).parse(lines.map((text) => JSON.parse(text)));
}

/** The rows that every catalogue begins with. */
export function rowsOf<T>(table: string, row: z.ZodType<T>): readonly T[] {
  return linesOf(path.join(data, `${table}.jsonl`), row);
}

const id = z.int().positive();
/** A name or title: one line of text. */
const line = z.string().regex(/^(?=.*\S)\P{Cc}+$/u);
const sentences = z.string().regex(/[.!?]$/);
/** Text without space around it. */
const remark = z.string().regex(/^(?!\s)\P{Cc}*(?<!\s)$/u);
const homepage = z.url({ protocol: /^https$/ });
const country = z.string().regex(/^[A-Z]{2}$/);
const distinct = <T extends z.ZodType>(element: T) =>
  z.array(element).refine((list) => new Set(list.map((one) => JSON.stringify(one))).size === list.length);
/** A column that may be NULL: its row then leaves it out. */
const orNull = <T extends z.ZodType>(value: T) => value.nullable().default(null);
const date = orNull(z.iso.date());

const episodes = rowsOf(
  'episodes',
  z.strictObject({
    id,
    show_id: id,
    season_id: id,
    season_number: z.int().nonnegative(),
    episode_number: z.int().nonnegative(),
    title: line,
    air_date: date,
  }),
);

const seasons = rowsOf(
  'seasons',
  z.strictObject({ id, show_id: id, title: line, season_number: z.int().nonnegative(), air_date: date }),
).map((season) => ({ ...season, episodes: episodes.filter((episode) => episode.season_id === season.id) }));

export const shows = rowsOf(
  'shows',
  z.strictObject({
    id,
    title: line,
    overview: sentences,
    tagline: orNull(remark),
    status: line,
    first_air_date: date,
    last_air_date: date,
  }),
).map((show) => ({ ...show, seasons: seasons.filter((season) => season.show_id === show.id) }));

export const movies = rowsOf(
  'movies',
  z.strictObject({
    id,
    title: line,
    overview: sentences,
    tagline: orNull(remark),
    status: line,
    release_date: date,
    runtime_minutes: orNull(z.int().positive()),
    filmed_for_imax: z.boolean(),
    collection_id: orNull(id),
  }),
);

export const collections = rowsOf(
  'collections',
  z.strictObject({ id, title: line, overview: sentences }),
).map((collection) => ({
  ...collection,
  movies: movies.filter((movie) => movie.collection_id === collection.id),
}));

export const games = rowsOf(
  'games',
  z.strictObject({
    id,
    title: line,
    summary: sentences,
    storyline: orNull(sentences),
    game_type: line,
    first_release_date: date,
    developers: distinct(z.strictObject({ name: line, role: line })),
    publishers: distinct(line),
    engines: distinct(line),
    genres: distinct(line),
    platforms: distinct(z.strictObject({ name: line, abbreviation: remark })),
  }),
);

export const relatedGames = rowsOf(
  'related_games',
  z.strictObject({ game_id: id, position: z.int().nonnegative(), related_id: id }),
);

export const companies = rowsOf(
  'companies',
  z.strictObject({
    id,
    name: line,
    description: sentences,
    homepage: orNull(homepage),
    headquarters_country: orNull(country),
    origin_country: orNull(country),
    parent_id: orNull(id),
  }),
);

export const networks = rowsOf(
  'networks',
  z.strictObject({ id, name: line, homepage: orNull(homepage), origin_country: orNull(country) }),
);

export const people = rowsOf(
  'people',
  z.strictObject({
    id,
    name: line,
    biography: sentences,
    birthday: date,
    deathday: date,
    place_of_birth: orNull(line),
    known_for_department: orNull(line),
    homepage: orNull(homepage),
  }),
);

export const categories = rowsOf(
  'categories',
  z.strictObject({ id, name: line, description: sentences, category_group: line }),
);
