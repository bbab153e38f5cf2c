import type { Database } from './database.ts';

/**
 * The tables of protected operations beside the artwork itself.
 *
 * asset_files: the uploaded file of an Asset. A drawn Asset has none, and is one still frame.
 * mutations: for each `clientMutationId` of an account, the first receipt or the final refusal, and the
 * fingerprint of the request.
 * asset_uploads: for the status lookup of a single upload; error_* only where it was refused or its
 * processing failed.
 * effects: what was changed, one row per change. Only tests read it.
 */
const tables = `
CREATE TABLE IF NOT EXISTS asset_files (
  asset_id TEXT PRIMARY KEY REFERENCES assets (id),
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  content_length INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  frames INTEGER NOT NULL,
  selected_frame INTEGER
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS relationships (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  target_id INTEGER NOT NULL REFERENCES accounts (id),
  relationship TEXT NOT NULL CHECK (relationship IN ('follow', 'hide')),
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_id, target_id)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS mutations (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  client_mutation_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  receipt TEXT,
  refusal TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, client_mutation_id),
  CHECK ((receipt IS NULL) <> (refusal IS NULL))
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS asset_uploads (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  client_mutation_id TEXT NOT NULL,
  asset_id TEXT REFERENCES assets (id),
  processed_at TEXT NOT NULL,
  error_code TEXT,
  error_message TEXT,
  PRIMARY KEY (account_id, client_mutation_id),
  CHECK ((asset_id IS NULL) = (error_code IS NOT NULL))
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS effects (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  operation TEXT NOT NULL,
  client_mutation_id TEXT,
  resource_kind TEXT NOT NULL,
  resource_id TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS effects_of_mutation ON effects (client_mutation_id);
`;

/** Creates the tables when they are missing, and some relationships with them. */
export function createProtectedTables(database: Database, now: Date): void {
  database.transaction(() => {
    const known = database.first(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'relationships'",
    );
    database.execute(tables);
    if (!known) seedRelationships(database, now.toISOString());
  });
}

/** In a ring: each account follows the next two and hides the fourth. */
function seedRelationships(database: Database, at: string): void {
  const ids = database.all('SELECT id FROM accounts ORDER BY id').map((row) => row.integer('id'));
  for (const [index, id] of ids.entries()) {
    for (const [step, relationship] of [
      [1, 'follow'],
      [2, 'follow'],
      [4, 'hide'],
    ] as const) {
      const target = ids[(index + step) % ids.length];
      if (target === undefined || target === id) continue;
      database.run(
        'INSERT INTO relationships (account_id, target_id, relationship, updated_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        id,
        target,
        relationship,
        at,
      );
    }
  }
}
