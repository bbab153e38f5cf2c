import type { Caller } from '../access/caller.ts';
import { editAsset } from '../artwork/assets.ts';
import { editSet, type SetEdit } from '../artwork/sets.ts';
import { assign } from '../me/assignment.ts';
import { recordEffect } from '../me/effects.ts';
import { ownedRow } from '../me/owned.ts';
import { type OwnerSide, publicFrom } from '../me/owner-side.ts';
import { ProtectedError, stale } from '../me/protected-error.ts';
import type { Row } from '../store/row.ts';
import type { EditAdmission, SetMetadata } from './bodies.ts';
import { checkItem } from './checks.ts';
import type { Applied } from './complete.ts';
import { placePicture } from './place-picture.ts';
import type { Outcome, StoredItem, Submission } from './store.ts';

/**
 * Applies what still can be applied: each item is judged again, and the metadata by the revision that was
 * admitted. An item that fails keeps none of the others, nor the metadata, from being saved (the interface
 * document, States, 4 and 5).
 */
export function applyEdit(
  side: OwnerSide,
  caller: Caller,
  admission: EditAdmission,
  items: readonly StoredItem[],
  now: Date,
): Applied {
  const { database } = side;
  const { setId, clientMutationId } = admission;
  const set = ownedRow(database, caller, 'set', setId);
  const metadata = judgeMetadata(set, admission);
  const placed = items.map((stored) =>
    stored.status === 'received' ? applyItem(side, caller, set, stored, now, clientMutationId) : stored,
  );
  const outcome = outcomeOf([...placed.map(({ status }) => status), metadata.status]);
  if (outcome === 'failed') {
    return { items: placed, outcome, setId, setUpdatedAt: null, publicFrom: null, metadata };
  }
  const at = now.toISOString();
  const showsFrom = publicFrom(side, now);
  const changes = metadata.status === 'succeeded' ? editOf(admission.metadata) : {};
  const setUpdatedAt = editSet(database, setId, changes, at, showsFrom);
  recordEffect(
    database,
    caller,
    { operation: 'set.edit', clientMutationId, resource: { kind: 'set', id: setId } },
    at,
  );
  return { items: placed, outcome, setId, setUpdatedAt, publicFrom: showsFrom, metadata };
}

function judgeMetadata(
  set: Row,
  { metadata, expectedUpdatedAt, setId }: EditAdmission,
): Submission['metadata'] {
  if (Object.keys(metadata).length === 0) return { status: 'not_required', error: null };
  const current = set.text('updated_at');
  if (current === expectedUpdatedAt) return { status: 'succeeded', error: null };
  const { code, message } = stale(`Set ${setId}`, expectedUpdatedAt, current);
  return { status: 'failed', error: { code, message } };
}

function editOf({ titleBase, ...rest }: SetMetadata): SetEdit {
  return { ...rest, ...(titleBase === undefined ? {} : { title: titleBase }) };
}

function outcomeOf(statuses: readonly string[]): Outcome {
  const good = statuses.includes('succeeded');
  const bad = statuses.includes('failed');
  return good && bad ? 'partial' : good ? 'succeeded' : 'failed';
}

function applyItem(
  side: OwnerSide,
  caller: Caller,
  set: Row,
  stored: StoredItem,
  now: Date,
  clientMutationId: string,
): StoredItem {
  try {
    checkItem(side.database, caller, set, stored.item, ['items', stored.item.itemId]);
  } catch (error) {
    if (!(error instanceof ProtectedError)) throw error;
    return { ...stored, status: 'failed', error: { code: error.code, message: error.message } };
  }
  return { ...stored, status: 'succeeded', ...change(side, caller, set, stored, now, clientMutationId) };
}

/** Only for an item that was just checked: nothing is refused any more once something has been written. */
function change(
  side: OwnerSide,
  caller: Caller,
  set: Row,
  stored: StoredItem,
  now: Date,
  clientMutationId: string,
): { assetId: string; assetUpdatedAt: string } {
  const { database } = side;
  const { item } = stored;
  const at = now.toISOString();
  const setId = set.integer('id');
  const note = (operation: string, id: string) =>
    recordEffect(database, caller, { operation, clientMutationId, resource: { kind: 'asset', id } }, at);
  switch (item.operation) {
    case 'add': {
      const place = {
        setId,
        languageCode: set.textOrNull('language_code'),
        editionId: set.integerOrNull('edition_id'),
        previousAssetId: null,
      };
      return {
        assetId: placePicture(side, caller, stored, place, now, clientMutationId),
        assetUpdatedAt: at,
      };
    }
    case 'replace': {
      const previousAssetId = item.expectedPreviousAssetId;
      const previous = ownedRow(database, caller, 'asset', previousAssetId);
      const place = {
        setId,
        languageCode: previous.textOrNull('language_code'),
        editionId: previous.integerOrNull('edition_id'),
        previousAssetId,
      };
      return {
        assetId: placePicture(side, caller, stored, place, now, clientMutationId),
        assetUpdatedAt: at,
      };
    }
    case 'assign': {
      const assetUpdatedAt = assign(database, caller, set, item, at, []);
      note('asset.assign', item.existingAssetId);
      return { assetId: item.existingAssetId, assetUpdatedAt };
    }
    case 'asset_metadata': {
      const { existingAssetId, languageCode, editionId } = item;
      const edit = {
        ...(languageCode === undefined ? {} : { languageCode }),
        ...(editionId === undefined ? {} : { editionId }),
      };
      const assetUpdatedAt = editAsset(database, existingAssetId, edit, at);
      note('asset.metadata', existingAssetId);
      return { assetId: existingAssetId, assetUpdatedAt };
    }
  }
}
