import { editAsset } from '../artwork/assets.ts';
import { editGroup } from '../artwork/groups.ts';
import { createSet, editSet, type SetEdit } from '../artwork/sets.ts';
import type { Caller } from '../me/authorize.ts';
import { type ProtectedContext, publicFrom } from '../me/context.ts';
import { recordEffect } from '../me/mutation.ts';
import { ownedRow } from '../me/owned.ts';
import { ProtectedError, staleRevision } from '../me/protected-error.ts';
import { assignToSet } from '../me/slots.ts';
import type { Row } from '../store/database.ts';
import { requireType } from '../uploads/file-headers.ts';
import type { Placement } from '../uploads/placement.ts';
import { saveAsset } from '../uploads/save.ts';
import { mediaSetKind } from './admit-creation.ts';
import type { CreationAdmission, EditAdmission, SetMetadata } from './bodies.ts';
import { checkItem } from './checks.ts';
import type { Outcome, StoredItem, Submission } from './store.ts';

/** What a completion has changed. */
export interface AppliedSubmission {
  readonly items: readonly StoredItem[];
  readonly outcome: Outcome;
  readonly setId: number | null;
  readonly setUpdatedAt: string | null;
  /** null where nothing shows in public. */
  readonly publicFrom: string | null;
  readonly metadata: Submission['metadata'];
}

/** One completion of a submission: who asked for it, and when. */
export interface CompletionRequest {
  readonly context: ProtectedContext;
  readonly caller: Caller;
  readonly clientMutationId: string;
  readonly now: Date;
}

const noMetadata = { status: 'not_required', error: null } as const;

/** Creates the Set with every file that was received. Without any, no Set is created. */
export function applyCreation(
  request: CompletionRequest,
  admission: CreationAdmission,
  items: readonly StoredItem[],
): AppliedSubmission {
  if (!items.some(({ status }) => status === 'received')) {
    const nothing = { setId: null, setUpdatedAt: null, publicFrom: null };
    return { items, outcome: 'failed', ...nothing, metadata: noMetadata };
  }
  const { context, caller, now } = request;
  const { languageCode, editionId, destination } = admission;
  const at = now.toISOString();
  const showsFrom = publicFrom(context, now);
  const setId = createSet(context.database, {
    kind: mediaSetKind(admission),
    target: { kind: admission.entryTargetKind, id: admission.entryTargetId },
    members: [],
    title: admission.titleBase,
    description: admission.description,
    ownerId: caller.accountId,
    languageCode,
    editionId,
    finalised: admission.finalised,
    createdAt: at,
    publicFrom: showsFrom,
  });
  record(request, 'set.create', 'set', setId);
  const placed = items.map((stored): StoredItem => {
    if (stored.status !== 'received') return stored;
    const place = { setId, languageCode, editionId, previousAssetId: null };
    return { ...stored, status: 'succeeded', ...saveItemAsset(request, stored, place) };
  });
  if (destination !== null) addToGroup(context, destination.id, setId, at);
  const outcome = placed.every(({ status }) => status === 'succeeded') ? 'succeeded' : 'partial';
  return { items: placed, outcome, setId, setUpdatedAt: at, publicFrom: showsFrom, metadata: noMetadata };
}

/** Adds the new Set to the group as its last member. */
function addToGroup({ database }: ProtectedContext, groupId: number, setId: number, at: string): void {
  const members = database
    .all('SELECT id FROM sets WHERE group_id = ? ORDER BY group_position', groupId)
    .map((row) => row.integer('id'));
  editGroup(database, groupId, { setIds: [...members, setId] }, at);
}

/**
 * Applies what can still be applied: each item is checked again, and the metadata against the admitted revision.
 * An item that fails stops neither the other items nor the metadata (the interface document, States, 4 and 5).
 */
export function applyEdit(
  request: CompletionRequest,
  admission: EditAdmission,
  items: readonly StoredItem[],
): AppliedSubmission {
  const { context, caller, now } = request;
  const { setId } = admission;
  const set = ownedRow(context.database, caller, 'set', setId);
  const metadata = metadataOutcome(set, admission);
  const placed = items.map((stored) =>
    stored.status === 'received' ? applyItem(request, set, stored) : stored,
  );
  const outcome = outcomeOf([...placed.map(({ status }) => status), metadata.status]);
  if (outcome === 'failed') {
    return { items: placed, outcome, setId, setUpdatedAt: null, publicFrom: null, metadata };
  }
  const showsFrom = publicFrom(context, now);
  const changes = metadata.status === 'succeeded' ? editOf(admission.metadata) : {};
  const setUpdatedAt = editSet(context.database, setId, changes, now.toISOString(), showsFrom);
  record(request, 'set.edit', 'set', setId);
  return { items: placed, outcome, setId, setUpdatedAt, publicFrom: showsFrom, metadata };
}

function metadataOutcome(
  set: Row,
  { metadata, expectedUpdatedAt, setId }: EditAdmission,
): Submission['metadata'] {
  if (Object.keys(metadata).length === 0) return noMetadata;
  const current = set.text('updated_at');
  if (current === expectedUpdatedAt) return { status: 'succeeded', error: null };
  const { code, message } = staleRevision(`Set ${setId}`, expectedUpdatedAt, current);
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

function applyItem(request: CompletionRequest, set: Row, stored: StoredItem): StoredItem {
  const { context, caller } = request;
  try {
    checkItem(context.database, caller, set, stored.item, ['items', stored.item.itemId]);
  } catch (error) {
    if (!(error instanceof ProtectedError)) throw error;
    return { ...stored, status: 'failed', error: { code: error.code, message: error.message } };
  }
  return { ...stored, status: 'succeeded', ...applyChange(request, set, stored) };
}

type ItemAsset = Pick<StoredItem, 'assetId' | 'assetUpdatedAt'>;

/** Only for an item that was just checked: once something has been written, nothing may be refused. */
function applyChange(request: CompletionRequest, set: Row, stored: StoredItem): ItemAsset {
  const { context, caller, now } = request;
  const { item } = stored;
  switch (item.operation) {
    case 'add':
      return saveItemAsset(request, stored, placeLike(set, set, null));
    case 'replace': {
      const previousAssetId = item.expectedPreviousAssetId;
      const previous = ownedRow(context.database, caller, 'asset', previousAssetId);
      return saveItemAsset(request, stored, placeLike(set, previous, previousAssetId));
    }
    case 'assign': {
      const assetUpdatedAt = assignToSet(context.database, caller, set, item, now.toISOString(), []);
      record(request, 'asset.assign', 'asset', item.existingAssetId);
      return { assetId: item.existingAssetId, assetUpdatedAt };
    }
    case 'asset_metadata': {
      const { existingAssetId, languageCode, editionId } = item;
      const edit = {
        ...(languageCode === undefined ? {} : { languageCode }),
        ...(editionId === undefined ? {} : { editionId }),
      };
      const assetUpdatedAt = editAsset(context.database, existingAssetId, edit, now.toISOString());
      record(request, 'asset.metadata', 'asset', existingAssetId);
      return { assetId: existingAssetId, assetUpdatedAt };
    }
  }
}

type ItemPlace = Omit<Placement, 'target' | 'slot'>;

/** A place in the Set, with the language and edition of another row. */
function placeLike(set: Row, like: Row, previousAssetId: string | null): ItemPlace {
  return {
    setId: set.integer('id'),
    languageCode: like.textOrNull('language_code'),
    editionId: like.integerOrNull('edition_id'),
    previousAssetId,
  };
}

/** Saves the file that was received for an item as an Asset. */
function saveItemAsset(
  { context, caller, clientMutationId, now }: CompletionRequest,
  { item, file }: StoredItem,
  place: ItemPlace,
): ItemAsset {
  const { declaredFile } = item;
  if (declaredFile === null || file === null || file.key === null || file.inspected === null) {
    throw new TypeError(`Item ${item.itemId} has no picture to save.`);
  }
  const { contentType, contentLength, filename, selectedSourceFrame } = declaredFile;
  const assetId = assetIdOf(file.key);
  const picture = {
    assetId,
    key: file.key,
    declared: { contentType: requireType(contentType), contentLength, filename },
    sha256: file.sha256,
    inspected: file.inspected,
    selectedFrame: selectedSourceFrame,
  };
  const placement = { ...place, target: { kind: item.targetKind, id: item.targetId }, slot: item.slot };
  saveAsset(context, caller, picture, placement, now, clientMutationId);
  return { assetId, assetUpdatedAt: now.toISOString() };
}

/** A received file is stored under the id that its Asset gets. */
function assetIdOf(key: string): string {
  const id = /^upload-([0-9a-f-]{36})\./.exec(key)?.[1];
  if (id === undefined) throw new TypeError(`${key} is no stored upload.`);
  return id;
}

function record(
  { context, caller, clientMutationId, now }: CompletionRequest,
  operation: string,
  kind: 'set' | 'asset',
  id: string | number,
): void {
  const effect = { operation, clientMutationId, resource: { kind, id } };
  recordEffect(context.database, caller, effect, now.toISOString());
}
