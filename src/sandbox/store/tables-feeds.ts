/**
 * What changed in public, one row per change, in the order in which the changes were written (`sequence`).
 * Rows are never changed or deleted: a snapshot is the highest sequence and the time at its creation, and
 * both together name the same rows for ever. `changed_at` is when the change shows in public, which may lie
 * ahead. An Asset change carries its replacement chain as it was then, a JSON array.
 */
export const feedTables = `
CREATE TABLE asset_changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  asset_id TEXT NOT NULL,
  slot TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  change_type TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  previous_asset_id TEXT,
  replacements TEXT NOT NULL
);
CREATE INDEX asset_changes_newest_first ON asset_changes (changed_at DESC, sequence DESC);
CREATE INDEX asset_changes_of_asset ON asset_changes (asset_id, sequence);

CREATE TABLE set_changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  set_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  change_type TEXT NOT NULL,
  changed_at TEXT NOT NULL
);
CREATE INDEX set_changes_newest_first ON set_changes (changed_at DESC, sequence DESC);

CREATE TABLE feed_snapshots (
  id TEXT PRIMARY KEY,
  feed TEXT NOT NULL CHECK (feed IN ('assets', 'sets')),
  last_sequence INTEGER NOT NULL,
  taken_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  total INTEGER NOT NULL
);
CREATE INDEX feed_snapshots_by_end ON feed_snapshots (expires_at);
`;
