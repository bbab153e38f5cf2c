import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound, Refusal } from '../http.ts';

export type Feed = 'assets' | 'sets';

const pageSize = 100;

/** What was stored and public when it was taken. Changes are never rewritten, so that this fixes all its pages. */
interface Snapshot {
  readonly id: string;
  readonly lastSequence: number;
  readonly takenAt: string;
  readonly total: number;
}

/** The first page of a new snapshot. */
export function readFeed(context: Context, feed: Feed): object {
  const { store, now, snapshotLifetimeMs } = context;
  const at = now();
  const takenAt = at.toISOString();
  const snapshot = store.transaction((): Snapshot => {
    const last = 'SELECT ifnull(max(sequence), 0) AS last FROM changes';
    const lastSequence = store.only(last).integer('last');
    const counted = `SELECT count(*) AS n FROM changes WHERE ${inSnapshot}`;
    const total = store.only(counted, feed, takenAt, lastSequence).integer('n');
    const id = randomUUID();
    store.run('DELETE FROM snapshots WHERE expires_at <= ?', takenAt);
    store.insert('snapshots', {
      ...{ id, feed, total },
      last_sequence: lastSequence,
      taken_at: takenAt,
      expires_at: new Date(at.getTime() + snapshotLifetimeMs).toISOString(),
    });
    return { id, lastSequence, takenAt, total };
  });
  return pageOf(context, feed, snapshot, 1);
}

/** @throws Refusal 410 for a snapshot that is gone, 404 for a page beyond the last */
export function readFeedPage(context: Context, feed: Feed, snapshotId: string, page: number): object {
  if (!z.uuid().safeParse(snapshotId).success) throw notFound('This snapshot');
  const row = context.store.first(
    'SELECT * FROM snapshots WHERE id = ? AND feed = ? AND expires_at > ?',
    snapshotId.toLowerCase(),
    feed,
    context.now().toISOString(),
  );
  if (!row) {
    throw new Refusal(410, 'snapshot_expired', `The snapshot has expired: start again at /feeds/${feed}.`);
  }
  const snapshot = {
    id: row.text('id'),
    lastSequence: row.integer('last_sequence'),
    takenAt: row.text('taken_at'),
    total: row.integer('total'),
  };
  return pageOf(context, feed, snapshot, page);
}

const inSnapshot = 'feed = ? AND changed_at <= ? AND sequence <= ?';

/** The newest change first. `nextPage` is relative to `{base_url}`, as in the interface document's examples. */
function pageOf({ store }: Context, feed: Feed, snapshot: Snapshot, page: number): object {
  const totalPages = Math.max(1, Math.ceil(snapshot.total / pageSize));
  if (page < 1 || page > totalPages) throw notFound(`Page ${page}`);
  const rows = store.all(
    `SELECT item FROM changes WHERE ${inSnapshot} ORDER BY changed_at DESC, sequence DESC LIMIT ? OFFSET ?`,
    feed,
    snapshot.takenAt,
    snapshot.lastSequence,
    pageSize,
    (page - 1) * pageSize,
  );
  const nextPage = page < totalPages ? `/feeds/${feed}/pages/${snapshot.id}/${page + 1}` : null;
  return {
    data: rows.map((row) => row.json('item')),
    meta: { snapshot: snapshot.id, page, totalPages, nextPage },
  };
}
