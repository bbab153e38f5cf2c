import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound } from '../http.ts';
import { assetIsPublic, assetPath, type Kind, kinds, slots, yearOf } from '../model.ts';
import type { Row, Store } from '../store.ts';

/** A number, a date and a title have several names in the interface document, one for each kind. */
const works = `SELECT *, title AS name, number AS season_number, number AS episode_number, date AS air_date,
  date AS first_air_date, date AS release_date, date AS first_release_date FROM entities`;

export function findWork(store: Store, kind: Kind, id: number | null): Row | undefined {
  return id === null ? undefined : store.first(`${works} WHERE kind = ? AND id = ?`, kind, id);
}

/** The seasons of a show and the episodes of a season by number, the movies of a collection by date. */
export function partsOf(store: Store, kind: Kind, parentId: number): readonly Row[] {
  const order = kind === 'movie' ? 'date IS NULL, date, id' : 'number, id';
  return store.all(`${works} WHERE kind = ? AND parent_id = ? ORDER BY ${order}`, kind, parentId);
}

/**
 * The records of the interface document (Resources): what a kind shows beside id, kind, pictures and assets. What it
 * shows and a work lacks is null.
 */
const shown: Readonly<Record<Kind, (work: Row, context: Context) => object>> = {
  show(show, { store, now }) {
    const id = show.integer('id');
    const seasons = partsOf(store, 'season', id);
    const sets = store.all(
      `SELECT s.id, s.title, s.updated_at AS date_updated, o.name AS created_by
       FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
       WHERE s.kind = 'show_set' AND s.target_kind = 'show' AND s.target_id = ? AND s.public_from <= ? ORDER BY s.id`,
      id,
      now(),
    );
    return {
      ...show.members('title', 'firstAirDate'),
      ...factsOf(show, 'overview', 'tagline', 'status', 'lastAirDate'),
      year: yearOf(show.textOrNull('date')),
      // The document does not say whether specials count. Here they are episodes like all others, and no season.
      numberOfSeasons: seasons.filter((season) => season.integer('number') !== 0).length,
      numberOfEpisodes: seasons.flatMap((season) => partsOf(store, 'episode', season.integer('id'))).length,
      seasons: seasons.map((season) => season.members('id', 'kind', 'title', 'seasonNumber', 'airDate')),
      sets: sets.map((set) => set.members('id', 'createdBy', 'title', 'dateUpdated')),
    };
  },
  season: (season, { store }) => ({
    ...season.members('title', 'seasonNumber', 'airDate'),
    show: reference(findWork(store, 'show', season.integer('parent_id'))),
    episodes: partsOf(store, 'episode', season.integer('id')).map((episode) =>
      episode.members('id', 'kind', 'title', 'episodeNumber', 'airDate'),
    ),
  }),
  episode(episode, { store }) {
    const season = findWork(store, 'season', episode.integer('parent_id'));
    return {
      ...episode.members('title', 'episodeNumber', 'airDate'),
      ...season?.members('seasonNumber'),
      show: reference(findWork(store, 'show', season?.integer('parent_id') ?? null)),
      season: season?.members('id', 'kind', 'title', 'seasonNumber'),
    };
  },
  movie: (movie, { store }) => ({
    ...movie.members('title', 'releaseDate'),
    ...factsOf(movie, 'overview', 'tagline', 'status', 'runtimeMinutes', 'filmedForImax'),
    collection: reference(findWork(store, 'collection', movie.integerOrNull('parent_id'))),
  }),
  collection(collection, { store }) {
    const movies = partsOf(store, 'movie', collection.integer('id'));
    const dates = movies.flatMap((movie) => movie.textOrNull('date') ?? []);
    return {
      ...collection.members('title'),
      ...factsOf(collection, 'overview'),
      firstReleaseDate: dates[0] ?? null,
      latestReleaseDate: dates.at(-1) ?? null,
      movies: movies.map((movie) => movie.members('id', 'kind', 'title', 'releaseDate')),
    };
  },
  // The element of `engines`, which the document does not show, is assumed to be a name.
  game: (game, { store }) => ({
    ...game.members('title', 'firstReleaseDate'),
    ...factsOf(game, 'summary', 'storyline', 'gameType'),
    ...factsOf(game, 'developers', 'publishers', 'engines', 'genres', 'platforms'),
    relatedGames: z
      .array(z.int())
      .parse(factsOf(game, 'related').related ?? [])
      .flatMap((id) => findWork(store, 'game', id) ?? [])
      .map((other) => other.members('id', 'kind', 'title', 'firstReleaseDate')),
  }),
  // `parentCompany`, which the document does not show, is assumed to be a reference like the others.
  company: (company, { store }) => ({
    ...company.members('name'),
    ...factsOf(company, 'description', 'homepage', 'headquartersCountry', 'originCountry'),
    parentCompany:
      findWork(store, 'company', company.integerOrNull('parent_id'))?.members('id', 'kind', 'name') ?? null,
  }),
  network: (network) => ({ ...network.members('name'), ...factsOf(network, 'homepage', 'originCountry') }),
  person: (person) => ({
    ...person.members('name'),
    ...factsOf(person, 'biography', 'birthday', 'deathday', 'placeOfBirth', 'knownForDepartment', 'homepage'),
  }),
  category: (category) => ({
    ...category.members('name'),
    ...factsOf(category, 'description'),
    group: factsOf(category, 'categoryGroup').categoryGroup,
  }),
};

const factsSchema = z.record(z.string(), z.unknown());

function factsOf(work: Row, ...names: readonly string[]): Readonly<Record<string, unknown>> {
  const facts = factsSchema.parse(work.json('facts'));
  return Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
}

function reference(work: Row | undefined) {
  return work?.members('id', 'kind', 'title') ?? null;
}

/** @throws Refusal 404 where there is no such work */
export function readWork(context: Context, kind: Kind, id: number): object {
  const work = findWork(context.store, kind, id);
  if (work === undefined) throw notFound(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`);
  const images: readonly string[] = kinds[kind].images;
  // Absolute URLs, null where the work has no such picture.
  const url = (slot: string) =>
    `${context.origin}/metadata/${kind}/${id}/${slot}.${slot === 'logo' ? 'png' : 'jpg'}`;
  const held = imagesOf(work);
  const metadataImages = Object.fromEntries(
    images.map((slot) => [slot, held.includes(slot) ? url(slot) : null]),
  );
  return {
    ...work.members('id', 'kind'),
    ...shown[kind](work, context),
    ...(images.length === 0 ? {} : { metadataImages }),
    assets: assetsOf(context, kind, id),
  };
}

/** The slots for which a work has a picture of its own. */
export function imagesOf(work: Row): readonly string[] {
  return z.array(z.string()).parse(factsOf(work, 'images').images ?? []);
}

/**
 * The public Assets of a work by slot, the oldest first. The document does not show the element. Assumed are what Assets
 * have elsewhere: id, root-relative path, language, edition, creator and Set, and the size of the picture.
 */
function assetsOf({ store, now }: Context, kind: Kind, id: number) {
  const at = now();
  const rows = store.all(
    `SELECT a.*, e.name AS edition, o.name AS created_by, a.created_at AS date_created, a.updated_at AS date_updated
     FROM assets a LEFT JOIN editions e ON e.id = a.edition_id LEFT JOIN accounts o ON o.id = a.owner_id
     WHERE a.target_kind = ? AND a.target_id = ? AND ${assetIsPublic} ORDER BY a.created_at, a.id`,
    ...[kind, id, at, at],
  );
  const element = (row: Row) => ({
    path: assetPath(row),
    ...row.members('id', 'languageCode', 'edition', 'createdBy', 'setId', 'width', 'height'),
    ...row.members('dateCreated', 'dateUpdated'),
  });
  return Object.fromEntries(
    kinds[kind].slots.map((slot) => [
      slots[slot].list,
      rows.filter((row) => row.text('slot') === slot).map(element),
    ]),
  );
}
