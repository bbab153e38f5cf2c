import type { SetKind } from '../artwork/sets.ts';
import type { Slot } from '../artwork/slots.ts';
import { type EntityKind, findTarget, slotsOf } from '../artwork/targets.ts';
import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Database, Row } from '../store/database.ts';
import { assetIsPublic } from './assets.ts';
import { assetPath } from './pictures.ts';

type PublicSetKind = Exclude<SetKind, 'talent_set' | 'category_set'>;

/** What a kind of Set shows beside what all of them show. */
interface SetRead {
  /** Members that columns of its row hold. */
  readonly members: readonly string[];
  /** The member that shows the group which it is in. */
  readonly group: 'boxset' | 'loadout' | null;
  readonly contents: (set: Row, artwork: SlotPaths, database: Database) => object;
}

const kinds: Readonly<Record<PublicSetKind, SetRead>> = {
  movie_set: {
    members: ['language', 'edition'],
    group: 'boxset',
    contents: (set, artwork, database) => ({
      movie: work(database, 'movie', set.integer('target_id'), artwork),
    }),
  },
  // Every season and episode of the show is shown, so that missing artwork is visible.
  show_set: {
    members: ['language'],
    group: 'boxset',
    contents(set, artwork, database) {
      const id = set.integer('target_id');
      const episodes = database
        .all('SELECT * FROM episodes WHERE show_id = ? ORDER BY season_number, episode_number, id', id)
        .map((episode) => ({ seasonId: episode.integer('season_id'), episode }));
      const seasons = database
        .all('SELECT * FROM seasons WHERE show_id = ? ORDER BY season_number', id)
        .map((season) => ({
          ...season.members('id', 'seasonNumber'),
          ...artwork('season', season.integer('id')),
          episodes: episodes
            .filter(({ seasonId }) => seasonId === season.integer('id'))
            .map(({ episode }) => ({
              ...episode.members('id', 'episodeNumber'),
              ...artwork('episode', episode.integer('id')),
            })),
        }));
      return { show: { ...work(database, 'show', id, artwork), seasons } };
    },
  },
  game_set: {
    members: ['language'],
    group: 'loadout',
    contents: (set, artwork, database) => ({
      game: work(database, 'game', set.integer('target_id'), artwork),
    }),
  },
  // Every movie of the collection is shown, so that missing artwork is visible.
  collection_set: {
    members: ['language', 'edition'],
    group: 'boxset',
    contents(set, artwork, database) {
      const id = set.integer('target_id');
      const { title } = targetOf(database, 'collection', id);
      const movies = database
        .all(
          'SELECT id FROM movies WHERE collection_id = ? ORDER BY release_date IS NULL, release_date, id',
          id,
        )
        .map((movie) => work(database, 'movie', movie.integer('id'), artwork));
      return { collection: { id, title, ...artwork('collection', id), movies } };
    },
  },
  brand_set: {
    members: [],
    group: null,
    contents(set, artwork, database) {
      const members = (kind: 'network' | 'company') =>
        database
          .all(
            'SELECT id FROM brand_set_members WHERE set_id = ? AND kind = ? ORDER BY position',
            set.integer('id'),
            kind,
          )
          .map((member) => {
            const id = member.integer('id');
            return { id, name: targetOf(database, kind, id).title, ...artwork(kind, id) };
          });
      return { networks: members('network'), companies: members('company') };
    },
  },
};

/**
 * A Set without an edition has the first one: the interface document has no null there.
 * @throws PublicError 404 when there is no public Set of that kind and id.
 */
export function readSet(context: ServerContext, kind: PublicSetKind, id: number): object {
  const at = context.now().toISOString();
  const set = context.database.first(
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
  const { members, group, contents } = kinds[kind];
  const groupId = set.integerOrNull('shown_group_id');
  const shownGroup = groupId === null ? null : { id: groupId, title: set.text('group_title') };
  return {
    ...set.members('id', 'title', 'description', 'createdBy', 'dateCreated', 'dateUpdated', ...members),
    ...(group === null ? {} : { [group]: shownGroup }),
    ...contents(set, setArtwork(context, id), context.database),
  };
}

/** A work with a year, and the paths of its slots. */
function work(database: Database, kind: 'movie' | 'show' | 'game', id: number, artwork: SlotPaths) {
  const { title, year } = targetOf(database, kind, id);
  return { id, title, year, ...artwork(kind, id) };
}

/** What a Set or a part of it is for, which is there as long as the Set. */
export function targetOf(database: Database, kind: string, id: number) {
  const target = findTarget(database, kind, id);
  if (!target) throw new Error(`There is no ${kind} ${id}.`);
  return target;
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
