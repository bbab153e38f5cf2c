/** In every database file of ours, so that another program's is never written to ("Artw"). */
export const applicationId = 0x41727477;

/**
 * Step i brings a database from version i to i + 1; the version is kept as `user_version`. A step that
 * changes what a table means gives the table a new name, so that an older program that still runs fails
 * instead of writing nonsense. Every text is a BLOB of UTF-8: on a damaged TEXT libsql ends the process.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE meta (
     name BLOB PRIMARY KEY NOT NULL,
     value BLOB NOT NULL
   ) STRICT;
   CREATE TABLE atomic (
     key BLOB PRIMARY KEY NOT NULL,
     value BLOB NOT NULL,
     version INTEGER NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE records (
     namespace BLOB NOT NULL,
     key BLOB NOT NULL,
     value BLOB NOT NULL,
     expires INTEGER,
     checksum INTEGER NOT NULL,
     PRIMARY KEY (namespace, key)
   ) STRICT;
   CREATE INDEX records_expires ON records (expires) WHERE expires IS NOT NULL;`,
  // `atomic` keeps its name and its columns: a program of version 1 that still runs goes on with it. The triggers note
  // what any program writes, so that a program that knows the index brings it up to date before it is asked; for a start,
  // that is everything.
  `CREATE TABLE atomic_next (
     id INTEGER PRIMARY KEY,
     key BLOB NOT NULL UNIQUE,
     value BLOB NOT NULL,
     version INTEGER NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   INSERT INTO atomic_next (key, value, version, checksum)
     SELECT key, value, version, checksum FROM atomic ORDER BY key;
   DROP TABLE atomic;
   ALTER TABLE atomic_next RENAME TO atomic;
   CREATE TABLE atomic_listed (
     list BLOB NOT NULL,
     place BLOB NOT NULL,
     entry INTEGER NOT NULL,
     mark BLOB NOT NULL,
     PRIMARY KEY (list, place, entry)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX atomic_listed_entry ON atomic_listed (entry);
   CREATE TABLE atomic_unlisted (entry INTEGER PRIMARY KEY) STRICT;
   CREATE TRIGGER atomic_inserted AFTER INSERT ON atomic BEGIN
     INSERT OR IGNORE INTO atomic_unlisted (entry) VALUES (NEW.id);
   END;
   CREATE TRIGGER atomic_updated AFTER UPDATE ON atomic BEGIN
     INSERT OR IGNORE INTO atomic_unlisted (entry) VALUES (NEW.id);
   END;
   INSERT INTO atomic_unlisted (entry) SELECT id FROM atomic;`,
];
