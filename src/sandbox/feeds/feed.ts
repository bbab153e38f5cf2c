import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import type { Row } from '../store/row.ts';
import {
  changesOn,
  type Feed,
  feedPageSize,
  findSnapshot,
  type Snapshot,
  takeSnapshot,
} from './snapshots.ts';

/** `/feeds/assets` and `/feeds/sets`: the first page of a snapshot of their own. */
export function readFirstPage(premises: Premises, feed: Feed) {
  return readPage(premises, takeSnapshot(premises, feed), 1);
}

/**
 * @throws PublicError 410 when the snapshot has expired, 404 for a page beyond the last.
 */
export function readLaterPage(premises: Premises, feed: Feed, snapshotId: string, page: number) {
  return readPage(premises, findSnapshot(premises, feed, snapshotId), page);
}

/** `nextPage` is relative to `{base_url}`, as in the interface document's examples. */
function readPage(premises: Premises, snapshot: Snapshot, page: number) {
  const { feed, id, total } = snapshot;
  const totalPages = Math.max(1, Math.ceil(total / feedPageSize));
  if (page < 1 || page > totalPages) throw notFound(`Page ${page}`);
  return {
    data: changesOn(premises, snapshot, page).map((change) =>
      feed === 'assets' ? assetItem(change) : setItem(change),
    ),
    meta: {
      snapshot: id,
      page,
      totalPages,
      nextPage: page < totalPages ? `/feeds/${feed}/pages/${id}/${page + 1}` : null,
    },
  };
}

function assetItem(change: Row) {
  const replacements: unknown = JSON.parse(change.text('replacements'));
  return {
    assetId: change.text('asset_id'),
    kind: 'asset',
    slot: change.text('slot'),
    target: { id: change.integer('target_id'), kind: change.text('target_kind') },
    changeType: change.text('change_type'),
    changedAt: change.text('changed_at'),
    previousAssetId: change.textOrNull('previous_asset_id'),
    replacements,
  };
}

function setItem(change: Row) {
  return {
    setId: change.integer('set_id'),
    kind: change.text('kind'),
    changeType: change.text('change_type'),
    changedAt: change.text('changed_at'),
  };
}
