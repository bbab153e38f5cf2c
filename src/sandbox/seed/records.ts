import { z } from 'zod';

/*
 * The records of `data/`, one a line. Every record has every field: null or an empty list means none. Works
 * with real names hold only facts that are surely known.
 */

/** A name or title: one line of text. */
const line = z.string().regex(/^(?=.*\S)\P{Cc}+$/u, 'must be one line of text');
const sentences = z.string().regex(/[.!?]$/, 'must be sentences');
/** Text, or the empty string where there is none. */
const remark = z
  .string()
  .regex(/^(?!\s)\P{Cc}*(?<!\s)$/u, 'must be one line of text without space around it');
/** `YYYY-MM-DD`. */
const date = z.iso.date('must be a date, YYYY-MM-DD');
const homepage = z.url({ protocol: /^https$/, error: 'must be an https:// address' });
const country = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters');
const count = z.int('must be a whole number').nonnegative('must not be negative');
/** Name, title or number of another record; references are checked later. */
const reference = z.string();
const listOf = (what: z.ZodString) =>
  z.array(what).refine((list) => new Set(list).size === list.length, 'must not name anything twice');
const references = listOf(reference);
/** Objects with a name; no two in a list have the same name. */
const partsOf = <Part extends z.ZodType<{ name: string }>>(part: Part) =>
  z
    .array(part)
    .refine(
      (list) => new Set(list.map(({ name }) => name)).size === list.length,
      'must not name anything twice',
    );

export const show = z.strictObject({
  title: line,
  overview: sentences,
  tagline: remark.nullable(),
  status: line,
  networks: references,
  companies: references,
  people: references,
  categories: references,
  /** How many posters there are outside any Set; default: a few. */
  posters: count.optional(),
});

export const season = z.strictObject({
  /** Title of a show. */
  show: reference,
  /** 0 for specials. */
  number: count,
  title: line,
  airDate: date.nullable(),
});

export const episode = z.strictObject({
  /** Title of a show. */
  show: reference,
  /** Number of one of its seasons. */
  season: count,
  number: count,
  title: line,
  airDate: date.nullable(),
});

export const movie = z.strictObject({
  title: line,
  overview: sentences,
  tagline: remark.nullable(),
  status: line,
  releaseDate: date.nullable(),
  runtimeMinutes: z.int('must be a whole number').positive('must be more than 0').nullable(),
  filmedForImax: z.boolean(),
  /** Title of a collection. */
  collection: reference.nullable(),
  companies: references,
  people: references,
  categories: references,
});

export const collection = z.strictObject({ title: line, overview: sentences });

export const game = z.strictObject({
  title: line,
  summary: sentences,
  storyline: sentences.nullable(),
  gameType: line,
  firstReleaseDate: date.nullable(),
  developers: partsOf(z.strictObject({ name: line, role: line })),
  publishers: listOf(line),
  engines: listOf(line),
  /** Names of categories. */
  genres: references,
  platforms: partsOf(z.strictObject({ name: line, abbreviation: remark })),
  /** Titles of other games, with the date where several games have one title. */
  relatedGames: z.array(z.union([reference, z.strictObject({ title: reference, firstReleaseDate: date })])),
  categories: references,
});

export const company = z.strictObject({
  name: line,
  description: sentences,
  homepage: homepage.nullable(),
  headquartersCountry: country.nullable(),
  originCountry: country.nullable(),
  /** Name of a company on an earlier line. */
  parentCompany: reference.nullable(),
});

export const network = z.strictObject({
  name: line,
  homepage: homepage.nullable(),
  originCountry: country.nullable(),
});

export const person = z.strictObject({
  name: line,
  biography: sentences,
  birthday: date.nullable(),
  deathday: date.nullable(),
  placeOfBirth: line.nullable(),
  knownForDepartment: line.nullable(),
  homepage: homepage.nullable(),
});

export const category = z.strictObject({ name: line, group: line, description: sentences });

export type SeedEpisode = Readonly<Omit<z.infer<typeof episode>, 'show' | 'season'>>;
export type SeedSeason = Readonly<Omit<z.infer<typeof season>, 'show'>> & {
  readonly episodes: readonly SeedEpisode[];
};
export type SeedShow = Readonly<z.infer<typeof show>> & { readonly seasons: readonly SeedSeason[] };
export type SeedMovie = Readonly<z.infer<typeof movie>>;
export type SeedCollection = Readonly<z.infer<typeof collection>>;
export type SeedGame = Readonly<z.infer<typeof game>>;
export type SeedCompany = Readonly<z.infer<typeof company>>;
export type SeedNetwork = Readonly<z.infer<typeof network>>;
export type SeedPerson = Readonly<z.infer<typeof person>>;
export type SeedCategory = Readonly<z.infer<typeof category>>;

/** The games that an entry of `relatedGames` can mean; exactly one in checked data. */
export function gamesMeant<Game extends Pick<SeedGame, 'title' | 'firstReleaseDate'>>(
  games: readonly Game[],
  reference: SeedGame['relatedGames'][number],
): readonly Game[] {
  if (typeof reference === 'string') return games.filter(({ title }) => title === reference);
  const { title, firstReleaseDate } = reference;
  return games.filter((game) => game.title === title && game.firstReleaseDate === firstReleaseDate);
}
