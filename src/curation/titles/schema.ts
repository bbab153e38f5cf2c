/** Part of the file's name: another shape of it is another file, and two installed versions don't meet. */
export const schemaVersion = 1;

/** "artT" as SQLite's application_id. */
export const applicationId = 0x61727454;

/** Words are tokenized before they come here: this only tells them apart at spaces, marks of Indic scripts included. */
const words = `content = '', contentless_delete = 1, detail = 'none',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* Co'"`;

/**
 * `title` has a row for each thing. Its words stand in one of two indexes, so that the many episodes and Sets don't
 * hide the few works: `work_words`, or `part_words`, where each also has words for what it belongs to. `name_key`
 * holds whole names and initials without spaces. `word` counts words, and `spelling` holds what each may be misspelt as.
 */
export const schema = `
  CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE held (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE title (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    ref ANY NOT NULL,
    name TEXT,
    year INTEGER,
    date TEXT,
    show INTEGER,
    season INTEGER,
    episode INTEGER,
    creator TEXT,
    slot TEXT,
    language TEXT,
    updated TEXT,
    owner TEXT,
    public INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    read INTEGER,
    UNIQUE (kind, ref)
  ) STRICT;
  CREATE INDEX title_part ON title (show, season, episode) WHERE show IS NOT NULL;
  CREATE INDEX title_creator ON title (creator) WHERE creator IS NOT NULL;
  CREATE INDEX title_read ON title (kind, read, ref);
  CREATE INDEX title_unnamed ON title (kind, read, ref) WHERE name IS NULL;
  CREATE TABLE target (
    kind INTEGER NOT NULL,
    ref ANY NOT NULL,
    title INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (kind, ref, title)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX target_title ON target (title, place);
  CREATE TABLE tally (kind INTEGER PRIMARY KEY, named INTEGER NOT NULL, latest INTEGER NOT NULL) STRICT;
  CREATE TABLE name_key (key TEXT NOT NULL, title INTEGER NOT NULL, PRIMARY KEY (key, title)) STRICT, WITHOUT ROWID;
  CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, uses INTEGER NOT NULL) STRICT;
  CREATE TABLE spelling (key TEXT NOT NULL, word INTEGER NOT NULL, PRIMARY KEY (key, word)) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE work_words USING fts5(words, ${words});
  CREATE VIRTUAL TABLE part_words USING fts5(words, ${words});
  INSERT INTO work_words (work_words, rank) VALUES ('usermerge', 2);
  INSERT INTO part_words (part_words, rank) VALUES ('usermerge', 2);
`;
