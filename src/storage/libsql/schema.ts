/** In every database file of ours, so that another program's is never written to ("Artw"). */
export const applicationId = 0x41727477;

/**
 * Step i brings a database from version i to i + 1; the version is kept as `user_version`. A step that
 * changes what a table means gives the table a new name, so that an older program that still runs fails
 * instead of writing nonsense.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE meta (
     name TEXT PRIMARY KEY NOT NULL,
     value TEXT NOT NULL
   ) STRICT;
   CREATE TABLE atomic (
     key TEXT PRIMARY KEY NOT NULL,
     value TEXT NOT NULL,
     version INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE records (
     namespace TEXT NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     expires INTEGER,
     PRIMARY KEY (namespace, key)
   ) STRICT;
   CREATE INDEX records_expires ON records (expires) WHERE expires IS NOT NULL;`,
];
