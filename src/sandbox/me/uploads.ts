import type { z } from 'zod';
import { addAsset, editGroup, editSet } from '../artwork.ts';
import { later } from '../context.ts';
import { type Answer, protectedError, Refusal } from '../http.ts';
import type { Target } from '../model.ts';
import type { Row } from '../store.ts';
import type { Call } from './authorize.ts';
import { inspect, type KeptFile, keepFile, readFileHeaders, receive, requireDeclarable } from './file.ts';
import { answerBefore, applyOnce, type Change, recordEffect } from './mutation.ts';
import { requireFree, requireInSet, requireSlot, requireThere } from './places.ts';
import { type Acting, current, owned, publishedAt } from './records.ts';
import { invalid, missing, refusalOf } from './refusals.ts';
import { checkQuery, uploadQuery } from './requests.ts';

/** Where a single upload goes. */
export type Destination =
  | { readonly kind: 'alone' }
  | { readonly kind: 'set' | 'group'; readonly id: number };

type Asked = z.infer<typeof uploadQuery>;

/**
 * Receives one file and saves it as an Asset (interface document, Single-Asset upload). A place that is wrong is
 * refused before the body is read. A file that is refused has failed for good: the status tells it.
 */
export async function upload(call: Call, to: Destination): Promise<Answer> {
  const { request, query, context } = call;
  const asked = checkQuery(uploadQuery, query);
  if ((asked.operation === 'replace') !== (asked.previousAssetId !== undefined)) {
    throw invalid(['previousAssetId'], 'This belongs to the operation replace, and to that alone.');
  }
  const headers = readFileHeaders(request);
  if (headers.sha256 === null) throw invalid(['X-Upload-SHA256'], 'Send the SHA-256 of the file.');
  const { clientMutationId } = asked;
  const operation = `asset.${asked.operation}`;
  const wish = { operation, clientMutationId, asked: { to, asked, headers } };
  const before = answerBefore(call, wish);
  if (before === null) {
    requireDeclarable(headers);
    findPlace(call, to, asked);
  }
  const { bytes } = await receive(request, headers);
  // Only now: the same file has to arrive again before its receipt is given.
  if (before !== null) return before;

  const picture = await inspect(bytes, headers.contentType, asked.slot).catch(refusalOf);
  const processing = context.processingOf(request);
  const processedAt = later(context.now(), processing?.milliseconds ?? 0);
  return applyOnce(call, wish, (change) => {
    if (picture instanceof Refusal) {
      const body = protectedError(picture);
      return { status: picture.status, body, ending: { assetId: null, processedAt, error: picture } };
    }
    const place = findPlace(change, to, asked);
    const error = processing?.failure ?? null;
    const kept = error === null ? keepFile(context.dataDir, bytes, picture) : null;
    if (kept !== null) {
      saveAsset(change, kept, place, null);
      touchHolder(change, place, change.publicFrom);
    }
    const assetId = kept?.assetId ?? null;
    const data = {
      ...{ operation, clientMutationId, assetId },
      processingStatus: processing === null ? 'succeeded' : 'processing',
      publicationStatus: kept === null ? 'pending' : publishedAt(change.publicFrom, context),
      updatedAt: kept === null ? null : change.at,
    };
    return { status: kept === null ? 202 : 201, body: { data }, ending: { assetId, processedAt, error } };
  });
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
  const target = targetOf(to, holder, asked);
  const setId = to.kind === 'set' ? to.id : (previous?.integerOrNull('set_id') ?? null);
  requireSlot(store, target, slot);
  if (to.kind === 'set' && holder !== null) requireInSet(store, holder, target);
  if (previous !== null) requireThere(previous, { target, slot, setId }, ['previousAssetId']);
  else if (to.kind !== 'alone') requireFree(store, { target, slot, setId });
  const like = previous ?? (to.kind === 'set' ? holder : null);
  return {
    ...{ target, slot, setId, replaces: previousAssetId },
    languageCode: asked.languageCode ?? previous?.textOrNull('language_code') ?? null,
    editionId: like?.integerOrNull('edition_id') ?? null,
  };
}

/** A group's poster is for the group; what an upload to a Set does not name is the Set's. */
function targetOf(to: Destination, holder: Row | null, { targetKind, targetId }: Asked): Target {
  if (to.kind === 'group' && holder !== null) return { kind: holder.text('kind'), id: to.id };
  const kind = targetKind ?? holder?.textOrNull('target_kind');
  const id = targetId ?? holder?.integerOrNull('target_id');
  if (typeof kind === 'string' && typeof id === 'number') return { kind, id };
  throw invalid(['targetKind'], 'Name the target by targetKind and targetId.');
}

/** Makes a received file an Asset. */
export function saveAsset(change: Change, kept: KeptFile, place: Place, selectedFrame: number | null): void {
  const { assetId: id, ...picture } = kept;
  const { target, replaces, ...placed } = place;
  const asset = {
    ...{ id, ...picture, ...placed, selectedFrame },
    targetKind: target.kind,
    targetId: target.id,
    ownerId: change.caller.accountId,
    createdAt: change.at,
    publicFrom: change.publicFrom,
  };
  addAsset(change.store, asset, replaces);
  recordEffect(change, 'asset', id, replaces === null ? 'asset.add' : 'asset.replace');
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
  const row = store.first(
    `SELECT m.asset_id, m.processed_at, m.error, a.public_from
     FROM mutations m LEFT JOIN assets a ON a.id = m.asset_id
     WHERE m.account_id = ? AND m.client_mutation_id = ? AND m.processed_at IS NOT NULL`,
    caller.accountId,
    clientMutationId,
  );
  if (row === undefined) throw missing(`An upload under ${clientMutationId}`);
  const known = { clientMutationId, assetId: row.textOrNull('asset_id'), retryable: false };
  if (row.text('processed_at') > context.now()) {
    return { ...known, processingStatus: 'processing', publicationStatus: 'pending' };
  }
  if (row.textOrNull('error') !== null) {
    const error = row.json('error');
    return { ...known, processingStatus: 'failed', publicationStatus: 'not_required', error };
  }
  const publicationStatus = publishedAt(row.text('public_from'), context);
  return { ...known, processingStatus: 'succeeded', publicationStatus };
}
