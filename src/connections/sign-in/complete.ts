import { isStoreError } from '../../store/errors.ts';
import { type Replaced, removeTokenRecords, replaceConnection } from '../disconnect.ts';
import { type ConnectionId, connectionId, type Io, type UsableGrant, withheldScopes } from '../grant.ts';
import { movePointer, readPointer } from '../pointer.ts';
import { revokeGrant } from '../refresh-token.ts';
import { tellEndedConnection } from './failures.ts';

/** What a sign-in stored. */
export interface SignedIn {
  readonly replaced: Replaced;
  /** null: unknown, since `openid` was not granted or the service does not tell. */
  readonly subject: string | null;
  readonly account: string | null;
  readonly scopes: readonly string[];
  /** Scopes that were asked for and not granted. */
  readonly withheld: readonly string[];
  /** The service did not say which scopes it granted, so that some of `scopes` may be missing. */
  readonly scopesUntold: boolean;
  /** ISO 8601; null: the service did not say. */
  readonly expiresAt: string | null;
  readonly renewable: boolean;
}

/**
 * Makes a sign-in the connection of its key: ends the one that is stored, exchanges the code, then moves the pointer.
 * @param receive exchanges the code, and checks the answer
 * @throws ArtworkError, why the exchange failed; the store's errors
 */
export async function completeSignIn(io: Io, receive: () => Promise<UsableGrant>): Promise<SignedIn> {
  // If the service can't be reached, the code is not sent.
  await io.service.prepare();
  const connection = connectionId.parse(io.random());
  const replaced = await replaceConnection(io);
  try {
    const grant = await receive();
    await adoptGrant(io, connection, grant);
    return signedIn(grant, replaced);
  } catch (error) {
    throw replaced === 'none' ? error : tellEndedConnection(error);
  }
}

function signedIn(grant: UsableGrant, replaced: Replaced): SignedIn {
  const { subject, account, scopes, scopesUntold = false, expiresAt, refreshToken } = grant;
  return {
    replaced,
    subject,
    account,
    scopes,
    withheld: withheldScopes(grant),
    scopesUntold,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    renewable: refreshToken !== null,
  };
}

/** Stores the tokens, which exist nowhere else; where that fails they are revoked. Rejections are the store's errors. */
async function adoptGrant(io: Io, connection: ConnectionId, grant: UsableGrant): Promise<void> {
  const place = { connection, generation: 1 };
  try {
    await io.records.write(io.key, place, grant);
  } catch (error) {
    await revokeGrant(io, grant);
    throw error;
  }
  for (;;) {
    const stored = await readPointer(io);
    if (!(await movePointer(io, stored, { state: 'active', ...place }))) continue;
    // Another sign-in was stored meanwhile.
    const other = stored?.pointer ?? null;
    if (other !== null && other.state !== 'disconnected') await removeTokenRecords(io, other.connection);
    return;
  }
}

/** Whether sealing needs a new key, which is drawn only on a person's word. */
export function isSealingKeyLost(error: unknown): boolean {
  return isStoreError(error, 'key_missing') || isStoreError(error, 'key_wrong');
}
