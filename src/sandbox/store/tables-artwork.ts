/**
 * Accounts own Assets, Sets and groups (Boxsets and Loadouts). Times are ISO 8601 UTC with milliseconds, so
 * that text order is time order; `updated_at` is the revision.
 *
 * Publication lags by `public_from`: until that time only the owner sees a row. A replaced Asset stays public
 * until `replaced_from`, when its replacement becomes public, so that exactly one of them is public at any
 * time.
 */
export const artworkTables = `
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
);

CREATE TABLE editions (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- Group ids and Set ids are counted apart: a Boxset and a Movie Set may have the same number.
CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('boxset', 'loadout')),
  title TEXT NOT NULL,
  description TEXT,
  owner_id INTEGER REFERENCES accounts (id),
  language_code TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  public_from TEXT NOT NULL
);

-- target_* is NULL for a Brand Set, whose targets are its members.
CREATE TABLE sets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set',
    'talent_set', 'category_set')),
  target_kind TEXT,
  target_id INTEGER,
  title TEXT NOT NULL,
  description TEXT,
  owner_id INTEGER REFERENCES accounts (id),
  language_code TEXT,
  edition_id INTEGER REFERENCES editions (id),
  finalised INTEGER NOT NULL,
  group_id INTEGER REFERENCES groups (id),
  group_position INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  public_from TEXT NOT NULL,
  CHECK ((target_kind IS NULL) = (target_id IS NULL)),
  CHECK ((group_id IS NULL) = (group_position IS NULL))
);
CREATE INDEX sets_of_target ON sets (target_kind, target_id, id);
CREATE INDEX sets_of_group ON sets (group_id, group_position);
CREATE INDEX sets_of_owner ON sets (owner_id, id);

CREATE TABLE brand_set_members (
  set_id INTEGER NOT NULL REFERENCES sets (id),
  position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('network', 'company')),
  id INTEGER NOT NULL,
  PRIMARY KEY (set_id, position)
) WITHOUT ROWID;

-- An Asset belongs to one Set or, with set_id NULL, stands alone. uploaded_file names the bytes among the
-- kept pictures; NULL means that the picture is drawn when it is first asked for.
CREATE TABLE assets (
  id TEXT PRIMARY KEY,
  slot TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id INTEGER NOT NULL,
  set_id INTEGER REFERENCES sets (id),
  owner_id INTEGER REFERENCES accounts (id),
  language_code TEXT,
  edition_id INTEGER REFERENCES editions (id),
  format TEXT NOT NULL CHECK (format IN ('png', 'jpeg', 'webp', 'gif')),
  uploaded_file TEXT,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  replaces TEXT REFERENCES assets (id),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  public_from TEXT NOT NULL,
  replaced_from TEXT
);
`;

/** Made once the first Assets are there: that takes half as long as to keep them right with each. */
export const assetIndexes = `
CREATE INDEX assets_of_target ON assets (target_kind, target_id, slot);
CREATE INDEX assets_of_set ON assets (set_id);
CREATE INDEX assets_of_owner ON assets (owner_id, id);
`;

/**
 * What changed in public, one row per change, in the order in which the changes were stored (`sequence`).
 * Rows are never changed or deleted: a snapshot is the highest sequence and the time at its creation, which
 * select the same rows for ever. `changed_at` is when public reads show the change, which may be in the
 * future. An Asset change holds its replacement chain of that time, a JSON array.
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
