import type { Database } from './database.ts';

/**
 * Set creations and grouped Set edits, from their admission on. A submission changes no artwork before it is
 * completed: received files are stored under the id of their future Asset, and no Asset refers to them.
 *
 * set_submissions.admission is the admitted body. settles_at: until then `meanwhile` is reported instead of
 * the outcome. submission_items.status: `awaiting` its file, `received` (or no file needed), then its
 * outcome; processed_at: when the outcome of the file itself is known; error_* are reported from then on.
 */
const tables = `
CREATE TABLE IF NOT EXISTS set_submissions (
  id TEXT PRIMARY KEY,
  family TEXT NOT NULL CHECK (family IN ('creation', 'edit')),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  client_mutation_id TEXT NOT NULL,
  set_id INTEGER REFERENCES sets (id),
  admission TEXT NOT NULL,
  created_at TEXT NOT NULL,
  completed_at TEXT,
  settles_at TEXT,
  meanwhile TEXT CHECK (meanwhile IN ('processing', 'unresolved')),
  outcome TEXT CHECK (outcome IN ('succeeded', 'partial', 'rolled_back', 'failed')),
  metadata_status TEXT NOT NULL CHECK (metadata_status IN ('not_required', 'processing', 'succeeded', 'failed')),
  metadata_error TEXT,
  set_updated_at TEXT,
  public_from TEXT,
  CHECK ((completed_at IS NULL) = (outcome IS NULL)),
  CHECK ((completed_at IS NULL) = (settles_at IS NULL))
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS submission_items (
  submission_id TEXT NOT NULL REFERENCES set_submissions (id),
  item_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  item TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('awaiting', 'received', 'succeeded', 'failed', 'rolled_back')),
  processed_at TEXT,
  error TEXT,
  sha256 TEXT,
  inspected TEXT,
  kept_file TEXT,
  asset_id TEXT,
  asset_updated_at TEXT,
  PRIMARY KEY (submission_id, item_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS submission_items_kept ON submission_items (kept_file) WHERE kept_file IS NOT NULL;
`;

/** Creates the tables when they are missing. */
export function createSubmissionTables(database: Database): void {
  database.execute(tables);
}
