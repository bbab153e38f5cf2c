import { slots } from '../artwork/slots.ts';
import { type EntityKind, metadataImagesOf, type PicturedKind, slotsOf } from '../artwork/targets.ts';
import type { ServerContext } from '../server-context.ts';
import type { Row } from '../store/database.ts';
import { assetPath } from './pictures.ts';

/**
 * SQL condition on `assets a` for those that are public at a time, which is passed twice: the Asset's own
 * publication has come, that of a replacement has not.
 */
export const assetIsPublic = 'a.public_from <= ? AND (a.replaced_from IS NULL OR a.replaced_from > ?)';

/**
 * The `assets` object of an entity: its public Assets, standalone or in a Set, by slot, oldest first. The
 * interface document does not show the element. Assumed are the fields that Assets have elsewhere: id,
 * root-relative path, language, edition, creator and Set, and the size of the picture in pixels.
 */
export function assetsOf({ database, now }: ServerContext, kind: EntityKind, id: number) {
  const at = now().toISOString();
  const rows = database.all(
    `SELECT a.*, e.name AS edition, o.name AS created_by
     FROM assets a LEFT JOIN editions e ON e.id = a.edition_id LEFT JOIN accounts o ON o.id = a.owner_id
     WHERE a.target_kind = ? AND a.target_id = ? AND ${assetIsPublic}
     ORDER BY a.created_at, a.id`,
    kind,
    id,
    at,
    at,
  );
  return Object.fromEntries(
    slotsOf[kind].map((slot) => [
      slots[slot].list,
      rows.filter((row) => row.text('slot') === slot).map(assetElement),
    ]),
  );
}

function assetElement(row: Row) {
  return {
    id: row.text('id'),
    path: assetPath(row.text('id'), row.text('format')),
    ...row.members('languageCode', 'edition', 'createdBy', 'setId', 'width', 'height'),
    dateCreated: row.text('created_at'),
    dateUpdated: row.text('updated_at'),
  };
}

/** Absolute URLs, or null where the entity has no such picture (the interface document, Resources). */
export function metadataImages({ database, origin }: ServerContext, kind: PicturedKind, id: number) {
  const files = new Map(
    database
      .all('SELECT slot, file_name FROM metadata_images WHERE kind = ? AND id = ?', kind, id)
      .map((row) => [row.text('slot'), row.text('file_name')]),
  );
  return Object.fromEntries(
    metadataImagesOf[kind].map((slot) => {
      const file = files.get(slot);
      return [slot, file === undefined ? null : `${origin}/metadata/${kind}/${id}/${file}`];
    }),
  );
}
