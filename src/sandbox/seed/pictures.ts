import type { NewAsset } from '../artwork/assets.ts';
import { metadataImagesOf, type PicturedKind, type Slot } from '../artwork/targets.ts';
import { shapeOf } from '../pictures/slot-shapes.ts';
import { type Database, insert } from '../store/database.ts';
import { stableNumber } from './stable.ts';

/**
 * The fields that depend on the slot alone: drawn, in the slot's size; logos and icons as PNG for their
 * alpha.
 */
export function drawnAsset(
  slot: Slot,
  name: string,
): Pick<NewAsset, 'format' | 'uploadedFile' | 'width' | 'height'> {
  const { width, height } = shapeOf(slot);
  const spread = stableNumber(`format ${name}`, 20);
  const format = slot === 'logo' || slot === 'icon' || spread < 3 ? 'png' : spread < 10 ? 'webp' : 'jpeg';
  return { format, uploadedFile: null, width, height };
}

/** Pictures without lettering have no language. */
export function isWordless(slot: Slot): boolean {
  return slot === 'backdrop' || slot === 'background' || slot === 'hero';
}

/** One entity of this many lacks the picture. */
const oneMissingOf = { poster: 40, backdrop: 15, logo: 6, profile: 6 } as const;

/** @param lacking - slots to leave empty */
export function fillMetadataImages(
  database: Database,
  kind: PicturedKind,
  id: number,
  lacking: readonly string[],
): void {
  for (const slot of metadataImagesOf[kind].filter((one) => !lacking.includes(one))) {
    if (stableNumber(`metadata ${kind} ${id} ${slot}`, oneMissingOf[slot]) === 0) continue;
    insert(database, 'metadata_images', {
      kind,
      id,
      slot,
      file_name: `${slot}.${slot === 'logo' ? 'png' : 'jpg'}`,
    });
  }
}
