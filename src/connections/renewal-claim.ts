import { z } from 'zod';
import type { StoredValue } from '../storage/atomic-store.ts';
import type { Grant, GrantPosition } from './grant.ts';
import {
  damagedPointer,
  type HeldPointer,
  movePointer,
  type Pointer,
  type StoredPointer,
} from './pointer.ts';
import type { ConnectionKey, Io, NotConsumed } from './ports.ts';

/**
 * The right to present one refresh token. A claim stands for ever; only its holder releases it, with the proof that the
 * token was not consumed, which allows the next attempt.
 */
export interface RenewalClaim {
  readonly key: string;
  readonly version: number;
}

type RenewalClaimResult =
  | { readonly claim: 'won'; readonly won: RenewalClaim }
  /** Another process presents it, or has presented it and not recorded the outcome. */
  | { readonly claim: 'lost'; readonly key: string }
  /** The last attempt surely did not consume it, and the time for the next one has not come. */
  | { readonly claim: 'postponed'; readonly proof: NotConsumed };

const claimSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('presented'),
    by: z.string(),
    at: z.string(),
    /** Its request was answered, so that it can't reach the service later. The outcome is elsewhere. */
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

/** Longer than a holder's request lasts: a holder that lives has recorded the outcome by then. ms */
export const holderLimitMs = 35_000;

/** The longest pause that a service may ask for: a wrong clock or a hostile answer must not end the connection. ms */
const longestPauseMs = 5 * 60_000;

/** Claims the one presentation of a refresh token, before it is sent. */
export async function claimRenewal(io: Io, place: GrantPosition): Promise<RenewalClaimResult> {
  const last = await lastAttempt(io, place);
  if (last !== null) {
    const state = read(last.entry);
    if (state.state === 'presented') return { claim: 'lost', key: last.entry.key };
    const left = state.notBefore - io.clock.now();
    if (left > 0 && left <= longestPauseMs) {
      return { claim: 'postponed', proof: { why: state.why, code: state.code, retryAfterMs: left } };
    }
  }
  const key = attemptKey(place, (last?.attempt ?? 0) + 1);
  const value = { state: 'presented', by: io.random(), at: timestamp(io) };
  const { won, current } = await io.atomic.putIfAbsent(key, JSON.stringify(value));
  return won ? { claim: 'won', won: { key, version: current.version } } : { claim: 'lost', key };
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

/** Records that the request of this claim was answered. */
export async function markRenewalAnswered(io: Io, { key, version }: RenewalClaim): Promise<void> {
  const entry = await io.atomic.get(key);
  if (entry === null || entry.version !== version) return;
  await io.atomic.compareAndSet(key, version, JSON.stringify({ ...read(entry), answered: true }));
}

/** Until when a request with this refresh token may still reach the service, ms since 1970; null: none can. */
export async function isRenewalUnderWay(io: Io, place: GrantPosition): Promise<number | null> {
  const last = await lastAttempt(io, place);
  if (last === null) return null;
  const state = read(last.entry);
  if (state.state === 'released' || state.answered === true) return null;
  const until = Date.parse(state.at) + holderLimitMs;
  const left = until - io.clock.now();
  return left > 0 && left <= holderLimitMs ? until : null;
}

/** Why the service refused the last renewal of this generation without consuming its token; null: it did not refuse. */
export async function lastRenewalRefusal(io: Io, place: GrantPosition): Promise<NotConsumed | null> {
  const last = await lastAttempt(io, place);
  const state = last === null ? null : read(last.entry);
  if (state?.state !== 'released' || (state.why !== 'refused' && state.why !== 'invalid_client')) return null;
  return { why: state.why, code: state.code, retryAfterMs: null };
}

/** Whether the token was surely not consumed: it was never presented, or the last presentation is released. */
export async function isRenewalReleased(io: Io, place: GrantPosition): Promise<boolean> {
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

/** The pointer for a stored generation. */
export function pointerTo({ connection, generation }: GrantPosition, { flaw }: Grant): Pointer {
  switch (flaw) {
    case null:
      return { state: 'active', connection, generation };
    case 'unusable_answer':
    case 'other_subject':
      return { state: 'reconnect_required', reason: flaw, connection, generation };
    case 'unchecked':
      // Only a sign-in stores such a record, as generation 0, which no pointer names.
      return { state: 'reconnect_required', reason: 'unusable_answer', connection, generation };
  }
}

/**
 * Finishes the work of a holder that may have died: the record of the next generation is stored but the pointer does not
 * name it yet, or the claim was released. Answers whether the pointer may have changed.
 */
export async function recoverRenewal(
  io: Io,
  key: ConnectionKey,
  stored: StoredPointer<HeldPointer>,
): Promise<boolean> {
  const { connection, generation } = stored.pointer;
  const next = { connection, generation: generation + 1 };
  const grant = await io.records.read(key, next);
  if (grant !== null) {
    await movePointer(io, key, stored, pointerTo(next, grant));
    return true;
  }
  if (isRenewalInDoubt(stored.pointer) && (await isRenewalReleased(io, stored.pointer))) {
    await movePointer(io, key, stored, { state: 'active', connection, generation });
    return true;
  }
  return false;
}

/** Whether it is not known if the refresh token was consumed. A proof that it was not makes the connection active again. */
export function isRenewalInDoubt(pointer: Pointer): boolean {
  if (pointer.state === 'reconnect_required') return pointer.reason === 'renewal_unknown';
  return pointer.state === 'uncertain';
}
