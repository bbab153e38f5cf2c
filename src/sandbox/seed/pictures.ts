import type { NewAsset } from '../artwork/assets.ts';
import { metadataImagesOf, type PicturedKind, type Slot } from '../artwork/slots.ts';
import { shapeOf } from '../pictures/slots.ts';
import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';
import { stableNumber } from './identity.ts';

/** What is the same for every seeded Asset of a slot: drawn, in the slot's size; lettering keeps its alpha. */
export function drawn(
  slot: Slot,
  name: string,
): Pick<NewAsset, 'format' | 'uploadedFile' | 'width' | 'height'> {
  const { width, height } = shapeOf(slot);
  const spread = stableNumber(`format ${name}`, 20);
  const format = slot === 'logo' || slot === 'icon' || spread < 3 ? 'png' : spread < 10 ? 'webp' : 'jpeg';
  return { format, uploadedFile: null, width, height };
}

/** What is made without lettering, and so has no language. */
export function isWordless(slot: Slot): boolean {
  return slot === 'backdrop' || slot === 'background' || slot === 'hero';
}

/** Some entities lack some of their metadata's pictures: of this many, one. */
const oneMissingOf = { poster: 40, backdrop: 15, logo: 6, profile: 6 } as const;

/** @param lacking - slots of which there must be none */
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
