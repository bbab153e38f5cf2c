import { findTarget } from '../artwork/targets.ts';
import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Row } from '../store/database.ts';
import { assetIsPublic } from './assets.ts';
import { assetPath } from './pictures.ts';
import { attribution } from './sets.ts';

/**
 * The interface document shows children of two kinds; those of other kinds name their target in the same way.
 */
export function readBoxset(context: ServerContext, id: number) {
  return {
    ...readGroup(context, 'boxset', id),
    sets: childrenOf(context, id).map((child) => ({
      id: child.integer('id'),
      kind: child.text('kind'),
      title: child.text('title'),
      createdBy: child.textOrNull('created_by'),
      dateUpdated: child.text('updated_at'),
      [child.text('target_kind')]: childTarget(context, child),
    })),
  };
}

export function readLoadout(context: ServerContext, id: number) {
  return {
    ...readGroup(context, 'loadout', id),
    sets: childrenOf(context, id).map((child) => ({
      id: child.integer('id'),
      title: child.text('title'),
      createdBy: child.textOrNull('created_by'),
      dateUpdated: child.text('updated_at'),
      game: childTarget(context, child),
    })),
  };
}

function readGroup({ database, now }: ServerContext, kind: 'boxset' | 'loadout', id: number) {
  const at = now().toISOString();
  const group = database.first(
    `SELECT g.*, o.name AS created_by FROM groups g LEFT JOIN accounts o ON o.id = g.owner_id
     WHERE g.id = ? AND g.kind = ? AND g.public_from <= ?`,
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
    id,
    title: group.text('title'),
    description: group.textOrNull('description'),
    ...attribution(group),
    language: group.textOrNull('language_code'),
    poster: poster ? assetPath(poster.text('id'), poster.text('format')) : null,
  };
}

function childrenOf({ database, now }: ServerContext, groupId: number): readonly Row[] {
  return database.all(
    `SELECT s.*, o.name AS created_by FROM sets s LEFT JOIN accounts o ON o.id = s.owner_id
     WHERE s.group_id = ? AND s.public_from <= ? ORDER BY s.group_position`,
    groupId,
    now().toISOString(),
  );
}

function childTarget({ database }: ServerContext, child: Row) {
  const id = child.integer('target_id');
  const target = findTarget(database, child.text('target_kind'), id);
  if (!target) throw new Error(`The target of Set ${child.integer('id')} is gone.`);
  return { id, title: target.title, year: target.year };
}
