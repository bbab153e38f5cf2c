import { isStoreError } from '../storage/store-error.ts';
import { oauthRefusalError } from './failures.ts';
import { compareAccounts, type Grant, type GrantPosition, isTokenExpired } from './grant.ts';
import { type HeldPointer, otherPointers } from './pointer.ts';
import type { ConnectionKey, Io, Revocation } from './ports.ts';
import { isRenewalReleased, isRenewalUnderWay, lastRenewalRefusal } from './renewal-claim.ts';

/** Ends a grant on the service. Revoking its refresh token ends the access token too (Authentication 10). */
export async function revokeGrant(io: Io, grant: Grant): Promise<Revocation> {
  if (grant.refreshToken !== null) return io.service.revoke(grant.refreshToken, 'refresh_token');
  if (grant.accessToken !== null) return io.service.revoke(grant.accessToken, 'access_token');
  return { outcome: 'revoked' };
}

/** Revokes a grant that no pointer names. Where that fails its record stays for `retireLeftovers`. */
export async function revokeAndRemove(
  io: Io,
  key: ConnectionKey,
  place: GrantPosition,
  grant: Grant,
): Promise<Revocation> {
  const revocation = await revokeGrant(io, grant);
  if (revocation.outcome !== 'failed') await io.records.remove(key, place);
  return revocation;
}

/** A record that is to be revoked; null where there is none, or it can never be opened. */
export async function openGrantUnlessLost(
  io: Io,
  key: ConnectionKey,
  place: GrantPosition,
): Promise<Grant | null> {
  try {
    return await io.records.read(key, place);
  } catch (error) {
    // These are final. A locked keyring or a disk that can't be read may pass, and is thrown.
    const lost = ['key_missing', 'key_wrong', 'record_tampered'] as const;
    if (lost.some((code) => isStoreError(error, code))) return null;
    throw error;
  }
}

/**
 * Whether calls can still be made with a connection: then a sign-in must not end it before the new account is known. A
 * connection that has ended, or that can't be renewed any more, is not in use.
 * @param grant of the generation that the pointer names; null: its record can't be opened, and it may be in use
 */
export async function isConnectionInUse(io: Io, pointer: HeldPointer, grant: Grant | null): Promise<boolean> {
  switch (pointer.state) {
    case 'reconnect_required':
    case 'disconnecting':
      return false;
    case 'uncertain':
      return grant === null || !isTokenExpired(grant, io.clock.now());
    case 'active': {
      if (grant === null || !isTokenExpired(grant, io.clock.now())) return true;
      if (grant.refreshToken === null) return false;
      if ((await isRenewalUnderWay(io, pointer)) !== null) return true;
      // A process presented its refresh token and has died since: it can't be renewed any more.
      if (!(await isRenewalReleased(io, pointer))) return false;
      const refusal = await lastRenewalRefusal(io, pointer);
      return refusal === null || !oauthRefusalError(refusal).signInHelps;
    }
  }
}

/**
 * Whether another user of this app on this machine is or may be connected as the same account. A service that takes a
 * token for stolen, because it was used before, would end that connection too.
 */
export async function isSharedAccountGrant(io: Io, key: ConnectionKey, grant: Grant): Promise<boolean> {
  for (const other of await otherPointers(io, key)) {
    const theirs = await openGrantUnlessLost(io, other.key, other.pointer);
    if (compareAccounts(theirs, grant) === 'different') continue;
    if (await isConnectionInUse(io, other.pointer, theirs)) return true;
  }
  return false;
}

/** Whether the refresh token of the pointer's generation may have been used. */
export async function mayRefreshTokenBeUsed(io: Io, pointer: HeldPointer): Promise<boolean> {
  return pointer.state !== 'active' || !(await isRenewalReleased(io, pointer));
}
