import type { SetKind } from '../artwork/sets.ts';
import { type EntityKind, type Slot, slotsOf } from '../artwork/targets.ts';
import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Row } from '../store/database.ts';
import { assetIsPublic } from './assets.ts';
import { assetPath } from './pictures.ts';

export function readMovieSet(context: ServerContext, id: number) {
  const { fields, language, edition, group, targetId } = readSetFields(context, 'movie_set', id);
  const movie = context.database.only('SELECT * FROM movies WHERE id = ?', targetId);
  const movieId = movie.integer('id');
  return {
    ...fields,
    language,
    edition,
    boxset: group,
    movie: {
      id: movieId,
      title: movie.text('title'),
      year: movie.yearOrNull('release_date'),
      ...setArtwork(context, id)('movie', movieId),
    },
  };
}

/** Shows every season and episode of the show, so that missing artwork is visible. */
export function readShowSet(context: ServerContext, id: number) {
  const { database } = context;
  const { fields, language, group, targetId } = readSetFields(context, 'show_set', id);
  const show = database.only('SELECT * FROM shows WHERE id = ?', targetId);
  const showId = show.integer('id');
  const artwork = setArtwork(context, id);
  const episodes = database
    .all(
      `SELECT id, season_id, episode_number FROM episodes
       WHERE show_id = ? ORDER BY season_number, episode_number, id`,
      showId,
    )
    .map((episode) => ({ seasonId: episode.integer('season_id'), episode }));
  return {
    ...fields,
    language,
    boxset: group,
    show: {
      id: showId,
      title: show.text('title'),
      year: show.yearOrNull('first_air_date'),
      ...artwork('show', showId),
      seasons: database
        .all('SELECT id, season_number FROM seasons WHERE show_id = ? ORDER BY season_number', showId)
        .map((season) => ({
          id: season.integer('id'),
          seasonNumber: season.integer('season_number'),
          ...artwork('season', season.integer('id')),
          episodes: episodes
            .filter(({ seasonId }) => seasonId === season.integer('id'))
            .map(({ episode }) => ({
              id: episode.integer('id'),
              episodeNumber: episode.integer('episode_number'),
              ...artwork('episode', episode.integer('id')),
            })),
        })),
    },
  };
}

export function readGameSet(context: ServerContext, id: number) {
  const { fields, language, group, targetId } = readSetFields(context, 'game_set', id);
  const game = context.database.only('SELECT * FROM games WHERE id = ?', targetId);
  const gameId = game.integer('id');
  return {
    ...fields,
    language,
    loadout: group,
    game: {
      id: gameId,
      title: game.text('title'),
      year: game.yearOrNull('first_release_date'),
      ...setArtwork(context, id)('game', gameId),
    },
  };
}

/** Shows every movie of the collection, so that missing artwork is visible. */
export function readCollectionSet(context: ServerContext, id: number) {
  const { database } = context;
  const { fields, language, edition, group, targetId } = readSetFields(context, 'collection_set', id);
  const collection = database.only('SELECT * FROM collections WHERE id = ?', targetId);
  const collectionId = collection.integer('id');
  const artwork = setArtwork(context, id);
  return {
    ...fields,
    language,
    edition,
    boxset: group,
    collection: {
      id: collectionId,
      title: collection.text('title'),
      ...artwork('collection', collectionId),
      movies: database
        .all(
          'SELECT * FROM movies WHERE collection_id = ? ORDER BY release_date IS NULL, release_date, id',
          collectionId,
        )
        .map((movie) => ({
          id: movie.integer('id'),
          title: movie.text('title'),
          year: movie.yearOrNull('release_date'),
          ...artwork('movie', movie.integer('id')),
        })),
    },
  };
}

export function readBrandSet(context: ServerContext, id: number) {
  const { fields } = readSetFields(context, 'brand_set', id);
  const artwork = setArtwork(context, id);
  const members = (kind: 'network' | 'company', table: 'networks' | 'companies') =>
    context.database
      .all(
        `SELECT b.id, b.name FROM brand_set_members m JOIN ${table} b ON b.id = m.id
         WHERE m.set_id = ? AND m.kind = ? ORDER BY m.position`,
        id,
        kind,
      )
      .map((brand) => ({
        id: brand.integer('id'),
        name: brand.text('name'),
        ...artwork(kind, brand.integer('id')),
      }));
  return { ...fields, networks: members('network', 'networks'), companies: members('company', 'companies') };
}

interface SetFields {
  /** The fields that every Set shows first. */
  readonly fields: {
    readonly id: number;
    readonly title: string;
    readonly description: string | null;
    readonly createdBy: string | null;
    readonly dateCreated: string;
    readonly dateUpdated: string;
  };
  readonly language: string | null;
  /** A Set without an edition has the first one; the interface document has no null here. */
  readonly edition: string;
  /** The Boxset or Loadout that it is part of. */
  readonly group: { readonly id: number; readonly title: string } | null;
  readonly targetId: number | null;
}

/** @throws PublicError 404 when there is no public Set of that kind and id. */
function readSetFields({ database, now }: ServerContext, kind: SetKind, id: number): SetFields {
  const at = now().toISOString();
  const set = database.first(
    `SELECT s.*, o.name AS created_by, g.id AS shown_group_id, g.title AS group_title,
            (SELECT name FROM editions WHERE id = ifnull(s.edition_id, 1)) AS edition
     FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
       LEFT JOIN groups g ON g.id = s.group_id AND g.public_from <= ?
     WHERE s.id = ? AND s.kind = ? AND s.public_from <= ?`,
    at,
    id,
    kind,
    at,
  );
  if (!set) throw notFound(`Set ${id} of this kind`);
  const groupId = set.integerOrNull('shown_group_id');
  return {
    fields: { id, title: set.text('title'), description: set.textOrNull('description'), ...attribution(set) },
    language: set.textOrNull('language_code'),
    edition: set.text('edition'),
    group: groupId === null ? null : { id: groupId, title: set.text('group_title') },
    targetId: set.integerOrNull('target_id'),
  };
}

/** Who created a row of `sets` or `groups`, and when; the row has the owner's name as `created_by`. */
export function attribution(row: Row) {
  return {
    createdBy: row.textOrNull('created_by'),
    dateCreated: row.text('created_at'),
    dateUpdated: row.text('updated_at'),
  };
}

/** The root-relative paths of an entity's slots in one Set, null for an empty slot. */
type SlotPaths = (kind: EntityKind, id: number) => Readonly<Record<string, string | null>>;

/** Reads a Set's public artwork once, for all entities that the Set shows. */
function setArtwork({ database, now }: ServerContext, setId: number): SlotPaths {
  const at = now().toISOString();
  const paths = new Map(
    database
      .all(
        `SELECT a.id, a.format, a.slot, a.target_kind, a.target_id FROM assets a
         WHERE a.set_id = ? AND ${assetIsPublic} ORDER BY a.created_at, a.id`,
        setId,
        at,
        at,
      )
      .map((asset) => [
        placeKey(asset.text('target_kind'), asset.integer('target_id'), asset.text('slot')),
        assetPath(asset.text('id'), asset.text('format')),
      ]),
  );
  return (kind, id) =>
    Object.fromEntries(
      slotsOf[kind].map((slot: Slot) => [slot, paths.get(placeKey(kind, id, slot)) ?? null]),
    );
}

function placeKey(kind: string, id: number, slot: string): string {
  return `${kind} ${id} ${slot}`;
}
