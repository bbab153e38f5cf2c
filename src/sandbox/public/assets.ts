import { assetArrays, type EntityKind, slotsOf } from '../artwork/slots.ts';
import type { Premises } from '../premises.ts';
import type { Row } from '../store/row.ts';
import { assetPath } from './pictures.ts';

/**
 * Condition on `assets a` for those that public reads show at a moment, which is to be given twice: their
 * own publication has come, that of a replacement has not.
 */
export const assetShows = 'a.public_from <= ? AND (a.replaced_from IS NULL OR a.replaced_from > ?)';

/**
 * The `assets` object of an entity: every public Asset for it, standalone or in a Set, by slot, oldest
 * first. The interface document doesn't show the element; assumed is what it tells of Assets elsewhere: id,
 * root-relative path, language, edition, creator and Set, and the size of the picture in pixels.
 */
export function assetsOf({ database, now }: Premises, kind: EntityKind, id: number) {
  const at = now().toISOString();
  const rows = database.all(
    `SELECT a.*, e.name AS edition, o.name AS created_by
     FROM assets a LEFT JOIN editions e ON e.id = a.edition_id LEFT JOIN accounts o ON o.id = a.owner_id
     WHERE a.target_kind = ? AND a.target_id = ? AND ${assetShows}
     ORDER BY a.created_at, a.id`,
    kind,
    id,
    at,
    at,
  );
  return Object.fromEntries(
    slotsOf[kind].map((slot) => [
      assetArrays[slot],
      rows.filter((row) => row.text('slot') === slot).map(assetElement),
    ]),
  );
}

function assetElement(row: Row) {
  return {
    id: row.text('id'),
    path: assetPath(row.text('id'), row.text('format')),
    languageCode: row.textOrNull('language_code'),
    edition: row.textOrNull('edition'),
    createdBy: row.textOrNull('created_by'),
    setId: row.integerOrNull('set_id'),
    width: row.integer('width'),
    height: row.integer('height'),
    dateCreated: row.text('created_at'),
    dateUpdated: row.text('updated_at'),
  };
}
