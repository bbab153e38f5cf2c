import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Row } from '../store/database.ts';
import { assetIsPublic } from './assets.ts';
import { assetPath } from './pictures.ts';
import { targetOf } from './sets.ts';

/** @throws PublicError 404 when there is no public group of that kind and id. */
export function readGroup(context: ServerContext, kind: 'boxset' | 'loadout', id: number): object {
  const { database, now } = context;
  const at = now().toISOString();
  const group = database.first(
    `SELECT g.*, o.name AS created_by, g.created_at AS date_created, g.updated_at AS date_updated
     FROM groups g LEFT JOIN accounts o ON o.id = g.owner_id WHERE g.id = ? AND g.kind = ? AND g.public_from <= ?`,
    id,
    kind,
    at,
  );
  if (!group) throw notFound(kind === 'boxset' ? `Boxset ${id}` : `Loadout ${id}`);
  const poster = database.first(
    `SELECT a.id, a.format FROM assets a
     WHERE a.target_kind = ? AND a.target_id = ? AND a.slot = 'poster' AND ${assetIsPublic}
     ORDER BY a.created_at DESC, a.id LIMIT 1`,
    kind,
    id,
    at,
    at,
  );
  return {
    ...group.members('id', 'title', 'description', 'createdBy', 'dateCreated', 'dateUpdated'),
    language: group.textOrNull('language_code'),
    poster: poster ? assetPath(poster.text('id'), poster.text('format')) : null,
    // The interface document shows children of two kinds; those of other kinds name their target in the same way.
    sets: childrenOf(context, id).map((child) => ({
      id: child.integer('id'),
      ...(kind === 'boxset' ? { kind: child.text('kind') } : {}),
      ...child.members('title', 'createdBy', 'dateUpdated'),
      [child.text('target_kind')]: childTarget(context, child),
    })),
  };
}

function childrenOf({ database, now }: ServerContext, groupId: number): readonly Row[] {
  return database.all(
    `SELECT s.*, o.name AS created_by, s.updated_at AS date_updated FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
     WHERE s.group_id = ? AND s.public_from <= ? ORDER BY s.group_position`,
    groupId,
    now().toISOString(),
  );
}

function childTarget({ database }: ServerContext, child: Row) {
  const { id, title, year } = targetOf(database, child.text('target_kind'), child.integer('target_id'));
  return { id, title, year };
}
