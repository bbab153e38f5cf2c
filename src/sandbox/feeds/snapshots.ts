import { randomUUID } from 'node:crypto';
import { notFound, PublicError } from '../http.ts';
import type { Premises } from '../premises.ts';
import type { Row } from '../store/row.ts';

export type Feed = 'assets' | 'sets';

const changesOf = { assets: 'asset_changes', sets: 'set_changes' } as const satisfies Record<Feed, string>;

export const feedPageSize = 100;

/**
 * The changes that had been written, and shown in public, when it was taken. Changes are never rewritten,
 * so these few numbers freeze all its pages, whoever writes meanwhile.
 */
export interface Snapshot {
  readonly id: string;
  readonly feed: Feed;
  readonly lastSequence: number;
  readonly takenAt: string;
  readonly total: number;
}

export function takeSnapshot({ database, now, snapshotLifetimeMs }: Premises, feed: Feed): Snapshot {
  const at = now();
  const takenAt = at.toISOString();
  return database.transaction(() => {
    const { [feed]: changes } = changesOf;
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
 * @throws PublicError 410 for a snapshot that is gone. One that never was can't be told from one that was
 *   swept, and is answered the same; what is no UUID is 404.
 */
export function findSnapshot({ database, now }: Premises, feed: Feed, id: string): Snapshot {
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
export function changesOn({ database }: Premises, snapshot: Snapshot, page: number): readonly Row[] {
  return database.all(
    `SELECT * FROM ${changesOf[snapshot.feed]} WHERE changed_at <= ? AND sequence <= ?
     ORDER BY changed_at DESC, sequence DESC LIMIT ? OFFSET ?`,
    snapshot.takenAt,
    snapshot.lastSequence,
    feedPageSize,
    (page - 1) * feedPageSize,
  );
}
