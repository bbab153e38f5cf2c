import { ArtworkError, codeOf } from '../errors.ts';

/** What can go wrong with the data directory. The failure of each is `internal`; the code tells them apart. */
export type StoreErrorCode =
  | 'home_not_private'
  | 'store_unsupported'
  | 'store_unreadable'
  | 'store_other_schema'
  | 'store_replaced'
  | 'store_full'
  | 'store_busy'
  | 'store_closed'
  /** The store that several machines share is away. */
  | 'store.unreachable'
  | 'key_missing'
  | 'key_unreachable'
  | 'record_tampered';

/**
 * An error of the store. No call of this server mends it. The message says what a person does; it may name a file, never
 * a stored value. `cause` is an error of SQLite, of the file system or of Node's crypto, which hold no values.
 */
export function storeError(code: StoreErrorCode, message: string, cause?: unknown): ArtworkError {
  const next = { why: 'A person does what the message says. Then make the same call again.' };
  return new ArtworkError('internal', message, { code, cause, next });
}

/** Whether `error` is the store's error with this code. */
export function isStoreError(error: unknown, code: StoreErrorCode): error is ArtworkError {
  return error instanceof ArtworkError && error.failure === 'internal' && error.code === code;
}

/** What a failed operation on `file`, by the system or by SQLite, means to a person. SQLite's messages name no values. */
export function fileFailureError(file: string, error: unknown): ArtworkError {
  const code = codeOf(error) ?? '';
  const full = `The disk that holds ${file} is full. Free some space, then try again.`;
  if (/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)/.test(code)) return storeError('store_full', full, error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return lostStoreError(file, 'is damaged', error);
  const what = `${file} can't be read or written${code === '' ? '' : ` (${code})`}`;
  const how = 'Check that the file and its folder belong to you, and that the disk works';
  return storeError('store_unreadable', `${what}. ${how}.`, error);
}

/** The file is not as this program wrote it, or not there. */
export function lostStoreError(file: string, what: string, cause?: unknown): ArtworkError {
  return storeError(
    'store_unreadable',
    `${file} ${what}. Restore the whole folder from one backup. Or move it away to begin anew, which forgets the sign-in and what was sent.`,
    cause,
  );
}

/** The error of a value that is not what was written. */
export function damagedRecord() {
  return storeError('store_unreadable', 'A record of the store is damaged. Restore the store from a backup.');
}

/** Another store, or an earlier state of it, is where the one was that this process has written to. */
export function storeReplaced(place: string): ArtworkError {
  return storeError(
    'store_replaced',
    `The store at ${place} was removed, replaced or put back to an earlier state while this server had it open. End every host that uses it, put the right data there, and start the server again. Then look up what was under way by its clientMutationId.`,
  );
}

/** The connection (also in PgBouncer's words), a conflict, a limit, or a server that starts or ends. */
const passingStates = ['08', '40001', '40P01', '53300', '55P03', '57014', '57P'];

/** SQLSTATE; null for what is no error of the server's, which `pg` names so: the connection has ended. */
function sqlStateOf(error: unknown): string | null {
  return error instanceof Error && error.name === 'error' ? (codeOf(error) ?? '') : null;
}

/** Whether trying a statement of PostgreSQL again may bring something else. */
export function isPassingFailure(error: unknown): boolean {
  if (error instanceof ArtworkError) return false;
  const state = sqlStateOf(error);
  return state === null || passingStates.some((start) => state.startsWith(start));
}

/** What a person checks. A message of the server's is never repeated: it may quote what is stored. */
export function postgresFailureError(place: string, error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  const state = sqlStateOf(error);
  // A table or the schema is gone.
  if (state === '42P01' || state === '3F000') return storeReplaced(place);
  const isAway = state === null || isPassingFailure(error);
  // A message of the driver's holds names of hosts alone.
  const why = state ?? (error instanceof Error ? error.message : String(error));
  if (isAway) return storeError('store.unreachable', `The store at ${place} ${away} (${why}).`);
  if (state === '53100')
    return storeError('store_full', `The disk of the store at ${place} is full (${why}).`);
  return storeError('store_unreadable', `The store at ${place} ${refuses} (${why}).`);
}

const away = "can't be reached now: check that PostgreSQL runs there, and that this machine reaches it";
const refuses =
  'refuses: check the user, the password and the database in ARTWORK_STORE, the rights of docs/several-machines.md, and the log of PostgreSQL';
