import { type Database, insert, type Row } from '../store/database.ts';
import { laterOf, nextRevision, recordAssetChange } from './changes.ts';

export interface NewAsset {
  readonly id: string;
  readonly slot: string;
  readonly targetKind: string;
  readonly targetId: number;
  /** null: standalone. */
  readonly setId: number | null;
  readonly ownerId: number | null;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  readonly format: 'png' | 'jpeg' | 'webp' | 'gif';
  /**
   * Key of the uploaded file among the stored pictures; null: the picture is drawn when it is first
   * requested.
   */
  readonly uploadedFile: string | null;
  readonly width: number;
  readonly height: number;
  readonly createdAt: string;
  /** When public reads and the feed show it; equal to `createdAt` without a lag. */
  readonly publicFrom: string;
}

/** Stores an Asset without recording a change. */
export function storeAsset(database: Database, asset: NewAsset, replaces: string | null = null): void {
  insert(database, 'assets', {
    id: asset.id,
    slot: asset.slot,
    target_kind: asset.targetKind,
    target_id: asset.targetId,
    set_id: asset.setId,
    owner_id: asset.ownerId,
    language_code: asset.languageCode,
    edition_id: asset.editionId,
    format: asset.format,
    uploaded_file: asset.uploadedFile,
    width: asset.width,
    height: asset.height,
    replaces,
    created_at: asset.createdAt,
    updated_at: asset.createdAt,
    public_from: asset.publicFrom,
  });
}

export function addAsset(database: Database, asset: NewAsset): void {
  database.transaction(() => storeRecorded(database, asset, null));
}

/**
 * Replaces an Asset. The previous one stays public until the new one is.
 * @throws Error when there is no such Asset or it has been replaced before.
 */
export function replaceAsset(database: Database, previousAssetId: string, asset: NewAsset): void {
  database.transaction(() => {
    const replaced = database.run(
      'UPDATE assets SET replaced_from = ? WHERE id = ? AND replaced_from IS NULL',
      asset.publicFrom,
      previousAssetId,
    );
    if (replaced !== 1) throw new Error(`Asset ${previousAssetId} is not there to be replaced.`);
    storeRecorded(database, asset, previousAssetId);
  });
}

function storeRecorded(database: Database, asset: NewAsset, previousAssetId: string | null): void {
  storeAsset(database, asset, previousAssetId);
  recordAssetChange(database, {
    assetId: asset.id,
    slot: asset.slot,
    targetKind: asset.targetKind,
    targetId: asset.targetId,
    changeType: previousAssetId === null ? 'added' : 'updated',
    changedAt: asset.publicFrom,
    previousAssetId,
  });
}

export interface AssetEdit {
  readonly languageCode?: string | null;
  readonly editionId?: number | null;
}

/**
 * Edits an Asset. Omitted fields stay. Returns the new revision.
 * @throws Error when there is no such Asset.
 */
export function editAsset(database: Database, assetId: string, edit: AssetEdit, at: string): string {
  return database.transaction(() => {
    const asset = findAsset(database, assetId);
    if (!asset) throw new Error(`There is no Asset ${assetId}.`);
    const revision = nextRevision(asset.text('updated_at'), at);
    const {
      languageCode = asset.textOrNull('language_code'),
      editionId = asset.integerOrNull('edition_id'),
    } = edit;
    database.run(
      'UPDATE assets SET language_code = ?, edition_id = ?, updated_at = ? WHERE id = ?',
      languageCode,
      editionId,
      revision,
      assetId,
    );
    recordAssetChange(database, {
      assetId,
      slot: asset.text('slot'),
      targetKind: asset.text('target_kind'),
      targetId: asset.integer('target_id'),
      changeType: 'updated',
      // Public reads never show an edit before the Asset itself.
      changedAt: laterOf(revision, asset.text('public_from')),
      previousAssetId: null,
    });
    return revision;
  });
}

/**
 * Puts a standalone Asset into a Set. Returns the Asset's new revision.
 * @throws Error when there is no such Asset or it is in a Set.
 */
export function assignAsset(database: Database, assetId: string, setId: number, at: string): string {
  return database.transaction(() => {
    const assigned = database.run(
      'UPDATE assets SET set_id = ? WHERE id = ? AND set_id IS NULL',
      setId,
      assetId,
    );
    if (assigned !== 1) throw new Error(`Asset ${assetId} can't be assigned.`);
    return editAsset(database, assetId, {}, at);
  });
}

function findAsset(database: Database, assetId: string): Row | undefined {
  return database.first('SELECT * FROM assets WHERE id = ?', assetId);
}
