import { type RenewalClaim, claimRenewal, markAnswered, releaseClaim } from './renewal-claim.ts';
import type { Flaw, Grant, GrantPosition, UsableGrant } from './grant.ts';
import { isInDoubt, pointerTo } from './heal.ts';
import type { ConnectionKey } from './key.ts';
import { isLeased } from './sign-in-lease.ts';
import { endOvertaken } from './overtaken.ts';
import { isAt, movePointer, type Pointer, readPointer, type StoredPointer } from './pointer.ts';
import type { Io } from './ports.ts';
import type { Secret } from './secret.ts';
import type { NotConsumed, TokenAnswer } from './token-service.ts';

export type RenewalStep =
  /** This call presented the token; the pointer tells what came of it. */
  | { readonly step: 'presented' }
  /** The pointer has moved, or is about to: read it again. */
  | { readonly step: 'moved' }
  | { readonly step: 'held'; readonly claim: string }
  /** A sign-in or a revocation is under way, which no renewal may come between. */
  | { readonly step: 'leased' }
  | { readonly step: 'not_consumed'; readonly proof: NotConsumed };

/** How long nobody tries again after a failure that says nothing about it. */
const pauseMs = 1000;

/**
 * Presents the refresh token of the generation that the pointer names, unless somebody else has. It runs to
 * its end whatever becomes of the call that began it. Rejections are the store's errors and those of
 * `TokenService.prepare`.
 */
export async function renewOnce(
  io: Io,
  key: ConnectionKey,
  stored: StoredPointer<Pointer & { state: 'active' }>,
  grant: UsableGrant & { readonly refreshToken: Secret },
): Promise<RenewalStep> {
  const { connection, generation } = stored.pointer;
  const place = { connection, generation };
  await io.service.prepare();
  if (await isLeased(io, key)) return { step: 'leased' };
  const claiming = await claimRenewal(io, place);
  if (claiming.claim === 'leased') return { step: 'held', claim: claiming.key };
  if (claiming.claim === 'postponed') return { step: 'not_consumed', proof: claiming.proof };

  // The claim keeps others from presenting it; this keeps us from presenting what was disconnected meanwhile,
  // or beside a sign-in: one that takes the lease after this look finds the claim, and waits for its end.
  let step: 'moved' | 'leased' | 'present' = 'moved';
  try {
    const isStill = (await readPointer(io, key))?.version === stored.version;
    if (isStill) step = (await isLeased(io, key)) ? 'leased' : 'present';
  } finally {
    const proof = { why: 'not_sent', code: null, retryAfterMs: null } as const;
    if (step !== 'present') await releaseClaim(io, claiming.won, proof, 0);
  }
  if (step !== 'present') return { step };
  return present(io, key, place, grant, claiming.won);
}

async function present(
  io: Io,
  key: ConnectionKey,
  place: GrantPosition,
  grant: UsableGrant & { readonly refreshToken: Secret },
  claim: RenewalClaim,
): Promise<RenewalStep> {
  // From here, so that an answer that was long on its way is not taken for a token that lives longer.
  const presentedAt = io.clock.now();
  const renewal = await io.service.renew(grant.refreshToken);
  switch (renewal.outcome) {
    case 'granted':
      await settle(io, key, place, successor(grant, renewal.answer, renewal.subject, presentedAt));
      break;
    case 'unusable':
      await settle(io, key, place, flawed(grant, 'unusable_answer', null, renewal.refreshToken, presentedAt));
      break;
    case 'refused':
      await turn(io, key, place, isUse, {
        state: 'reconnect_required',
        reason: 'refused',
        ...place,
      });
      break;
    case 'unknown':
      io.log.warn(
        `A renewal got no answer that tells its result${renewal.code === null ? '' : ` (${renewal.code})`}; it is not tried again.`,
      );
      await turn(io, key, place, ({ state }) => state === 'active', { state: 'uncertain', ...place });
      return { step: 'presented' };
    case 'not_consumed': {
      const { proof } = renewal;
      await releaseClaim(io, claim, proof, proof.retryAfterMs ?? pauseMs);
      await turn(io, key, place, isInDoubt, { state: 'active', ...place });
      return { step: 'not_consumed', proof };
    }
  }
  await markAnswered(io, claim);
  return { step: 'presented' };
}

/** Stores the next generation and has the pointer name it; where the connection was ended meanwhile, ends it. */
async function settle(io: Io, key: ConnectionKey, from: GrantPosition, grant: Grant): Promise<void> {
  const to = { connection: from.connection, generation: from.generation + 1 };
  await keep(io, key, to, grant);
  for (;;) {
    const stored = await readPointer(io, key);
    const pointer = stored?.pointer;
    // Somebody found the record before us.
    if (pointer !== undefined && isUse(pointer) && isAt(pointer, to)) break;
    if (stored === null || pointer === undefined || !isUse(pointer) || !isAt(pointer, from)) {
      await endOvertaken(io, key, to, grant);
      return;
    }
    if (await movePointer(io, key, stored, pointerTo(to, grant))) break;
  }
  await io.records.remove(key, from);
}

/** What was received exists nowhere else, so a disk that is full for a moment must not lose it. */
async function keep(io: Io, key: ConnectionKey, place: GrantPosition, grant: Grant): Promise<void> {
  for (let pause = 100; ; pause *= 2) {
    try {
      return await io.records.write(key, place, grant);
    } catch (error) {
      if (pause > 6400) throw error;
      await io.clock.sleep(pause);
    }
  }
}

/** Moves the pointer as long as it stands at this place, and in a state that this applies to. */
async function turn(
  io: Io,
  key: ConnectionKey,
  place: GrantPosition,
  applies: (pointer: Pointer) => boolean,
  to: Pointer,
): Promise<void> {
  for (;;) {
    const stored = await readPointer(io, key);
    if (stored === null || !isAt(stored.pointer, place) || !applies(stored.pointer)) return;
    if (await movePointer(io, key, stored, to)) return;
  }
}

function isUse({ state }: Pointer): boolean {
  return state === 'active' || state === 'uncertain' || state === 'reconnect_required';
}

/** What is not said stays: the scopes, and the refresh token where none came (RFC 6749, 6). */
function successor(
  grant: UsableGrant & { readonly refreshToken: Secret },
  answer: TokenAnswer,
  subject: string | null,
  at: number,
): Grant {
  const { refreshToken, expiresInSeconds, scopes } = answer;
  const kept = refreshToken === 'unchanged' ? grant.refreshToken : null;
  const next = typeof refreshToken === 'string' ? kept : refreshToken;
  if (subject !== null && grant.subject !== null && subject !== grant.subject) {
    return flawed(grant, 'other_subject', answer.accessToken, next, at);
  }
  const lifetime = expiresInSeconds === null ? null : expiresInSeconds * 1000;
  return {
    ...grant,
    accessToken: answer.accessToken,
    refreshToken: next,
    lifetime,
    expiresAt: lifetime === null ? null : at + lifetime,
    scopes: scopes ?? grant.scopes,
    renewedAt: at,
  };
}

function flawed(
  grant: UsableGrant,
  flaw: Flaw,
  access: Secret | null,
  refresh: Secret | null,
  at: number,
): Grant {
  return { ...grant, flaw, accessToken: access, refreshToken: refresh, renewedAt: at };
}
