import { randomUUID } from 'node:crypto';
import { type Context, later } from '../context.ts';
import { notFound, Refusal } from '../http.ts';
import { yearOf } from '../model.ts';

// What is read by pages: the two feeds, and the index of all episodes.

export type Feed = 'assets' | 'sets';

const pageSize = 100;

/**
 * `nextPage` is relative to `{base_url}`, as in the interface document's examples.
 * @throws Refusal 404 for a page beyond the last
 */
function metaOf(pages: string, page: number, total: number) {
  const totalPages = Math.max(1, Math.ceil(total / pageSize));
  if (page < 1 || page > totalPages) throw notFound(`Page ${page}`);
  return { page, totalPages, nextPage: page < totalPages ? `${pages}/${page + 1}` : null };
}

/** The first page of a new snapshot: what is stored and public now. Changes are never rewritten. */
export function readFeed(context: Context, feed: Feed): object {
  const { store, now, snapshotLifetimeMs } = context;
  const takenAt = now();
  const id = randomUUID();
  store.transaction(() => {
    const seen = store.only(
      'SELECT ifnull(max(sequence), 0) AS last, count(*) AS total FROM changes WHERE feed = ? AND changed_at <= ?',
      ...[feed, takenAt],
    );
    store.run('DELETE FROM snapshots WHERE expires_at <= ?', takenAt);
    const [lastSequence, total] = [seen.integer('last'), seen.integer('total')];
    const expiresAt = later(takenAt, snapshotLifetimeMs);
    store.insert('snapshots', { id, feed, total, lastSequence, takenAt, expiresAt });
  });
  return readFeedPage(context, feed, id, 1);
}

/** The newest change first. @throws Refusal 410 for a snapshot that is gone */
export function readFeedPage({ store, now }: Context, feed: Feed, id: string, page: number): object {
  const known = 'SELECT * FROM snapshots WHERE id = ? AND feed = ? AND expires_at > ?';
  const snapshot = store.first(known, id, feed, now());
  if (!snapshot) {
    throw new Refusal(410, 'snapshot_expired', `The snapshot has expired: start again at /feeds/${feed}.`);
  }
  const meta = metaOf(`/feeds/${feed}/pages/${id}`, page, snapshot.integer('total'));
  const rows = store.all(
    `SELECT item FROM changes WHERE feed = ? AND changed_at <= ? AND sequence <= ?
     ORDER BY changed_at DESC, sequence DESC LIMIT ? OFFSET ?`,
    feed,
    snapshot.text('taken_at'),
    snapshot.integer('last_sequence'),
    pageSize,
    (page - 1) * pageSize,
  );
  return { data: rows.map((row) => row.json('item')), meta: { snapshot: id, ...meta } };
}

/** All episodes, season by season. There is no snapshot: a new episode moves the later ones. */
export function readIndex({ store }: Context, page: number): object {
  const total = store.only("SELECT count(*) AS n FROM entities WHERE kind = 'episode'").integer('n');
  const meta = metaOf('/episodes/pages', page, total);
  const rows = store.all(
    `SELECT e.*, s.title AS season_title, s.number AS season_number, w.id AS show_id, w.title AS show_title
     FROM entities e
       JOIN entities s ON s.kind = 'season' AND s.id = e.parent_id
       JOIN entities w ON w.kind = 'show' AND w.id = s.parent_id
     WHERE e.kind = 'episode' ORDER BY e.parent_id, e.number, e.id LIMIT ? OFFSET ?`,
    ...[pageSize, (page - 1) * pageSize],
  );
  const data = rows.map((row) => {
    const seasonNumber = row.integer('season_number');
    const [seasonId, title] = [row.integer('parent_id'), row.text('season_title')];
    return {
      ...row.members('id', 'title'),
      year: yearOf(row.textOrNull('date')),
      seasonNumber,
      episodeNumber: row.integer('number'),
      show: { id: row.integer('show_id'), kind: 'show', title: row.text('show_title') },
      season: { id: seasonId, kind: 'season', title, seasonNumber },
    };
  });
  return { data, meta };
}
