import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound } from '../http.ts';
import { assetIsPublic, assetPath, type Kind, kinds, targetOf } from '../model.ts';
import type { Row, Store } from '../store.ts';
import { partsOf } from './works.ts';

/** What is shown of a Set beside its own row. */
interface Shown {
  readonly store: Store;
  /** The Boxset or Loadout which it is in. */
  readonly group: { readonly id: number; readonly title: string } | null;
  /** The root-relative paths of the slots of a work in the Set, null for an empty slot. */
  artwork(kind: Kind, id: number): Readonly<Record<string, string | null>>;
  /** A work with its year and its slots. */
  dated(kind: 'movie' | 'show' | 'game', id: number): object;
}

const brandsSchema = z.array(z.object({ kind: z.enum(['network', 'company']), id: z.int() }));

/** The networks and companies of a Brand Set, each with `more` of it. */
export function brandsOf(store: Store, set: Row, more: Shown['artwork'] = () => ({})) {
  const all = brandsSchema.parse(set.json('members'));
  const brands = (wanted: Kind) =>
    all
      .filter(({ kind }) => kind === wanted)
      .map(({ kind, id }) => ({ id, name: targetOf(store, kind, id).title, ...more(kind, id) }));
  return { networks: brands('network'), companies: brands('company') };
}

/**
 * What a kind of Set shows beside the members of all. Every part of its work is shown, so that gaps are visible. Talent
 * and Category Sets have no public read.
 */
const contents = {
  movie_set: (set: Row, { group, dated }: Shown) => ({
    ...set.members('language', 'edition'),
    boxset: group,
    movie: dated('movie', set.integer('target_id')),
  }),
  show_set(set: Row, { store, group, artwork, dated }: Shown) {
    const id = set.integer('target_id');
    const seasons = partsOf(store, 'season', id).map((season) => ({
      ...season.members('id', 'seasonNumber'),
      ...artwork('season', season.integer('id')),
      episodes: partsOf(store, 'episode', season.integer('id')).map((episode) => ({
        ...episode.members('id', 'episodeNumber'),
        ...artwork('episode', episode.integer('id')),
      })),
    }));
    return { ...set.members('language'), boxset: group, show: { ...dated('show', id), seasons } };
  },
  game_set: (set: Row, { group, dated }: Shown) => ({
    ...set.members('language'),
    loadout: group,
    game: dated('game', set.integer('target_id')),
  }),
  collection_set(set: Row, { store, group, artwork, dated }: Shown) {
    const id = set.integer('target_id');
    const { title } = targetOf(store, 'collection', id);
    const movies = partsOf(store, 'movie', id).map((movie) => dated('movie', movie.integer('id')));
    const collection = { id, title, ...artwork('collection', id), movies };
    return { ...set.members('language', 'edition'), boxset: group, collection };
  },
  brand_set: (set: Row, { store, artwork }: Shown) => brandsOf(store, set, artwork),
};

/**
 * A Set without an edition has the first one: the interface document has no null there.
 * @throws Refusal 404 where there is no public Set of this kind and id
 */
export function readSet(context: Context, kind: keyof typeof contents, id: number): object {
  const { store } = context;
  const at = context.now();
  const set = store.first(
    `SELECT s.*, o.name AS created_by, s.created_at AS date_created, s.updated_at AS date_updated,
       s.language_code AS language, g.id AS shown_group_id, g.title AS group_title,
       (SELECT name FROM editions WHERE id = ifnull(s.edition_id, 1)) AS edition
     FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
       LEFT JOIN groups g ON g.id = s.group_id AND g.public_from <= ?
     WHERE s.id = ? AND s.kind = ? AND s.public_from <= ?`,
    ...[at, id, kind, at],
  );
  if (!set) throw notFound(`Set ${id} of this kind`);
  const groupId = set.integerOrNull('shown_group_id');
  const group = groupId === null ? null : { id: groupId, title: set.text('group_title') };
  const artwork = artworkOf(context, id);
  const dated: Shown['dated'] = (kind, id) => {
    const { title, year } = targetOf(store, kind, id);
    return { id, title, year, ...artwork(kind, id) };
  };
  return {
    ...set.members('id', 'title', 'description', 'createdBy', 'dateCreated', 'dateUpdated'),
    ...contents[kind](set, { store, group, artwork, dated }),
  };
}

/** Reads a Set's public artwork once, for all works that it shows. */
function artworkOf({ store, now }: Context, setId: number): Shown['artwork'] {
  const at = now();
  const rows = store.all(
    `SELECT a.* FROM assets a WHERE a.set_id = ? AND ${assetIsPublic} ORDER BY a.created_at, a.id`,
    ...[setId, at, at],
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
  const at = now();
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
