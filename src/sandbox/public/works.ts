import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound } from '../http.ts';
import { assetIsPublic, assetPath, type Kind, kinds, slots, yearOf } from '../model.ts';
import type { Row, Store } from '../store.ts';

/** A row of `entities`. */
interface Work {
  readonly id: number;
  readonly kind: Kind;
  readonly title: string;
  readonly parentId: number | null;
  readonly number: number | null;
  readonly date: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

const factsSchema = z.record(z.string(), z.unknown());

function workOf(row: Row, kind: Kind): Work {
  return {
    id: row.integer('id'),
    kind,
    title: row.text('title'),
    parentId: row.integerOrNull('parent_id'),
    number: row.integerOrNull('number'),
    date: row.textOrNull('date'),
    facts: factsSchema.parse(row.json('facts')),
  };
}

export function findWork(store: Store, kind: Kind, id: number | null): Work | null {
  if (id === null) return null;
  const row = store.first('SELECT * FROM entities WHERE kind = ? AND id = ?', kind, id);
  return row ? workOf(row, kind) : null;
}

/** The seasons of a show and the episodes of a season by number, the movies of a collection by date. */
export function partsOf(store: Store, kind: Kind, parentId: number): readonly Work[] {
  const order = kind === 'movie' ? 'date IS NULL, date, id' : 'number, id';
  const sql = `SELECT * FROM entities WHERE kind = ? AND parent_id = ? ORDER BY ${order}`;
  return store.all(sql, kind, parentId).map((row) => workOf(row, kind));
}

/** What a kind shows beside id, kind, pictures and assets: before them, and after. */
interface Shown {
  readonly own: object;
  readonly links?: object;
}

/** The records of the interface document (Resources). What it shows and a work lacks is null. */
const shown: Readonly<Record<Kind, (work: Work, context: Context) => Shown>> = {
  show(show, { store, now }) {
    const seasons = partsOf(store, 'season', show.id);
    // The document does not say whether specials count. Here they are episodes like all others, and no season.
    const episodes = seasons.flatMap(({ id }) => partsOf(store, 'episode', id));
    const sets = store.all(
      `SELECT s.id, s.title, s.updated_at AS date_updated, o.name AS created_by
       FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
       WHERE s.kind = 'show_set' AND s.target_kind = 'show' AND s.target_id = ? AND s.public_from <= ? ORDER BY s.id`,
      show.id,
      now().toISOString(),
    );
    return {
      own: {
        title: show.title,
        ...factsOf(show, 'overview', 'tagline', 'status'),
        year: yearOf(show.date),
        firstAirDate: show.date,
        ...factsOf(show, 'lastAirDate'),
        numberOfSeasons: seasons.filter(({ number }) => number !== 0).length,
        numberOfEpisodes: episodes.length,
      },
      links: {
        seasons: seasons.map((season) => ({ ...seasonReference(season), airDate: season.date })),
        sets: sets.map((set) => set.members('id', 'createdBy', 'title', 'dateUpdated')),
      },
    };
  },
  season: (season, { store }) => ({
    own: { title: season.title, seasonNumber: season.number, airDate: season.date },
    links: {
      show: reference(findWork(store, 'show', season.parentId)),
      episodes: partsOf(store, 'episode', season.id).map(({ id, kind, title, number, date }) => ({
        ...{ id, kind, title, episodeNumber: number, airDate: date },
      })),
    },
  }),
  episode(episode, { store }) {
    const season = findWork(store, 'season', episode.parentId);
    return {
      own: {
        title: episode.title,
        seasonNumber: season?.number,
        episodeNumber: episode.number,
        airDate: episode.date,
        show: reference(findWork(store, 'show', season?.parentId ?? null)),
        season: season && seasonReference(season),
      },
    };
  },
  movie: (movie, { store }) => ({
    own: {
      title: movie.title,
      ...factsOf(movie, 'overview', 'tagline', 'status'),
      releaseDate: movie.date,
      ...factsOf(movie, 'runtimeMinutes', 'filmedForImax'),
    },
    links: { collection: reference(findWork(store, 'collection', movie.parentId)) },
  }),
  collection(collection, { store }) {
    const movies = partsOf(store, 'movie', collection.id);
    const dates = movies.flatMap(({ date }) => date ?? []);
    return {
      own: {
        title: collection.title,
        ...factsOf(collection, 'overview'),
        firstReleaseDate: dates[0] ?? null,
        latestReleaseDate: dates.at(-1) ?? null,
      },
      links: { movies: movies.map((movie) => ({ ...reference(movie), releaseDate: movie.date })) },
    };
  },
  // The element of `engines`, which the document does not show, is assumed to be a name.
  game(game, { store }) {
    const related = z.array(z.int()).parse(game.facts.related ?? []);
    return {
      own: {
        title: game.title,
        ...factsOf(game, 'summary', 'storyline', 'gameType'),
        firstReleaseDate: game.date,
      },
      links: {
        ...factsOf(game, 'developers', 'publishers', 'engines', 'genres', 'platforms'),
        relatedGames: related
          .flatMap((id) => findWork(store, 'game', id) ?? [])
          .map((other) => ({ ...reference(other), firstReleaseDate: other.date })),
      },
    };
  },
  // `parentCompany`, which the document does not show, is assumed to be a reference like the others.
  company(company, { store }) {
    const parent = findWork(store, 'company', company.parentId);
    return {
      own: named(company, 'description', 'homepage', 'headquartersCountry', 'originCountry'),
      links: { parentCompany: parent && { id: parent.id, kind: 'company', name: parent.title } },
    };
  },
  network: (network) => ({ own: named(network, 'homepage', 'originCountry') }),
  person: (person) => ({
    own: named(
      person,
      ...['biography', 'birthday', 'deathday', 'placeOfBirth', 'knownForDepartment', 'homepage'],
    ),
  }),
  category: (category) => ({
    own: { ...named(category, 'description'), group: category.facts.categoryGroup },
  }),
};

function factsOf({ facts }: Work, ...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
}

function named(work: Work, ...facts: readonly string[]) {
  return { name: work.title, ...factsOf(work, ...facts) };
}

function reference(work: Work | null) {
  return work && { id: work.id, kind: work.kind, title: work.title };
}

function seasonReference({ id, title, number }: Work) {
  return { id, kind: 'season', title, seasonNumber: number };
}

/** @throws Refusal 404 where there is no such work */
export function readWork(context: Context, kind: Kind, id: number): object {
  const work = findWork(context.store, kind, id);
  if (work === null) throw notFound(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`);
  const { own, links } = shown[kind](work, context);
  const images: readonly string[] = kinds[kind].images;
  return {
    ...{ id, kind, ...own },
    ...(images.length === 0 ? {} : { metadataImages: metadataImages(context, work, images) }),
    assets: assetsOf(context, kind, id),
    ...links,
  };
}

/** Absolute URLs, null where the work has no such picture. */
function metadataImages({ origin }: Context, { kind, id, facts }: Work, all: readonly string[]) {
  const held = z.array(z.string()).parse(facts.images ?? []);
  const url = (slot: string) => `${origin}/metadata/${kind}/${id}/${slot}.${slot === 'logo' ? 'png' : 'jpg'}`;
  return Object.fromEntries(all.map((slot) => [slot, held.includes(slot) ? url(slot) : null]));
}

/**
 * The public Assets of a work by slot, the oldest first. The document does not show the element. Assumed are what Assets
 * have elsewhere: id, root-relative path, language, edition, creator and Set, and the size of the picture.
 */
function assetsOf({ store, now }: Context, kind: Kind, id: number) {
  const at = now().toISOString();
  const rows = store.all(
    `SELECT a.*, e.name AS edition, o.name AS created_by, a.created_at AS date_created, a.updated_at AS date_updated
     FROM assets a LEFT JOIN editions e ON e.id = a.edition_id LEFT JOIN accounts o ON o.id = a.owner_id
     WHERE a.target_kind = ? AND a.target_id = ? AND ${assetIsPublic} ORDER BY a.created_at, a.id`,
    kind,
    id,
    at,
    at,
  );
  const element = (row: Row) => ({
    id: row.text('id'),
    path: assetPath(row),
    ...row.members('languageCode', 'edition', 'createdBy', 'setId', 'width', 'height'),
    ...row.members('dateCreated', 'dateUpdated'),
  });
  return Object.fromEntries(
    kinds[kind].slots.map((slot) => [
      slots[slot].list,
      rows.filter((row) => row.text('slot') === slot).map(element),
    ]),
  );
}
