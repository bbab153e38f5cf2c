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
];
