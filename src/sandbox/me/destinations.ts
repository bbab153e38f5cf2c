import { z } from 'zod';
import type { Database } from '../store/database.ts';
import { type Family, maxDestinations, type UploadDestination } from './assumed.ts';
import type { Caller, RequiredScopes } from './authorize.ts';
import type { OperationRequest } from './context.ts';
import { queryFields, validate } from './request.ts';
import { findNamedTarget } from './sets.ts';

const destinationQuery = z.strictObject({
  kind: z.enum(['talent_set', 'media_set', 'boxset']),
  family: z.enum(['media', 'game']).default('media'),
  q: z.string().max(200).default(''),
});

/** An unknown kind is refused later, after the caller was authorized for any of them. */
export function scopesForDestinations({ query }: OperationRequest): RequiredScopes {
  switch (query.get('kind')) {
    case 'boxset':
      return { every: ['groups:write'] };
    case 'talent_set':
    case 'media_set':
      return { every: ['sets:write'] };
    default:
      return { any: ['sets:write', 'groups:write'] };
  }
}

const setKinds = { media: ['movie_set', 'show_set', 'collection_set'], game: ['game_set'] } as const;

/**
 * The caller's Sets or groups of a kind and family whose title or target contains the text, the last changed
 * first.
 * @throws ProtectedError 400 for a query that is not as the interface document says.
 */
export function findDestinations(
  database: Database,
  caller: Caller,
  query: URLSearchParams,
): readonly UploadDestination[] {
  const { kind, family, q } = validate(destinationQuery, queryFields(query));
  const text = comparable(q);
  const all =
    kind === 'boxset'
      ? ownedGroups(database, caller, family)
      : kind === 'media_set'
        ? ownedSets(database, caller, kind, family, setKinds[family])
        : family === 'game'
          ? []
          : ownedSets(database, caller, kind, family, ['talent_set']);
  return all
    .filter(({ title, target }) =>
      [title, target?.title ?? ''].some((name) => comparable(name).includes(text)),
    )
    .slice(0, maxDestinations);
}

/** The family, where a query has to name it. */
function familyField(family: Family): Pick<UploadDestination, 'family'> {
  return family === 'game' ? { family } : {};
}

function comparable(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

function ownedGroups(database: Database, caller: Caller, family: Family): UploadDestination[] {
  return database
    .all(
      'SELECT id, title, updated_at FROM groups WHERE owner_id = ? AND kind = ? ORDER BY updated_at DESC, id',
      caller.accountId,
      family === 'game' ? 'loadout' : 'boxset',
    )
    .map((row) => ({
      id: row.integer('id'),
      kind: 'boxset',
      ...familyField(family),
      title: row.text('title'),
      target: null,
      updatedAt: row.text('updated_at'),
    }));
}

function ownedSets(
  database: Database,
  caller: Caller,
  kind: 'talent_set' | 'media_set',
  family: Family,
  kinds: readonly string[],
): UploadDestination[] {
  return database
    .all(
      `SELECT id, title, target_kind, target_id, updated_at FROM sets
       WHERE owner_id = ? AND kind IN (${kinds.map(() => '?').join(', ')}) ORDER BY updated_at DESC, id`,
      caller.accountId,
      ...kinds,
    )
    .map((row) => ({
      id: row.integer('id'),
      kind,
      ...familyField(family),
      title: row.text('title'),
      target: findNamedTarget(database, row.text('target_kind'), row.integer('target_id')) ?? null,
      updatedAt: row.text('updated_at'),
    }));
}
