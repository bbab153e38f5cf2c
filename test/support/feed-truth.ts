import { randomUUID } from 'node:crypto';
import { addAsset, editSet } from '../../src/sandbox/artwork.ts';
import { targetOf } from '../../src/sandbox/model.ts';
import type { Store } from '../../src/sandbox/store.ts';

export { withCatalogue } from './filled.ts';

export interface ReplacedPlace {
  readonly assetId: string;
  /** Of the Set, else of the target. */
  readonly title: string;
  readonly by: string;
  readonly slot: string;
}

/** Every place in which something was replaced since then, with what stands there now. */
export function replacedSince(store: Store, since: string): ReplacedPlace[] {
  return store
    .all(
      `SELECT DISTINCT a.id, a.slot, a.target_kind, a.target_id, o.name AS by, s.title AS set_title
       FROM changes c
         JOIN assets a ON a.id = c.subject AND a.replaced_from IS NULL
         JOIN accounts o ON o.id = a.owner_id
         LEFT JOIN sets s ON s.id = a.set_id
       WHERE c.feed = 'assets' AND c.item ->> '$.previousAssetId' IS NOT NULL AND c.changed_at >= ?`,
      since,
    )
    .map((row) => ({
      assetId: row.text('id'),
      title:
        row.textOrNull('set_title') ??
        targetOf(store, row.text('target_kind'), row.integer('target_id')).title,
      by: row.text('by'),
      slot: row.text('slot'),
    }));
}

/** Replaces one picture of a Set, so often. */
export function replaceOne(store: Store, setId: number, times: number, at: Date = new Date()): void {
  let asset = store.only('SELECT * FROM assets WHERE set_id = ? AND replaced_from IS NULL LIMIT 1', setId);
  for (let time = 0; time < times; time += 1) {
    const id = randomUUID();
    const now = new Date(at.getTime() + time).toISOString();
    const next = {
      id,
      slot: asset.text('slot'),
      targetKind: asset.text('target_kind'),
      targetId: asset.integer('target_id'),
      setId,
      ownerId: asset.integer('owner_id'),
      languageCode: asset.textOrNull('language_code'),
      editionId: asset.integerOrNull('edition_id'),
      format: 'png' as const,
      file: null,
      width: asset.integer('width'),
      height: asset.integer('height'),
      createdAt: now,
      publicFrom: now,
    };
    addAsset(store, next, asset.text('id'));
    editSet(store, setId, {}, now);
    asset = store.only('SELECT * FROM assets WHERE id = ?', id);
  }
}
