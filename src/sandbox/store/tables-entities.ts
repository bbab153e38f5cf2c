/**
 * The ten kinds of metadata entities. Unknown facts are NULL, even where the interface document shows a
 * value. Dates are `YYYY-MM-DD`.
 */
export const entityTables = `
CREATE TABLE shows (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  overview TEXT NOT NULL,
  tagline TEXT,
  status TEXT NOT NULL,
  first_air_date TEXT,
  last_air_date TEXT
);

CREATE TABLE seasons (
  id INTEGER PRIMARY KEY,
  show_id INTEGER NOT NULL REFERENCES shows (id),
  title TEXT NOT NULL,
  season_number INTEGER NOT NULL,
  air_date TEXT,
  UNIQUE (show_id, season_number)
);

-- Two episodes of one season may bear the same number: nothing here is unique but the id.
CREATE TABLE episodes (
  id INTEGER PRIMARY KEY,
  show_id INTEGER NOT NULL REFERENCES shows (id),
  season_id INTEGER NOT NULL REFERENCES seasons (id),
  season_number INTEGER NOT NULL,
  episode_number INTEGER NOT NULL,
  title TEXT NOT NULL,
  air_date TEXT
);
CREATE INDEX episodes_in_order ON episodes (show_id, season_number, episode_number, id);
CREATE INDEX episodes_of_season ON episodes (season_id, episode_number, id);

CREATE TABLE collections (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  overview TEXT NOT NULL
);

CREATE TABLE movies (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  overview TEXT NOT NULL,
  tagline TEXT,
  status TEXT NOT NULL,
  release_date TEXT,
  runtime_minutes INTEGER,
  filmed_for_imax INTEGER NOT NULL,
  collection_id INTEGER REFERENCES collections (id)
);
CREATE INDEX movies_of_collection ON movies (collection_id, release_date, id);

-- developers, publishers, engines, genres, platforms: JSON arrays.
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  storyline TEXT,
  game_type TEXT NOT NULL,
  first_release_date TEXT,
  developers TEXT NOT NULL,
  publishers TEXT NOT NULL,
  engines TEXT NOT NULL,
  genres TEXT NOT NULL,
  platforms TEXT NOT NULL
);

CREATE TABLE related_games (
  game_id INTEGER NOT NULL REFERENCES games (id),
  position INTEGER NOT NULL,
  related_id INTEGER NOT NULL REFERENCES games (id),
  PRIMARY KEY (game_id, position)
) WITHOUT ROWID;

CREATE TABLE companies (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  homepage TEXT,
  headquarters_country TEXT,
  origin_country TEXT,
  parent_id INTEGER REFERENCES companies (id)
);

CREATE TABLE networks (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  homepage TEXT,
  origin_country TEXT
);

CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  biography TEXT NOT NULL,
  birthday TEXT,
  deathday TEXT,
  place_of_birth TEXT,
  known_for_department TEXT,
  homepage TEXT
);

CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  category_group TEXT NOT NULL
);

-- The pictures that come with an entity's metadata; a slot without a row is null on the wire.
CREATE TABLE metadata_images (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  slot TEXT NOT NULL,
  file_name TEXT NOT NULL,
  PRIMARY KEY (kind, id, slot)
) WITHOUT ROWID;

-- Everything that an Asset can be for, with the words that are drawn on its picture.
CREATE VIEW targets AS
  SELECT 'show' AS kind, id, title, NULL AS subtitle,
    CAST(substr(first_air_date, 1, 4) AS INTEGER) AS year FROM shows
  UNION ALL
  SELECT 'season', s.id, w.title, s.title, NULL FROM seasons s JOIN shows w ON w.id = s.show_id
  UNION ALL
  SELECT 'episode', e.id, e.title, printf('%s · S%02dE%02d', w.title, e.season_number, e.episode_number), NULL
    FROM episodes e JOIN shows w ON w.id = e.show_id
  UNION ALL
  SELECT 'movie', id, title, substr(release_date, 1, 4), CAST(substr(release_date, 1, 4) AS INTEGER) FROM movies
  UNION ALL
  SELECT 'game', id, title, NULL, CAST(substr(first_release_date, 1, 4) AS INTEGER) FROM games
  UNION ALL SELECT 'collection', id, title, NULL, NULL FROM collections
  UNION ALL SELECT 'company', id, name, NULL, NULL FROM companies
  UNION ALL SELECT 'network', id, name, NULL, NULL FROM networks
  UNION ALL SELECT 'person', id, name, NULL, NULL FROM people
  UNION ALL SELECT 'category', id, name, NULL, NULL FROM categories
  UNION ALL SELECT kind, id, title, NULL, NULL FROM groups;
`;
