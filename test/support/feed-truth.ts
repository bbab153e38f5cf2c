import { randomUUID } from 'node:crypto';
import { replaceAsset } from '../../src/sandbox/artwork/assets.ts';
import { editSet } from '../../src/sandbox/artwork/sets.ts';
import { dataFolder } from '../../src/sandbox/launch.ts';
import { type Database, openDatabase } from '../../src/sandbox/store/database.ts';

/** Acts on the catalogue of a household beside its service, as its other creators do. */
export function withCatalogue<Value>(home: string, work: (database: Database) => Value): Value {
  const database = openDatabase(dataFolder(home), () => {
    throw new Error('The catalogue is not filled.');
  });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

export interface ReplacedPlace {
  readonly assetId: string;
  /** Of the Set, else of the target. */
  readonly title: string;
  readonly by: string;
  readonly slot: string;
}

/** Every place in which something was replaced since then, with what stands there now. */
export function replacedSince(database: Database, since: string): ReplacedPlace[] {
  return database
    .all(
      `SELECT DISTINCT a.id, a.slot, o.name AS by, ifnull(s.title, t.title) AS title
       FROM asset_changes c
         JOIN assets a ON a.id = c.asset_id AND a.replaced_from IS NULL
         JOIN accounts o ON o.id = a.owner_id
         JOIN targets t ON t.kind = a.target_kind AND t.id = a.target_id
         LEFT JOIN sets s ON s.id = a.set_id
       WHERE c.previous_asset_id IS NOT NULL AND c.changed_at >= ?`,
      since,
    )
    .map((row) => ({
      assetId: row.text('id'),
      title: row.text('title'),
      by: row.text('by'),
      slot: row.text('slot'),
    }));
}

/** Replaces one picture of a Set, so often. */
export function replaceOne(database: Database, setId: number, times: number, at: Date = new Date()): void {
  let asset = database.only('SELECT * FROM assets WHERE set_id = ? AND replaced_from IS NULL LIMIT 1', setId);
  for (let time = 0; time < times; time += 1) {
    const id = randomUUID();
    const now = new Date(at.getTime() + time).toISOString();
    replaceAsset(database, asset.text('id'), {
      id,
      slot: asset.text('slot'),
      targetKind: asset.text('target_kind'),
      targetId: asset.integer('target_id'),
      setId,
      ownerId: asset.integer('owner_id'),
      languageCode: asset.textOrNull('language_code'),
      editionId: asset.integerOrNull('edition_id'),
      format: 'png',
      uploadedFile: null,
      width: asset.integer('width'),
      height: asset.integer('height'),
      createdAt: now,
      publicFrom: now,
    });
    editSet(database, setId, {}, now);
    asset = database.only('SELECT * FROM assets WHERE id = ?', id);
  }
}
