import { randomUUID } from 'node:crypto';
import { notFound, PublicError } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import type { Row } from '../store/database.ts';

/** `/feeds/assets` and `/feeds/sets`: the first page of a new snapshot. */
export function readFirstFeedPage(context: ServerContext, feed: Feed) {
  return readFeedPage(context, takeSnapshot(context, feed), 1);
}

/** @throws PublicError 410 when the snapshot has expired, 404 for a page beyond the last. */
export function readLaterFeedPage(context: ServerContext, feed: Feed, snapshotId: string, page: number) {
  return readFeedPage(context, findSnapshot(context, feed, snapshotId), page);
}

/** `nextPage` is relative to `{base_url}`, as in the interface document's examples. */
function readFeedPage(context: ServerContext, snapshot: Snapshot, page: number) {
  const { feed, id, total } = snapshot;
  const totalPages = Math.max(1, Math.ceil(total / feedPageSize));
  if (page < 1 || page > totalPages) throw notFound(`Page ${page}`);
  return {
    data: changesOfPage(context, snapshot, page).map((change) =>
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
    ...change.members('changeType', 'changedAt', 'previousAssetId'),
    replacements,
  };
}

function setItem(change: Row) {
  return change.members('setId', 'kind', 'changeType', 'changedAt');
}

type Feed = 'assets' | 'sets';

const changeTables = { assets: 'asset_changes', sets: 'set_changes' } as const satisfies Record<Feed, string>;

const feedPageSize = 100;

/**
 * The changes that were stored and public at the time of the snapshot. Changes are never rewritten, so these
 * numbers fix all its pages.
 */
interface Snapshot {
  readonly id: string;
  readonly feed: Feed;
  readonly lastSequence: number;
  readonly takenAt: string;
  readonly total: number;
}

function takeSnapshot({ database, now, snapshotLifetimeMs }: ServerContext, feed: Feed): Snapshot {
  const at = now();
  const takenAt = at.toISOString();
  return database.transaction(() => {
    const { [feed]: changes } = changeTables;
    const lastSequence = database
      .only(`SELECT ifnull(max(sequence), 0) AS last FROM ${changes}`)
      .integer('last');
    const total = database
      .only(
        `SELECT count(*) AS total FROM ${changes} WHERE changed_at <= ? AND sequence <= ?`,
        takenAt,
        lastSequence,
      )
      .integer('total');
    const id = randomUUID();
    database.run('DELETE FROM feed_snapshots WHERE expires_at <= ?', takenAt);
    database.run(
      `INSERT INTO feed_snapshots (id, feed, last_sequence, taken_at, expires_at, total)
       VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      feed,
      lastSequence,
      takenAt,
      new Date(at.getTime() + snapshotLifetimeMs).toISOString(),
      total,
    );
    return { id, feed, lastSequence, takenAt, total };
  });
}

/**
 * @throws PublicError 410 for an expired snapshot, and for an unknown id, since expired ones are deleted; 404
 *   for an id that is no UUID.
 */
function findSnapshot({ database, now }: ServerContext, feed: Feed, id: string): Snapshot {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw notFound('This snapshot');
  const row = database.first(
    'SELECT * FROM feed_snapshots WHERE id = ? AND feed = ? AND expires_at > ?',
    id.toLowerCase(),
    feed,
    now().toISOString(),
  );
  if (!row) {
    throw new PublicError(
      410,
      'snapshot_expired',
      `The snapshot has expired: start again at /feeds/${feed}.`,
    );
  }
  return {
    id: row.text('id'),
    feed,
    lastSequence: row.integer('last_sequence'),
    takenAt: row.text('taken_at'),
    total: row.integer('total'),
  };
}

/** The changes on one page, newest first. */
function changesOfPage({ database }: ServerContext, snapshot: Snapshot, page: number): readonly Row[] {
  return database.all(
    `SELECT * FROM ${changeTables[snapshot.feed]} WHERE changed_at <= ? AND sequence <= ?
     ORDER BY changed_at DESC, sequence DESC LIMIT ? OFFSET ?`,
    snapshot.takenAt,
    snapshot.lastSequence,
    feedPageSize,
    (page - 1) * feedPageSize,
  );
}
