import { createHash } from 'node:crypto';
import { ArtworkError } from '../errors.ts';

/** All entries of one user of this machine for one service, whichever account they are of. */
export interface UserScope {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** The name on this machine (`ARTWORK_USER`). */
  readonly user: string;
}

/**
 * The entries of one account. Nothing of one scope can be seen, claimed or resumed in another. The account is the
 * subject of the sign-in, or the sign-in itself where the subject is not known.
 */
export interface AccountScope extends UserScope {
  readonly subject: string | null;
  /** The id of the sign-in. */
  readonly connection: string;
}

/** Begins the key of every entry. */
export const ledgerPrefix = 'ledger/';

/** Begins the keys of a user's entries. */
export function userPrefix({ service, user }: UserScope): string {
  return `${ledgerPrefix}${digest([service, user])}/`;
}

/** Begins the keys of a scope's entries. */
export function scopePrefix(scope: AccountScope): string {
  return `${userPrefix(scope)}${digest(accountOf(scope))}/`;
}

/**
 * The key of an account's mutation in the ledger.
 * @throws invalid_arguments. UUIDs that differ only in case are one.
 */
export function entryKey(scope: AccountScope, clientMutationId: string): string {
  if (!isMutationId(clientMutationId)) {
    throw new ArtworkError('invalid_arguments', 'clientMutationId must be a UUID.');
  }
  return scopePrefix(scope) + clientMutationId.toLowerCase();
}

/** Whether a text is a UUID, as the ids of mutations are. */
export function isMutationId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The first part keeps a subject apart from a sign-in of the same name. */
function accountOf({ subject, connection }: AccountScope): readonly string[] {
  return subject === null ? ['connection', connection] : ['subject', subject];
}

/** JSON keeps the parts apart whatever they hold; the digest makes them fit a key. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
