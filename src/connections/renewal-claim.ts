import { z } from 'zod';
import type { StoredValue } from '../storage/atomic-store.ts';
import type { GrantPosition } from './grant.ts';
import { damagedPointer } from './pointer.ts';
import type { Io } from './ports.ts';
import type { NotConsumed } from './token-service.ts';

/**
 * The right to present one refresh token. It stands for ever: only its holder may say, with proof, that the
 * token was not consumed, which opens the next attempt.
 */
export interface RenewalClaim {
  readonly key: string;
  readonly version: number;
}

export type RenewalClaimResult =
  | { readonly claim: 'won'; readonly won: RenewalClaim }
  /** Somebody else presents it, or did and has not said what came of it. */
  | { readonly claim: 'leased'; readonly key: string }
  /** The last attempt failed, provably without consuming it, and the next one is to wait. */
  | { readonly claim: 'postponed'; readonly proof: NotConsumed };

const claimSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('presented'),
    by: z.string(),
    at: z.string(),
    /** Its request has been answered, so that it can't reach the service later; not what came of it. */
    answered: z.boolean().optional(),
  }),
  z.object({
    state: z.literal('released'),
    at: z.string(),
    /** Milliseconds since 1970. */
    notBefore: z.number(),
    why: z.enum(['not_sent', 'invalid_client', 'refused', 'rate_limited']),
    code: z.string().nullable(),
  }),
]);

/** Longer than any holder's request lasts, so that a holder that lives has said by then what came of it. */
export const holderLimitMs = 35_000;

/** Longest that a service may have us wait, so that a wrong clock or a hostile answer can't end the connection. */
const longestPauseMs = 5 * 60_000;

export async function claimRenewal(io: Io, place: GrantPosition): Promise<RenewalClaimResult> {
  const last = await lastAttempt(io, place);
  if (last !== null) {
    const state = read(last.entry);
    if (state.state === 'presented') return { claim: 'leased', key: last.entry.key };
    const left = state.notBefore - io.clock.now();
    if (left > 0 && left <= longestPauseMs) {
      return { claim: 'postponed', proof: { why: state.why, code: state.code, retryAfterMs: left } };
    }
  }
  const key = attemptKey(place, (last?.attempt ?? 0) + 1);
  const value = { state: 'presented', by: io.random(), at: timestamp(io) };
  const { won, current } = await io.atomic.putIfAbsent(key, JSON.stringify(value));
  return won ? { claim: 'won', won: { key, version: current.version } } : { claim: 'leased', key };
}

/** Says that the token was not consumed. @param pauseMs how long nobody is to try again */
export async function releaseClaim(
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

/** Says that the request of this claim has been answered. */
export async function markAnswered(io: Io, { key, version }: RenewalClaim): Promise<void> {
  const entry = await io.atomic.get(key);
  if (entry === null || entry.version !== version) return;
  await io.atomic.compareAndSet(key, version, JSON.stringify({ ...read(entry), answered: true }));
}

/** Until when the request of a presentation may still reach the service, in ms since 1970; null: none may. */
export async function isUnderWay(io: Io, place: GrantPosition): Promise<number | null> {
  const last = await lastAttempt(io, place);
  if (last === null) return null;
  const state = read(last.entry);
  if (state.state === 'released' || state.answered === true) return null;
  const until = Date.parse(state.at) + holderLimitMs;
  const left = until - io.clock.now();
  return left > 0 && left <= holderLimitMs ? until : null;
}

/** Why the service refused the last renewal of this generation, which consumed nothing; null: it did not. */
export async function lastRefusal(io: Io, place: GrantPosition): Promise<NotConsumed | null> {
  const last = await lastAttempt(io, place);
  const state = last === null ? null : read(last.entry);
  if (state?.state !== 'released' || (state.why !== 'refused' && state.why !== 'invalid_client')) return null;
  return { why: state.why, code: state.code, retryAfterMs: null };
}

/** Whether the last presentation, if there was one, is proven not to have consumed the token. */
export async function isReleased(io: Io, place: GrantPosition): Promise<boolean> {
  const last = await lastAttempt(io, place);
  return last === null || read(last.entry).state === 'released';
}

async function lastAttempt(
  io: Io,
  place: GrantPosition,
): Promise<{ entry: StoredValue; attempt: number } | null> {
  const prefix = attemptPrefix(place);
  let last: StoredValue | undefined;
  for (;;) {
    const page = await io.atomic.scan(prefix, last?.key ?? null, 1000);
    last = page.at(-1) ?? last;
    if (page.length === 1000) continue;
    return last === undefined ? null : { entry: last, attempt: Number(last.key.slice(prefix.length)) };
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
  let json: unknown;
  try {
    json = JSON.parse(entry.value);
  } catch {
    throw damagedPointer();
  }
  const parsed = claimSchema.safeParse(json);
  if (!parsed.success) throw damagedPointer();
  return parsed.data;
}

function timestamp(io: Io): string {
  return new Date(io.clock.now()).toISOString();
}
