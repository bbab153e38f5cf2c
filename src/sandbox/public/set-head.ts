import type { SetKind } from '../artwork/sets.ts';
import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import type { Row } from '../store/row.ts';

export interface SetHead {
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
  /** A Set of no particular edition is of the first one; the interface document has no null here. */
  readonly edition: string;
  /** The Boxset or Loadout that it is part of. */
  readonly group: { readonly id: number; readonly title: string } | null;
  readonly targetId: number | null;
}

/** @throws PublicError 404 when there is no public Set of that kind and id. */
export function readSetHead({ database, now }: Premises, kind: SetKind, id: number): SetHead {
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

/** Who made it and when, of a row of `sets` or `groups` with the owner's name as `created_by`. */
export function attribution(row: Row) {
  return {
    createdBy: row.textOrNull('created_by'),
    dateCreated: row.text('created_at'),
    dateUpdated: row.text('updated_at'),
  };
}
