import { ArtworkError, codeOf } from '../errors.ts';

/** What can go wrong with the data directory. The category of each is `internal`; the code tells them apart. */
export type StoreErrorCode =
  | 'home_not_private'
  | 'store_unsupported'
  | 'store_unreadable'
  | 'store_other_schema'
  | 'store_replaced'
  | 'store_full'
  | 'store_busy'
  | 'store_closed'
  | 'store_refused'
  /** The store that several machines share is away. */
  | 'store.unreachable'
  | 'key_missing'
  | 'key_unreachable'
  | 'key_wrong'
  | 'record_tampered';

/** No call of this server frees a disk or mends a folder. */
const forPerson = {
  why: 'A person mends the data folder on the machine that runs this server, as the message says; then the same call can be made again.',
};

/**
 * An error of the store. The message says what to do; it may name a file, never a stored value. `cause` is an error of
 * SQLite, of the file system or of Node's crypto, which hold no values.
 */
export function storeError(code: StoreErrorCode, message: string, cause?: unknown): ArtworkError {
  return new ArtworkError('internal', message, { code, cause, next: forPerson });
}

/** Whether `error` is the store's error with this code. */
export function isStoreError(error: unknown, code: StoreErrorCode): error is ArtworkError {
  return error instanceof ArtworkError && error.category === 'internal' && error.code === code;
}

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What a failed file operation on `file` means to a person. */
export function fileFailureError(file: string, error: unknown): ArtworkError {
  const code = codeOf(error);
  if (code !== null && noSpace.has(code)) return diskFull(file, error);
  return storeError(
    'store_unreadable',
    `${file} can't be read or written${code === null ? '' : ` (${code})`}: check that the file and its folder belong to you, then try again.`,
    error,
  );
}

function diskFull(file: string, cause: unknown): ArtworkError {
  return storeError(
    'store_full',
    `The disk that holds ${file} is full: free some space, then try again.`,
    cause,
  );
}

/** Whether another connection held the lock: nothing was done, and the caller tries again. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** The file is ours, but not as it was written. */
export function damagedStoreError(file: string, cause?: unknown): ArtworkError {
  return storeError(
    'store_unreadable',
    `${file} is damaged: restore the whole folder from a backup; without one, move the folder away to begin anew, which forgets the sign-in and what was sent.`,
    cause,
  );
}

/** What an error of libsql means to a person. SQLite's messages name tables and columns, never values. */
export function libsqlFailureError(file: string, error: unknown): ArtworkError {
  const code = codeOf(error);
  const family = /^SQLITE_[A-Z]+/.exec(code ?? '')?.[0];
  switch (family) {
    case 'SQLITE_FULL':
      return diskFull(file, error);
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return damagedStoreError(file, error);
    default:
      return storeError(
        'store_unreadable',
        `${file} can't be read or written${code === null ? '' : ` (${code})`}: check that it is a file of yours, that its folder can be written, and that the disk is well.`,
        error,
      );
  }
}

/** The store is away. Whoever gets this sends nothing that was not allowed before. */
export function storeUnreachable(message: string): ArtworkError {
  return new ArtworkError('internal', message, {
    code: 'store.unreachable' satisfies StoreErrorCode,
    next: {
      why: 'A person checks what the message says; then the same call can be made again, without a restart.',
    },
  });
}

/** Another store, or an earlier state of it, is where the one was that this process has written to. */
export function storeReplaced(place: string): ArtworkError {
  return storeError(
    'store_replaced',
    `The store at ${place} was removed, replaced or put back to an earlier state while this server had it open: end every host that uses it, put the right data there, then start the server again. What was under way is looked up by its clientMutationId.`,
  );
}

/** What a data folder says that it holds is not there. */
export function lostStoreError(file: string, what: string): ArtworkError {
  return storeError(
    'store_unreadable',
    `${file} ${what}: restore the whole folder from one backup; or move the folder away to begin anew, which forgets the sign-in and what was sent.`,
  );
}

/** Serialization failure, deadlock, too many connections, a lock was not free, cancelled by a limit of the server's. */
const passing: ReadonlySet<string> = new Set(['40001', '40P01', '53300', '55P03', '57014']);

/** SQLSTATE; null for what is no error of the server's, which `pg` names so: the connection has ended. */
function sqlStateOf(error: unknown): string | null {
  return error instanceof Error && error.name === 'error' ? (codeOf(error) ?? '') : null;
}

/** Whether trying a statement of PostgreSQL again may bring something else. */
export function isPassingFailure(error: unknown): boolean {
  if (error instanceof ArtworkError || isWithoutTls(error)) return false;
  const code = sqlStateOf(error);
  // 08: the connection, also in PgBouncer's words; 57P: the server ends or starts.
  return code === null || passing.has(code) || code.startsWith('08') || code.startsWith('57P');
}

/** `pg` has no code for it. */
function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

/** What a person checks, by the server's code. Its messages are never repeated: they may quote what is stored. */
export function postgresFailureError(place: string, error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  const code = sqlStateOf(error);
  const at = `The store at ${place}`;
  if (code === '42P01' || code === '3F000') return storeReplaced(place);
  if (code === '53100') {
    return storeError(
      'store_full',
      `${at} has no room left on its disk: free some space there, then try again.`,
    );
  }
  if (code === '42501') {
    const remedy = 'grant it what docs/several-machines.md lists';
    return storeError('store_unreadable', `${at} lets this role not use the schema artwork: ${remedy}.`);
  }
  if (code === '25006') {
    const remedy = 'it is a standby, or it was made read-only. Check which server ARTWORK_STORE names';
    return storeUnreachable(`${at} takes no writes now: ${remedy}.`);
  }
  if (code?.startsWith('28') || code === '3D000') {
    const remedy = 'check the user, the password and the database in ARTWORK_STORE';
    return storeUnreachable(`${at} refuses the sign-in (${code}): ${remedy}.`);
  }
  if (isWithoutTls(error)) {
    return storeUnreachable(
      `${at} answers, but does not speak TLS, which ARTWORK_STORE asks for: give the server a certificate; or reach it through a VPN or ssh -L, and leave sslmode out.`,
    );
  }
  if (code !== null && !isPassingFailure(error)) {
    return storeError(
      'store_unreadable',
      `${at} failed (SQLSTATE ${code}): look into the log of PostgreSQL.`,
    );
  }
  const why = code ?? codeOf(error);
  return storeUnreachable(
    `${at} can't be reached now${why === null ? '' : ` (${why})`}: check that PostgreSQL runs there, that this machine reaches it, and what ARTWORK_STORE says. The same call works again once it is back.`,
  );
}
