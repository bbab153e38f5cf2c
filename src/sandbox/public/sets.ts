import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound } from '../http.ts';
import { assetIsPublic, assetPath, type Kind, kinds, targetOf } from '../model.ts';
import type { Row, Store } from '../store.ts';
import { partsOf } from './works.ts';

/** The root-relative paths of the slots of a work in one Set, null for an empty slot. */
type Artwork = (kind: Kind, id: number) => Readonly<Record<string, string | null>>;

/** What a kind of Set shows beside the members of all. Every part of its work is shown, so that gaps are visible. */
interface SetRead {
  /** The member that shows the group which it is in. */
  readonly group: 'boxset' | 'loadout' | null;
  readonly members: readonly string[];
  contents(set: Row, artwork: Artwork, store: Store): object;
}

const reads = {
  movie_set: {
    group: 'boxset',
    members: ['language', 'edition'],
    contents: (set, artwork, store) => ({ movie: dated(store, 'movie', set.integer('target_id'), artwork) }),
  },
  show_set: {
    group: 'boxset',
    members: ['language'],
    contents(set, artwork, store) {
      const id = set.integer('target_id');
      const seasons = partsOf(store, 'season', id).map((season) => ({
        ...{ id: season.id, seasonNumber: season.number, ...artwork('season', season.id) },
        episodes: partsOf(store, 'episode', season.id).map((episode) => ({
          ...{ id: episode.id, episodeNumber: episode.number, ...artwork('episode', episode.id) },
        })),
      }));
      return { show: { ...dated(store, 'show', id, artwork), seasons } };
    },
  },
  game_set: {
    group: 'loadout',
    members: ['language'],
    contents: (set, artwork, store) => ({ game: dated(store, 'game', set.integer('target_id'), artwork) }),
  },
  collection_set: {
    group: 'boxset',
    members: ['language', 'edition'],
    contents(set, artwork, store) {
      const id = set.integer('target_id');
      const { title } = targetOf(store, 'collection', id);
      const movies = partsOf(store, 'movie', id).map((movie) => dated(store, 'movie', movie.id, artwork));
      return { collection: { id, title, ...artwork('collection', id), movies } };
    },
  },
  brand_set: {
    group: null,
    members: [],
    contents(set, artwork, store) {
      const all = brandsSchema.parse(set.json('members'));
      const brands = (kind: 'network' | 'company') =>
        all
          .filter((member) => member.kind === kind)
          .map(({ id }) => ({ id, name: targetOf(store, kind, id).title, ...artwork(kind, id) }));
      return { networks: brands('network'), companies: brands('company') };
    },
  },
} as const satisfies Readonly<Record<string, SetRead>>;

const brandsSchema = z.array(z.object({ kind: z.enum(['network', 'company']), id: z.int() }));

/** Talent and Category Sets have no public read. */
export type PublicSetKind = keyof typeof reads;

/**
 * A Set without an edition has the first one: the interface document has no null there.
 * @throws Refusal 404 where there is no public Set of this kind and id
 */
export function readSet(context: Context, kind: PublicSetKind, id: number): object {
  const at = context.now().toISOString();
  const set = context.store.first(
    `SELECT s.*, o.name AS created_by, s.created_at AS date_created, s.updated_at AS date_updated,
       s.language_code AS language, g.id AS shown_group_id, g.title AS group_title,
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
  const read: SetRead = reads[kind];
  const groupId = set.integerOrNull('shown_group_id');
  const group = groupId === null ? null : { id: groupId, title: set.text('group_title') };
  return {
    ...set.members('id', 'title', 'description', 'createdBy', 'dateCreated', 'dateUpdated', ...read.members),
    ...(read.group === null ? {} : { [read.group]: group }),
    ...read.contents(set, artworkOf(context, id), context.store),
  };
}

/** A work with a year, and its slots. */
function dated(store: Store, kind: 'movie' | 'show' | 'game', id: number, artwork: Artwork) {
  const { title, year } = targetOf(store, kind, id);
  return { id, title, year, ...artwork(kind, id) };
}

/** Reads a Set's public artwork once, for all works that it shows. */
function artworkOf({ store, now }: Context, setId: number): Artwork {
  const at = now().toISOString();
  const rows = store.all(
    `SELECT a.* FROM assets a WHERE a.set_id = ? AND ${assetIsPublic} ORDER BY a.created_at, a.id`,
    setId,
    at,
    at,
  );
  const place = (kind: string, id: number, slot: string) => `${kind} ${id} ${slot}`;
  const paths = new Map(
    rows.map((row) => [
      place(row.text('target_kind'), row.integer('target_id'), row.text('slot')),
      assetPath(row),
    ]),
  );
  return (kind, id) =>
    Object.fromEntries(kinds[kind].slots.map((slot) => [slot, paths.get(place(kind, id, slot)) ?? null]));
}

/** @throws Refusal 404 where there is no public group of this kind and id */
export function readGroup({ store, now }: Context, kind: 'boxset' | 'loadout', id: number): object {
  const at = now().toISOString();
  const group = store.first(
    `SELECT g.*, o.name AS created_by, g.created_at AS date_created, g.updated_at AS date_updated,
       g.language_code AS language
     FROM groups g LEFT JOIN accounts o ON o.id = g.owner_id WHERE g.id = ? AND g.kind = ? AND g.public_from <= ?`,
    id,
    kind,
    at,
  );
  if (!group) throw notFound(kind === 'boxset' ? `Boxset ${id}` : `Loadout ${id}`);
  const poster = store.first(
    `SELECT a.* FROM assets a WHERE a.target_kind = ? AND a.target_id = ? AND a.slot = 'poster' AND ${assetIsPublic}
     ORDER BY a.created_at DESC, a.id LIMIT 1`,
    kind,
    id,
    at,
    at,
  );
  const children = store.all(
    `SELECT s.*, o.name AS created_by, s.updated_at AS date_updated
     FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
     WHERE s.group_id = ? AND s.public_from <= ? ORDER BY s.group_position`,
    id,
    at,
  );
  return {
    ...group.members('id', 'title', 'description', 'createdBy', 'dateCreated', 'dateUpdated', 'language'),
    poster: poster ? assetPath(poster) : null,
    // The document shows children of two kinds; those of others name their target in the same way.
    sets: children.map((child) => {
      const target = targetOf(store, child.text('target_kind'), child.integer('target_id'));
      return {
        id: child.integer('id'),
        ...(kind === 'boxset' ? child.members('kind') : {}),
        ...child.members('title', 'createdBy', 'dateUpdated'),
        [target.kind]: { id: target.id, title: target.title, year: target.year },
      };
    }),
  };
}
