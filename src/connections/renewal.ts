import type { ArtworkError } from '../errors.ts';
import { createBackoff } from '../wire/pacing.ts';
import { revokeSuperseded } from './disconnect.ts';
import {
  connectionCancelledError,
  newTokenRefusedError,
  notConnectedError,
  reconnectRequiredError,
  renewalFailedError,
} from './failures.ts';
import {
  type Bearer,
  bearerOf,
  type ConnectionKey,
  type Flaw,
  type Grant,
  type GrantPosition,
  type Io,
  isRenewalDue,
  isTokenExpired,
  type NotConsumed,
  pollPauses,
  renewedScopes,
  type Secret,
  type TokenAnswer,
  type UsableGrant,
} from './grant.ts';
import {
  damagedPointer,
  type HeldPointer,
  isPointerAt,
  movePointer,
  type Pointer,
  readHeldPointer,
  readPointer,
  type StoredPointer,
} from './pointer.ts';
import {
  type Attempt,
  claimAttempt,
  holderLimitMs,
  isRenewalInDoubt,
  lastAttempt,
  pointerTo,
  postponement,
  type RenewalClaim,
  releaseRenewal,
} from './refresh-token.ts';

/** What one process keeps between its calls. */
export interface Memory {
  /** The claim of another process that this one waits for, and since when by `Clock.monotonic`. */
  waiting: { readonly claim: string; readonly since: number } | null;
  /** Renewals under way. They run to their end even when the calls that began them are aborted. */
  readonly running: Set<Promise<unknown>>;
  /** The access token that the service accepted last. */
  accepted: Secret | null;
}

interface BearerCall {
  /** The bearer that the service answered 401 to. */
  readonly rejected: Bearer | null;
  readonly signal?: AbortSignal | undefined;
}

/** What one look at the store has shown. Null: not looked at yet, since most calls need no more than the grant. */
interface Seen {
  readonly stored: StoredPointer<HeldPointer>;
  /** The record that the pointer names. */
  readonly grant: UsableGrant | null;
  readonly renewal: RenewalSeen | null;
}

/** How far the renewal of the generation has come that the pointer names. */
interface RenewalSeen {
  /** The record of the next generation: its holder stored it, and has not moved the pointer yet. */
  readonly next: Grant | null;
  readonly last: Attempt | null;
}

/** What the call itself knows. */
interface Asking {
  readonly key: ConnectionKey;
  readonly rejected: Bearer | null;
  /** The service has accepted this access token before. */
  readonly accepted: Secret | null;
  /** What became of the refresh token that this call presented; null: it presented none. */
  readonly presented: 'answered' | NotConsumed | null;
  /** How long this process has waited for the claim of another one, ms. */
  readonly waitedMs: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Step =
  | { readonly step: 'use'; readonly bearer: Bearer }
  | { readonly step: 'fail'; readonly error: ArtworkError }
  /** Read the record that the pointer names. */
  | { readonly step: 'open' }
  /** Read how far the renewal has come. */
  | { readonly step: 'look' }
  | { readonly step: 'move'; readonly to: Pointer }
  | { readonly step: 'present'; readonly grant: RenewableGrant; readonly attempt: number }
  | { readonly step: 'wait' };

type RenewableGrant = UsableGrant & { readonly refreshToken: Secret };

/**
 * The rules of renewal: the next step of a call that needs an access token (Authentication 9 and 11; Errors, 401). A
 * refresh token is presented once. Only a proof that it was not consumed allows the next attempt.
 */
function decide({ stored, grant, renewal }: Seen, asking: Asking): Step {
  const { pointer } = stored;
  const { rejected, now } = asking;
  const { connection, generation } = pointer;
  const isRejected = rejected !== null && isPointerAt(pointer, rejected);
  const end = (reason: 'renewal_unknown' | 'no_refresh_token'): Step => ({
    step: 'move',
    to: { state: 'reconnect_required', reason, connection, generation },
  });

  switch (pointer.state) {
    case 'disconnecting':
      return { step: 'fail', error: notConnectedError(asking.key, true) };

    case 'reconnect_required': {
      if (renewal === null) return { step: 'look' };
      const to = recovered(pointer, renewal);
      return to === null
        ? { step: 'fail', error: reconnectRequiredError(pointer.reason) }
        : { step: 'move', to };
    }

    case 'uncertain': {
      if (renewal === null) return { step: 'look' };
      const to = recovered(pointer, renewal);
      if (to !== null) return { step: 'move', to };
      // The old access token serves until the service says 401.
      if (isRejected) return end('renewal_unknown');
      return grant === null ? { step: 'open' } : { step: 'use', bearer: bearerOf(pointer, grant) };
    }

    case 'active': {
      if (grant === null) return { step: 'open' };
      const { refreshToken } = grant;
      const use: Step = { step: 'use', bearer: bearerOf(pointer, grant) };
      const hasEnded = isRejected || isTokenExpired(grant, now);
      const isDue = isRejected || (asking.presented !== 'answered' && isRenewalDue(grant, now));
      if (!isDue) return use;
      const wasAccepted = asking.accepted?.reveal() === grant.accessToken.reveal();
      if (isRejected && !wasAccepted && wasJustRenewed(pointer, grant, now)) {
        return { step: 'fail', error: newTokenRefusedError() };
      }
      if (refreshToken === null) {
        if (!hasEnded) return use;
        // A clock may be wrong; the service's 401 is not.
        return isRejected
          ? end('no_refresh_token')
          : { step: 'fail', error: reconnectRequiredError('no_refresh_token') };
      }
      const withProof = (proof: NotConsumed): Step =>
        hasEnded ? { step: 'fail', error: renewalFailedError(proof) } : use;
      if (asking.presented !== null && asking.presented !== 'answered') return withProof(asking.presented);
      if (renewal === null) return { step: 'look' };
      const { last } = renewal;
      if (last?.claim.state === 'presented') {
        if (!hasEnded) return use;
        const to = recovered(pointer, renewal);
        if (to !== null) return { step: 'move', to };
        if (asking.waitedMs < holderLimitMs) return { step: 'wait' };
        return { step: 'move', to: { state: 'uncertain', connection, generation } };
      }
      const proof = postponement(last, now);
      if (proof !== null) return withProof(proof);
      return { step: 'present', grant: { ...grant, refreshToken }, attempt: (last?.attempt ?? 0) + 1 };
    }
  }
}

/**
 * A service that answers 401 to a token that it issued a moment ago would do so to the next one as well, so that no second
 * renewal is made within this time. That does not hold for a token that it has accepted before. ms
 */
const newTokenMs = 60_000;

function wasJustRenewed({ generation }: HeldPointer, grant: Grant, now: number): boolean {
  const age = now - grant.renewedAt;
  return generation > 1 && age >= 0 && age < newTokenMs && !isTokenExpired(grant, now);
}

/**
 * Where the pointer belongs after the work of a holder that may have died: the record of the next generation is stored but
 * the pointer does not name it yet, or the claim was released. Null: where it is.
 */
function recovered(pointer: HeldPointer, { next, last }: RenewalSeen): Pointer | null {
  const { connection, generation } = pointer;
  if (next !== null) return pointerTo({ connection, generation: generation + 1 }, next);
  const isReleased = last?.claim.state !== 'presented';
  return isRenewalInDoubt(pointer) && isReleased ? { state: 'active', connection, generation } : null;
}

/**
 * An access token for a protected call. Each round reads the store first, so that a token that another process received is
 * used. A call begins at most one renewal.
 * @throws ArtworkError not_connected, reconnect_required, cancelled; why a renewal failed that may be tried again; the
 * store's errors
 */
export async function obtainBearer(
  io: Io,
  memory: Memory,
  { rejected, signal }: BearerCall,
): Promise<Bearer> {
  const backoff = createBackoff(io.clock, pollPauses);
  let presented: Asking['presented'] = null;
  let seen: Seen | null = null;
  for (;;) {
    if (seen === null) {
      if (signal?.aborted === true) throw connectionCancelledError(signal);
      const stored = await readHeldPointer(io);
      if (stored === null) throw notConnectedError(io.key);
      seen = { stored, grant: null, renewal: null };
    }
    const { stored }: Seen = seen;
    const waitedMs = memory.waiting === null ? 0 : io.clock.monotonic() - memory.waiting.since;
    const { accepted } = memory;
    const step = decide(seen, { key: io.key, rejected, accepted, presented, waitedMs, now: io.clock.now() });
    switch (step.step) {
      case 'use':
        return step.bearer;
      case 'fail':
        throw step.error;
      case 'open': {
        const grant: UsableGrant | null = await grantAt(io, stored);
        seen = grant === null ? null : { ...seen, grant };
        break;
      }
      case 'look': {
        const renewal = await lookAtOutcome(io, stored.pointer);
        notice(io, memory, renewal.last);
        seen = { ...seen, renewal };
        break;
      }
      case 'move':
        await movePointer(io, stored, step.to);
        seen = null;
        break;
      case 'present': {
        const presenting = claimAndPresent(io, stored, step);
        presented = (await detached(io, memory, presenting, signal)) ?? presented;
        seen = null;
        break;
      }
      case 'wait':
        await backoff.pause(signal);
        seen = null;
        break;
    }
  }
}

async function lookAtOutcome(io: Io, { connection, generation }: HeldPointer): Promise<RenewalSeen> {
  const last = await lastAttempt(io, { connection, generation });
  return { last, next: await io.records.read(io.key, { connection, generation: generation + 1 }) };
}

function notice(io: Io, memory: Memory, last: Attempt | null): void {
  if (last?.claim.state !== 'presented' || memory.waiting?.claim === last.key) return;
  memory.waiting = { claim: last.key, since: io.clock.monotonic() };
}

/** The record that the pointer names; null where the pointer has moved since it was read. */
async function grantAt(io: Io, stored: StoredPointer<HeldPointer>): Promise<UsableGrant | null> {
  const grant = await io.records.read(io.key, stored.pointer);
  if (grant !== null && grant.flaw === null) return grant;
  // The record of a generation is removed once the next one counts.
  if (grant === null && (await readPointer(io))?.version !== stored.version) return null;
  throw damagedPointer();
}

/** Finishes the work of a holder that may have died. Answers whether the pointer may have changed. */
export async function recoverRenewal(io: Io, stored: StoredPointer<HeldPointer>): Promise<boolean> {
  const to = recovered(stored.pointer, await lookAtOutcome(io, stored.pointer));
  if (to !== null) await movePointer(io, stored, to);
  return to !== null;
}

/** Waits for a renewal until the call is aborted; the renewal goes on. */
async function detached<Value>(
  io: Io,
  memory: Memory,
  renewing: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  const running = renewing.then(
    () => undefined,
    () => undefined, // The call below gets the error, or it is logged.
  );
  memory.running.add(running);
  void running.then(() => memory.running.delete(running));
  if (signal === undefined) return renewing;
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(connectionCancelledError(signal));
      renewing.catch(() =>
        io.log.error('The result of a renewal could not be stored, after its call had been cancelled.'),
      );
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    renewing.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The pause before the next attempt where the failure asks for none. ms */
const pauseMs = 1000;

/**
 * Presents the refresh token of the generation that the pointer names, unless another process has. It runs to its end even
 * when the call that began it is aborted. Null: it was not presented. Rejections are the store's errors and those of
 * `TokenService.prepare`.
 */
async function claimAndPresent(
  io: Io,
  stored: StoredPointer<HeldPointer>,
  { grant, attempt }: Extract<Step, { step: 'present' }>,
): Promise<Asking['presented']> {
  const { connection, generation } = stored.pointer;
  const place = { connection, generation };
  await io.service.prepare();
  const claim = await claimAttempt(io, place, attempt);
  if (claim === null) return null;

  // With the claim no other process presents the token. The pointer is read again, since the connection may have been
  // ended meanwhile; a sign-in or an end that comes later finds the claim.
  let isStill = false;
  try {
    isStill = (await readPointer(io))?.version === stored.version;
  } finally {
    const proof = { why: 'not_sent', code: null, retryAfterMs: null } as const;
    if (!isStill) await releaseRenewal(io, claim, proof, 0);
  }
  return isStill ? present(io, place, grant, claim) : null;
}

async function present(
  io: Io,
  place: GrantPosition,
  grant: RenewableGrant,
  claim: RenewalClaim,
): Promise<Asking['presented']> {
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
      return 'answered';
    case 'not_consumed': {
      const { proof } = renewal;
      await releaseRenewal(io, claim, proof, proof.retryAfterMs ?? pauseMs);
      await movePointerAt(io, place, isRenewalInDoubt, { state: 'active', ...place });
      return proof;
    }
  }
  return 'answered';
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
    scopes: renewedScopes(grant.scopes, scopes),
    scopesUntold: grant.scopesUntold === true && (scopes === null || scopes.length === 0),
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
