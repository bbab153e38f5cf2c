import { isStoreError } from '../storage/store-error.ts';
import type { Grant, GrantPosition } from './grant.ts';
import type { ConnectionKey } from './key.ts';
import type { Io } from './ports.ts';
import type { Revocation } from './token-service.ts';

/** Ends a grant on the service. Revoking its refresh token ends the access token too (Authentication 10). */
export async function revokeGrant(io: Io, grant: Grant): Promise<Revocation> {
  if (grant.refreshToken !== null) return io.service.revoke(grant.refreshToken, 'refresh_token');
  if (grant.accessToken !== null) return io.service.revoke(grant.accessToken, 'access_token');
  return { outcome: 'revoked' };
}

/** Revokes a grant that nothing names; where that fails its record stays, for the next one who tidies up. */
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

/** A record that is to be revoked; null where there is none or it can't be opened now or ever. */
export async function openUnlessLost(
  io: Io,
  key: ConnectionKey,
  place: GrantPosition,
): Promise<Grant | null> {
  try {
    return await io.records.read(key, place);
  } catch (error) {
    // Gone for good. A locked keyring or a disk that can't be read is not, and is told.
    const lost = ['key_missing', 'key_wrong', 'record_tampered'] as const;
    if (lost.some((code) => isStoreError(error, code))) return null;
    throw error;
  }
}
