import { createHash } from 'node:crypto';
import { ArtworkError } from '../errors.ts';

/** Everything that a user of this machine has in the ledger for one service, whichever account it was. */
export interface UserScope {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** The name on this machine (`ARTWORK_USER`). */
  readonly user: string;
}

/**
 * Whose entries. Nothing of one scope can be seen, claimed or resumed in another: the account is the
 * subject of the sign-in, or, where that is unknown, the sign-in itself.
 */
export interface AccountScope extends UserScope {
  readonly subject: string | null;
  /** The id of the sign-in. */
  readonly connection: string;
}

/** Where all entries lie. */
export const ledgerPrefix = 'ledger/';

/** Where all entries of a user lie. */
export function userPrefix({ service, user }: UserScope): string {
  return `${ledgerPrefix}${digest([service, user])}/`;
}

/** Where all entries of a scope lie. */
export function scopePrefix(scope: AccountScope): string {
  return `${userPrefix(scope)}${digest(accountOf(scope))}/`;
}

/** @throws invalid_arguments. UUIDs that differ only in case are one. */
export function entryKey(scope: AccountScope, clientMutationId: string): string {
  if (!isMutationId(clientMutationId)) {
    throw new ArtworkError('invalid_arguments', 'clientMutationId must be a UUID.');
  }
  return scopePrefix(scope) + clientMutationId.toLowerCase();
}

export function isMutationId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Tells a subject from a sign-in, whatever they are called. */
function accountOf({ subject, connection }: AccountScope): readonly string[] {
  return subject === null ? ['connection', connection] : ['subject', subject];
}

/** JSON keeps the parts apart whatever they hold; the digest makes any length fit a key. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
