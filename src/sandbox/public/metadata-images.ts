import { metadataImagesOf, type PicturedKind } from '../artwork/slots.ts';
import type { Premises } from '../premises.ts';

/** Absolute URLs, or null where the entity has no such picture (the interface document, Resources). */
export function metadataImages({ database, origin }: Premises, kind: PicturedKind, id: number) {
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
