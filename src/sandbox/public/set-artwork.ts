import { type EntityKind, type Slot, slotsOf } from '../artwork/slots.ts';
import type { Premises } from '../premises.ts';
import { assetShows } from './assets.ts';
import { assetPath } from './pictures.ts';

/** The root-relative paths of an entity's slots in one Set, null where the Set has nothing there. */
export type SlotPaths = (kind: EntityKind, id: number) => Readonly<Record<string, string | null>>;

/** Reads a Set's public artwork once, for all entities that the Set shows. */
export function setArtwork({ database, now }: Premises, setId: number): SlotPaths {
  const at = now().toISOString();
  const paths = new Map(
    database
      .all(
        `SELECT a.id, a.format, a.slot, a.target_kind, a.target_id FROM assets a
         WHERE a.set_id = ? AND ${assetShows} ORDER BY a.created_at, a.id`,
        setId,
        at,
        at,
      )
      .map((asset) => [
        place(asset.text('target_kind'), asset.integer('target_id'), asset.text('slot')),
        assetPath(asset.text('id'), asset.text('format')),
      ]),
  );
  return (kind, id) =>
    Object.fromEntries(slotsOf[kind].map((slot: Slot) => [slot, paths.get(place(kind, id, slot)) ?? null]));
}

function place(kind: string, id: number, slot: string): string {
  return `${kind} ${id} ${slot}`;
}
