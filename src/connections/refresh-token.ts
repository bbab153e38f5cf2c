import { z } from 'zod';
import { isStoreError } from '../store/errors.ts';
import type { StoredValue } from '../store/kv.ts';
import type { Grant, GrantPosition, Io, NotConsumed, Revocation } from './grant.ts';
import { type HeldPointer, type Pointer, readStored } from './pointer.ts';

/**
 * The right to present one refresh token. A claim stands for ever; only its holder releases it, with the proof that the
 * token was not consumed, which allows the next attempt.
 */
export interface RenewalClaim {
  readonly key: string;
  readonly version: number;
}

const claimSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('presented'), by: z.string(), at: z.string() }),
  z.object({
    state: z.literal('released'),
    at: z.string(),
    /** Milliseconds since 1970. */
    notBefore: z.number(),
    why: z.enum(['not_sent', 'invalid_client', 'refused', 'rate_limited']),
    code: z.string().nullable(),
  }),
]);

/** Longer than a holder's request lasts: a holder that lives has recorded the outcome by then. ms */
export const holderLimitMs = 35_000;

/** The longest pause that a service may ask for: a wrong clock or a hostile answer must not end the connection. ms */
const longestPauseMs = 5 * 60_000;

/** One presentation of a refresh token, as its claim tells of it. */
export interface Attempt {
  readonly key: string;
  readonly claim: z.infer<typeof claimSchema>;
  readonly attempt: number;
}

/** Claims the one presentation of a refresh token, before it is sent. Null: another process has the claim. */
export async function claimAttempt(
  io: Io,
  place: GrantPosition,
  attempt: number,
): Promise<RenewalClaim | null> {
  const key = attemptKey(place, attempt);
  const value = { state: 'presented', by: io.random(), at: timestamp(io) };
  const { won, current } = await io.atomic.putIfAbsent(key, JSON.stringify(value));
  return won ? { key, version: current.version } : null;
}

/** Why no attempt may begin yet: the last one surely did not consume the token. Null: one may begin. */
export function postponement(last: Attempt | null, now: number): NotConsumed | null {
  if (last?.claim.state !== 'released') return null;
  const { why, code, notBefore } = last.claim;
  const left = notBefore - now;
  return left > 0 && left <= longestPauseMs ? { why, code, retryAfterMs: left } : null;
}

/** Records that the token was not consumed. @param pauseMs before the next attempt of any process */
export async function releaseRenewal(
  io: Io,
  { key, version }: RenewalClaim,
  proof: NotConsumed,
  pauseMs: number,
) {
  const { why, code } = proof;
  const notBefore = io.clock.now() + Math.min(pauseMs, longestPauseMs);
  const value = { state: 'released', at: timestamp(io), notBefore, why, code };
  await io.atomic.compareAndSet(key, version, JSON.stringify(value));
}

/** Why the service refused the last renewal of this generation without consuming its token; null: it did not refuse. */
export async function lastRenewalRefusal(io: Io, place: GrantPosition): Promise<NotConsumed | null> {
  const claim = (await lastAttempt(io, place))?.claim;
  if (claim?.state !== 'released' || (claim.why !== 'refused' && claim.why !== 'invalid_client')) return null;
  return { why: claim.why, code: claim.code, retryAfterMs: null };
}

/** Whether the token was surely not consumed: it was never presented, or the last presentation is released. */
async function isRenewalReleased(io: Io, place: GrantPosition): Promise<boolean> {
  return (await lastAttempt(io, place))?.claim.state !== 'presented';
}

/** The last presentation of a generation's refresh token; null: it was never presented. */
export async function lastAttempt(io: Io, place: GrantPosition): Promise<Attempt | null> {
  const prefix = attemptPrefix(place);
  let last: StoredValue | undefined;
  for (;;) {
    const page = await io.atomic.scan(prefix, last?.key ?? null, 1000);
    last = page.at(-1) ?? last;
    if (page.length === 1000) continue;
    if (last === undefined) return null;
    return { key: last.key, claim: read(last), attempt: Number(last.key.slice(prefix.length)) };
  }
}

function attemptPrefix({ connection, generation }: GrantPosition): string {
  return `refresh:${connection}:${generation}:`;
}

/** Padded, so that the order of the keys is that of the attempts. */
function attemptKey(place: GrantPosition, attempt: number): string {
  return attemptPrefix(place) + String(attempt).padStart(8, '0');
}

function read(entry: StoredValue): z.infer<typeof claimSchema> {
  return readStored(claimSchema, entry.value);
}

function timestamp(io: Io): string {
  return new Date(io.clock.now()).toISOString();
}

/** The pointer for a stored generation. */
export function pointerTo({ connection, generation }: GrantPosition, { flaw }: Grant): Pointer {
  switch (flaw) {
    case null:
      return { state: 'active', connection, generation };
    case 'unusable_answer':
    case 'other_subject':
      return { state: 'reconnect_required', reason: flaw, connection, generation };
  }
}

/** Whether it is not known if the refresh token was consumed. A proof that it was not makes the connection active again. */
export function isRenewalInDoubt(pointer: Pointer): boolean {
  if (pointer.state === 'reconnect_required') return pointer.reason === 'renewal_unknown';
  return pointer.state === 'uncertain';
}

/** Ends a grant on the service. Revoking its refresh token ends the access token too (Authentication 10). */
export async function revokeGrant(
  io: Io,
  grant: Pick<Grant, 'refreshToken' | 'accessToken'>,
): Promise<GrantRevocation> {
  if (grant.refreshToken !== null) return io.service.revoke(grant.refreshToken, 'refresh_token');
  if (grant.accessToken !== null) return io.service.revoke(grant.accessToken, 'access_token');
  return { outcome: 'no_token' };
}

/** `no_token`: the grant holds none that could be revoked. */
type GrantRevocation = Revocation | { readonly outcome: 'no_token' };

/** Revokes a grant that no pointer names. Where that fails its record stays for the next disconnecting. */
export async function revokeAndRemove(io: Io, place: GrantPosition, grant: Grant): Promise<GrantRevocation> {
  const revocation = await revokeGrant(io, grant);
  if (revocation.outcome !== 'failed') await io.records.remove(io.key, place);
  return revocation;
}

/** A record that is to be revoked; null where there is none, or it can never be opened. */
export async function openGrantUnlessLost(io: Io, place: GrantPosition): Promise<Grant | null> {
  try {
    return await io.records.read(io.key, place);
  } catch (error) {
    // These are final. A locked keyring or a disk that can't be read may pass, and is thrown.
    const lost = ['key_missing', 'key_wrong', 'record_tampered'] as const;
    if (lost.some((code) => isStoreError(error, code))) return null;
    throw error;
  }
}

/** Whether the refresh token of the pointer's generation may have been used. */
export async function mayRefreshTokenBeUsed(io: Io, pointer: HeldPointer): Promise<boolean> {
  return pointer.state !== 'active' || !(await isRenewalReleased(io, pointer));
}
