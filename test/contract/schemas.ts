import { z } from 'zod';

/*
 * The public records of the interface document (Resources and their fields), written down from it and from nothing else.
 * Objects are strict: every documented field must be there, and no other.
 */

/** A fact for which the document shows no null, and which a service may lack. */
const known = <T extends z.ZodType>(type: T) => type.nullable();

const integer = z.int();
const text = z.string();
const number = integer.nonnegative();
const date = known(z.iso.date());
const timestamp = z.iso.datetime();
const url = z.url({ protocol: /^https?$/ });
const rootRelativePath = z.string().regex(/^\/(?!\/)\S+$/);

const objectOf = <T extends z.ZodType>(type: T, names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, type])));
/** The document doesn't show the element of any `assets` array. */
const assets = (...names: readonly string[]) => objectOf(z.array(z.looseObject({})), names);
const metadataImages = (...names: readonly string[]) => objectOf(url.nullable(), names);
const paths = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, rootRelativePath.nullable()]));

const ofKind = <T extends z.ZodRawShape>(kind: string, members: T) =>
  z.strictObject({ id: integer, kind: z.literal(kind), ...members });
const titled = (kind: string) => ofKind(kind, { title: text });

const media = ['posters', 'backdrops', 'logos', 'squareArts'] as const;
const pictures = metadataImages('poster', 'backdrop', 'logo');

const work = { id: integer, title: text, year: known(integer) };
const film = { ...work, ...paths('poster', 'backdrop', 'logo', 'squareArt', 'thumb') };
const brand = z.strictObject({ id: integer, name: text, ...paths('poster', 'thumb', 'logo') });
const made = {
  ...{ id: integer, title: text, description: known(text), createdBy: known(text) },
  ...{ dateCreated: timestamp, dateUpdated: timestamp },
};
const set = { ...made, language: text.min(2) };
const group = z.strictObject({ id: integer, title: text }).nullable();
const child = { id: integer, title: text, createdBy: known(text), dateUpdated: timestamp };

export const records = {
  show: ofKind('show', {
    ...{ title: text, overview: text, tagline: text.nullable(), status: text, year: known(integer) },
    ...{ firstAirDate: date, lastAirDate: date, numberOfSeasons: number, numberOfEpisodes: number },
    metadataImages: pictures,
    assets: assets(...media, 'thumbs'),
    seasons: z.array(ofKind('season', { title: text, seasonNumber: number, airDate: date })),
    sets: z.array(z.strictObject(child)),
  }),
  season: ofKind('season', {
    ...{ title: text, seasonNumber: number, airDate: date, show: titled('show') },
    metadataImages: metadataImages('poster'),
    assets: assets('posters', 'backdrops'),
    episodes: z.array(ofKind('episode', { title: text, episodeNumber: number, airDate: date })),
  }),
  episode: ofKind('episode', {
    ...{ title: text, seasonNumber: number, episodeNumber: number, airDate: date, show: titled('show') },
    season: ofKind('season', { title: text, seasonNumber: number }),
    assets: assets('titlecards'),
  }),
  movie: ofKind('movie', {
    ...{ title: text, overview: text, tagline: known(text), status: text, releaseDate: date },
    ...{
      runtimeMinutes: known(integer),
      filmedForImax: z.boolean(),
      collection: known(titled('collection')),
    },
    metadataImages: pictures,
    assets: assets(...media, 'thumbs'),
  }),
  collection: ofKind('collection', {
    ...{ title: text, overview: text, firstReleaseDate: date, latestReleaseDate: date },
    metadataImages: pictures,
    assets: assets(...media),
    movies: z.array(ofKind('movie', { title: text, releaseDate: date })),
  }),
  game: ofKind('game', {
    ...{ title: text, summary: text, storyline: text.nullable(), gameType: text, firstReleaseDate: date },
    metadataImages: pictures,
    assets: assets('covers', 'heroes', 'logos', 'wideCovers', 'backgrounds', 'squareCovers', 'icons'),
    developers: z.array(z.strictObject({ name: text, role: text })),
    ...{ publishers: z.array(text), engines: z.array(z.unknown()), genres: z.array(text) },
    platforms: z.array(z.strictObject({ name: text, abbreviation: text })),
    relatedGames: z.array(ofKind('game', { title: text, firstReleaseDate: date })),
  }),
  company: ofKind('company', {
    ...{ name: text, description: text, homepage: known(url) },
    ...{ headquartersCountry: known(text), originCountry: known(text) },
    metadataImages: metadataImages('logo'),
    assets: assets('posters', 'thumbs', 'logos'),
    parentCompany: z.object({}).nullable(),
  }),
  network: ofKind('network', {
    ...{ name: text, homepage: known(url), originCountry: known(text) },
    metadataImages: metadataImages('logo'),
    assets: assets('posters', 'thumbs', 'logos'),
  }),
  person: ofKind('person', {
    ...{ name: text, biography: text, birthday: date, deathday: date, placeOfBirth: known(text) },
    ...{ knownForDepartment: known(text), homepage: text.nullable() },
    metadataImages: metadataImages('profile'),
    assets: assets('posters'),
  }),
  category: ofKind('category', {
    ...{ name: text, description: text, group: text },
    assets: assets('posters', 'thumbs'),
  }),
  movie_set: z.strictObject({ ...set, edition: text, boxset: group, movie: z.strictObject(film) }),
  show_set: z.strictObject({
    ...{ ...set, boxset: group },
    show: z.strictObject({
      ...film,
      seasons: z.array(
        z.strictObject({
          ...{ id: integer, seasonNumber: number, ...paths('poster', 'backdrop') },
          episodes: z.array(z.strictObject({ id: integer, episodeNumber: number, ...paths('titlecard') })),
        }),
      ),
    }),
  }),
  game_set: z.strictObject({
    ...{ ...set, loadout: group },
    game: z.strictObject({
      ...{ ...work, ...paths('cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon') },
    }),
  }),
  collection_set: z.strictObject({
    ...{ ...set, edition: text, boxset: group },
    collection: z.strictObject({
      ...{ id: integer, title: text, ...paths('poster', 'backdrop', 'logo', 'squareArt') },
      movies: z.array(z.strictObject(film)),
    }),
  }),
  brand_set: z.strictObject({ ...made, networks: z.array(brand), companies: z.array(brand) }),
  boxset: z.strictObject({
    ...{ ...set, poster: rootRelativePath.nullable() },
    sets: z.array(
      z.discriminatedUnion('kind', [
        z.strictObject({ ...child, kind: z.literal('show_set'), show: z.strictObject(work) }),
        z.strictObject({ ...child, kind: z.literal('movie_set'), movie: z.strictObject(work) }),
      ]),
    ),
  }),
  loadout: z.strictObject({
    ...{ ...set, poster: rootRelativePath.nullable() },
    sets: z.array(z.strictObject({ ...child, game: z.strictObject(work) })),
  }),
} as const;

export type Kind = keyof typeof records;

const link = z.strictObject({ previousAssetId: z.uuid(), newAssetId: z.uuid(), changedAt: timestamp });
const paging = { page: integer.min(1), totalPages: integer.min(1), nextPage: rootRelativePath.nullable() };
const pageOf = <Item extends z.ZodType, Meta extends z.ZodType>(item: Item, meta: Meta) =>
  z.strictObject({ data: z.array(item), meta });
const feedMeta = z.strictObject({ ...paging, snapshot: z.uuid() });

export const episodesIndex = pageOf(
  z.strictObject({
    ...{ id: integer, title: text, year: known(integer), seasonNumber: number, episodeNumber: number },
    ...{ show: titled('show'), season: ofKind('season', { title: text, seasonNumber: number }) },
  }),
  z.strictObject(paging),
);
export const assetFeed = pageOf(
  z.strictObject({
    ...{ assetId: z.uuid(), kind: z.literal('asset'), slot: text, changeType: text, changedAt: timestamp },
    target: z.strictObject({ id: integer, kind: text }),
    // What was added has replaced nothing.
    previousAssetId: z.uuid().nullable(),
    replacements: z.array(link),
  }),
  feedMeta,
);
export const setFeed = pageOf(
  z.strictObject({ setId: integer, kind: text, changeType: text, changedAt: timestamp }),
  feedMeta,
);

export const publicError = z.strictObject({
  data: z.null(),
  error: z.strictObject({ code: text.min(1), message: text.min(1) }),
});
