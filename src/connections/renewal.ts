import { createBackoff } from '../wire/pacing.ts';
import { isSignInLeased, revokeSuperseded } from './earlier-sign-ins.ts';
import type {
  Flaw,
  Grant,
  GrantPosition,
  Io,
  NotConsumed,
  Secret,
  TokenAnswer,
  UsableGrant,
} from './grant.ts';
import { isPointerAt, movePointer, type Pointer, readPointer, type StoredPointer } from './pointer.ts';
import {
  claimRenewal,
  isRenewalInDoubt,
  markRenewalAnswered,
  pointerTo,
  type RenewalClaim,
  releaseRenewal,
} from './refresh-token.ts';

export type RenewalStep =
  /** This call presented the token; the pointer tells the outcome. */
  | { readonly step: 'presented' }
  /** The pointer has moved, or is about to: read it again. */
  | { readonly step: 'moved' }
  /** Another process holds the claim. */
  | { readonly step: 'held'; readonly claim: string }
  /** A sign-in or a revocation is under way, and no renewal begins meanwhile. */
  | { readonly step: 'leased' }
  | { readonly step: 'not_consumed'; readonly proof: NotConsumed };

/** The pause before the next attempt where the failure asks for none. ms */
const pauseMs = 1000;

/**
 * Presents the refresh token of the generation that the pointer names, unless another process has. It runs to its end even
 * when the call that began it is aborted. Rejections are the store's errors and those of `TokenService.prepare`.
 */
export async function renewOnce(
  io: Io,
  stored: StoredPointer<Pointer & { state: 'active' }>,
  grant: UsableGrant & { readonly refreshToken: Secret },
): Promise<RenewalStep> {
  const { connection, generation } = stored.pointer;
  const place = { connection, generation };
  await io.service.prepare();
  if (await isSignInLeased(io)) return { step: 'leased' };
  const claiming = await claimRenewal(io, place);
  if (claiming.claim === 'lost') return { step: 'held', claim: claiming.key };
  if (claiming.claim === 'postponed') return { step: 'not_consumed', proof: claiming.proof };

  // With the claim no other process presents the token. The pointer and the lease are read again, since the connection
  // may have been ended or a sign-in begun meanwhile; a sign-in that begins later finds the claim and waits for its end.
  let step: 'moved' | 'leased' | 'present' = 'moved';
  try {
    const isStill = (await readPointer(io))?.version === stored.version;
    if (isStill) step = (await isSignInLeased(io)) ? 'leased' : 'present';
  } finally {
    const proof = { why: 'not_sent', code: null, retryAfterMs: null } as const;
    if (step !== 'present') await releaseRenewal(io, claiming.won, proof, 0);
  }
  if (step !== 'present') return { step };
  return present(io, place, grant, claiming.won);
}

async function present(
  io: Io,
  place: GrantPosition,
  grant: UsableGrant & { readonly refreshToken: Secret },
  claim: RenewalClaim,
): Promise<RenewalStep> {
  // The token's life is counted from here: its answer may be long under way.
  const presentedAt = io.clock.now();
  const renewal = await io.service.renew(grant.refreshToken);
  switch (renewal.outcome) {
    case 'granted':
      await storeNext(io, place, successor(grant, renewal.answer, renewal.subject, presentedAt));
      break;
    case 'unusable':
      await storeNext(io, place, flawed(grant, 'unusable_answer', null, renewal.refreshToken, presentedAt));
      break;
    case 'refused':
      await movePointerAt(io, place, isUse, {
        state: 'reconnect_required',
        reason: 'refused',
        ...place,
      });
      break;
    case 'unknown':
      io.log.warn(
        `A renewal got no answer that tells its result${renewal.code === null ? '' : ` (${renewal.code})`}; it is not tried again.`,
      );
      await movePointerAt(io, place, ({ state }) => state === 'active', { state: 'uncertain', ...place });
      return { step: 'presented' };
    case 'not_consumed': {
      const { proof } = renewal;
      await releaseRenewal(io, claim, proof, proof.retryAfterMs ?? pauseMs);
      await movePointerAt(io, place, isRenewalInDoubt, { state: 'active', ...place });
      return { step: 'not_consumed', proof };
    }
  }
  await markRenewalAnswered(io, claim);
  return { step: 'presented' };
}

/** Stores the next generation and moves the pointer to it; revokes it where the connection was ended meanwhile. */
async function storeNext(io: Io, from: GrantPosition, grant: Grant): Promise<void> {
  const to = { connection: from.connection, generation: from.generation + 1 };
  await writeRecord(io, to, grant);
  for (;;) {
    const stored = await readPointer(io);
    const pointer = stored?.pointer;
    // Another process found the record and moved the pointer.
    if (pointer !== undefined && isUse(pointer) && isPointerAt(pointer, to)) break;
    if (stored === null || pointer === undefined || !isUse(pointer) || !isPointerAt(pointer, from)) {
      await revokeSuperseded(io, to, grant);
      return;
    }
    if (await movePointer(io, stored, pointerTo(to, grant))) break;
  }
  await io.records.remove(io.key, from);
}

/** About 13 s with the pauses between them. */
const mostWrites = 8;

/** The new tokens exist nowhere else: a disk that is full for a moment must not lose them. */
async function writeRecord(io: Io, place: GrantPosition, grant: Grant): Promise<void> {
  const backoff = createBackoff(io.clock, { firstMs: 100, longestMs: 6400 });
  for (let tries = 1; ; tries += 1) {
    try {
      return await io.records.write(io.key, place, grant);
    } catch (error) {
      if (tries === mostWrites) throw error;
      await backoff.pause();
    }
  }
}

/** Moves the pointer while it is at this place and in a state that `applies` accepts. */
async function movePointerAt(
  io: Io,
  place: GrantPosition,
  applies: (pointer: Pointer) => boolean,
  to: Pointer,
): Promise<void> {
  for (;;) {
    const stored = await readPointer(io);
    if (stored === null || !isPointerAt(stored.pointer, place) || !applies(stored.pointer)) return;
    if (await movePointer(io, stored, to)) return;
  }
}

function isUse({ state }: Pointer): boolean {
  return state === 'active' || state === 'uncertain' || state === 'reconnect_required';
}

/** Scopes and refresh token stay where the answer has none (RFC 6749, 6). */
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
