import type { z } from 'zod';
import { addAsset, editGroup, editSet } from '../artwork.ts';
import { type Answer, Refusal } from '../http.ts';
import type { Target } from '../model.ts';
import type { Row } from '../store.ts';
import type { Call } from './authorize.ts';
import { fileName, inspect, keepFile, type KeptFile, readFileHeaders, receive } from './file.ts';
import { removeFiles, requireFilename, requireType } from './file.ts';
import { answerBefore, applyOnce, type Change, recordEffect, remember, type Wish } from './mutation.ts';
import { requireFree, requireInSet, requireSlot, requireThere } from './places.ts';
import { type Acting, current, owned, publishedAt } from './records.ts';
import { invalid, missing, refuse } from './refusals.ts';
import { checkQuery, uploadQuery } from './requests.ts';

/** Where a single upload goes. */
export type Destination =
  | { readonly kind: 'alone' }
  | { readonly kind: 'set' | 'group'; readonly id: number };

type Asked = z.infer<(typeof uploadQuery)[Destination['kind']]>;

/**
 * Receives one file and saves it as an Asset (interface document, Single-Asset upload). A place that is wrong is
 * refused before the body is read. The refusal of a request that is in order is final for its identity: the status
 * tells it, and the same request gets it again.
 */
export async function upload(call: Call, to: Destination): Promise<Answer> {
  const { request, query, context } = call;
  const { dataDir } = context;
  const asked = checkQuery<Asked>(uploadQuery[to.kind], query);
  if ((asked.operation === 'replace') !== (asked.previousAssetId !== undefined)) {
    throw invalid(['previousAssetId'], 'This belongs to the operation replace, and to that alone.');
  }
  if ((asked.targetKind === undefined) !== (asked.targetId === undefined)) {
    throw invalid(['targetId'], 'targetKind and targetId belong together.');
  }
  const headers = readFileHeaders(request);
  requireFilename(headers.filename, ['X-Upload-Filename']);
  if (headers.sha256 === null) throw invalid(['X-Upload-SHA256'], 'Send the SHA-256 of the file.');
  const { clientMutationId } = asked;
  const operation = `asset.${asked.operation}`;
  const wish: Wish = { operation, clientMutationId, asked: { to, asked, headers } };

  const receiveAndSave = async () => {
    const before = answerBefore(call, wish);
    if (before === null) {
      requireType(headers.contentType, ['Content-Type']);
      findPlace(call, to, asked);
    }
    const { bytes } = await receive(request, headers);
    // Only now: the same file has to arrive again before its receipt is given.
    if (before !== null) return before;
    const picture = await inspect(bytes, headers.contentType, asked.slot);
    const processing = context.processingOf(request);
    const error = processing?.failure ?? null;
    const kept = error === null ? await keepFile(dataDir, bytes, picture) : null;
    const processedAt = new Date(context.now().getTime() + (processing?.milliseconds ?? 0)).toISOString();
    const ending = { assetId: kept?.assetId ?? null, processedAt, error };
    let isSaved = false;
    const save = (change: Change) => {
      const place = findPlace(change, to, asked);
      if (kept !== null) {
        saveAsset(change, kept, place, null);
        touchHolder(change, place, change.publicFrom);
        isSaved = true;
      }
      return {
        data: {
          operation,
          clientMutationId,
          assetId: ending.assetId,
          processingStatus: processing === null ? 'succeeded' : 'processing',
          publicationStatus: kept === null ? 'pending' : publishedAt(change.publicFrom, context.now()),
          updatedAt: kept === null ? null : change.at,
        },
      };
    };
    try {
      return applyOnce(call, wish, kept === null ? 202 : 201, save, ending);
    } finally {
      // Refused in the end, or another request with this identity was faster.
      if (kept !== null && !isSaved) await removeFiles(dataDir, [fileName(kept)]);
    }
  };
  try {
    return await receiveAndSave();
  } catch (error) {
    // A refusal of the caller is not about the upload: with another connection, or later, it may be taken.
    if (error instanceof Refusal && ![401, 403, 429].includes(error.status)) {
      const { status, code, message, details, issues } = error;
      const ending = { assetId: null, processedAt: context.now().toISOString(), error: { code, message } };
      remember(call, wish, status, { error: { code, message, details, issues } }, ending);
    }
    throw error;
  }
}

/** Where an Asset is, or comes to be. */
export interface Place {
  readonly target: Target;
  readonly slot: string;
  readonly setId: number | null;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  /** The Asset that it replaces. */
  readonly replaces: string | null;
}

/** The place that an upload asks for, as things are now. @throws Refusal if it may not have it */
function findPlace(acting: Acting, to: Destination, asked: Asked): Place {
  const { store } = acting;
  const { slot, previousAssetId = null } = asked;
  const holder = to.kind === 'alone' ? null : owned(acting, to.kind, to.id);
  const previous =
    previousAssetId === null ? null : current(acting, previousAssetId, null, ['previousAssetId']);
  const target = targetOf(to, holder, previous, asked);
  const setId = to.kind === 'set' ? to.id : (previous?.integerOrNull('set_id') ?? null);
  if (to.kind !== 'group') requireSlot(store, target, slot);
  if (to.kind === 'set' && holder !== null) requireInSet(store, holder, target);
  if (previous !== null) requireThere(previous, { ...target, slot, setId }, ['previousAssetId']);
  else if (to.kind !== 'alone') requireFree(store, setId, target, slot);
  const like = previous ?? (to.kind === 'set' ? holder : null);
  return {
    target,
    slot,
    setId,
    languageCode: asked.languageCode ?? previous?.textOrNull('language_code') ?? null,
    editionId: like?.integerOrNull('edition_id') ?? null,
    replaces: previousAssetId,
  };
}

/** What is not named is that of the Set, the group or the Asset before. */
function targetOf(to: Destination, holder: Row | null, previous: Row | null, asked: Asked): Target {
  const { targetKind: kind, targetId: id } = asked;
  const named = kind === undefined || id === undefined ? null : { kind, id };
  if (to.kind === 'group' && holder !== null) {
    const group = { kind: holder.text('kind'), id: to.id };
    if (named === null || (named.kind === group.kind && named.id === group.id)) return group;
    throw refuse(422, 'target.outside_group', 'A poster of a group is for the group itself.', ['targetId']);
  }
  if (named !== null) return named;
  const like = previous ?? holder;
  const [ownKind, ownId] = [
    like?.textOrNull('target_kind') ?? null,
    like?.integerOrNull('target_id') ?? null,
  ];
  if (ownKind !== null && ownId !== null) return { kind: ownKind, id: ownId };
  throw invalid(['targetKind'], 'A Brand Set has several targets: name one.');
}

/** Makes a received file an Asset. */
export function saveAsset(change: Change, kept: KeptFile, place: Place, selectedFrame: number | null): void {
  const { format, width, height, frames } = kept.picture;
  const asset = {
    id: kept.assetId,
    slot: place.slot,
    targetKind: place.target.kind,
    targetId: place.target.id,
    setId: place.setId,
    ownerId: change.caller.accountId,
    languageCode: place.languageCode,
    editionId: place.editionId,
    format,
    width,
    height,
    frames,
    selectedFrame,
    file: fileName(kept),
    createdAt: change.at,
    publicFrom: change.publicFrom,
  };
  addAsset(change.store, asset, place.replaces);
  recordEffect(change, 'asset', kept.assetId, place.replaces === null ? 'asset.add' : 'asset.replace');
}

/** Gives the Set or the group of changed artwork a new revision. */
export function touchHolder(
  { store, at }: Change,
  { setId, target }: Pick<Place, 'setId' | 'target'>,
  showsFrom = at,
): void {
  if (setId !== null) editSet(store, setId, {}, at, showsFrom);
  else if (target.kind === 'boxset' || target.kind === 'loadout') editGroup(store, target.id, {}, at);
}

/** GET /me/asset-uploads/{clientMutationId}. @throws Refusal 404 */
export function uploadStatus({ store, caller, context, segment }: Call) {
  const clientMutationId = segment('clientMutationId').toLowerCase();
  const now = context.now();
  const row = store.first(
    `SELECT m.asset_id, m.processed_at, m.error, a.public_from
     FROM mutations m LEFT JOIN assets a ON a.id = m.asset_id
     WHERE m.account_id = ? AND m.client_mutation_id = ? AND m.processed_at IS NOT NULL`,
    caller.accountId,
    clientMutationId,
  );
  if (row === undefined) throw missing(`An upload under ${clientMutationId}`);
  const known = { clientMutationId, assetId: row.textOrNull('asset_id'), retryable: false };
  if (row.text('processed_at') > now.toISOString()) {
    return { ...known, processingStatus: 'processing', publicationStatus: 'pending' };
  }
  if (row.textOrNull('error') !== null) {
    const error = row.json('error');
    return { ...known, processingStatus: 'failed', publicationStatus: 'not_required', error };
  }
  const publicationStatus = publishedAt(row.text('public_from'), now);
  return { ...known, processingStatus: 'succeeded', publicationStatus };
}
