import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isRenewalUnderWay } from './renewal-claim.ts';
import { connectionId, type GrantPosition } from './grant.ts';
import { type ConnectionKey, type Io, pollPauses } from './ports.ts';
import { damagedPointer } from './pointer.ts';
import { createBackoff } from '../wire/backoff.ts';

/**
 * Some services take a refresh token for stolen when it is renewed or revoked after it was used or revoked before, and end
 * all refresh tokens of that account and app. So no token of an earlier sign-in may reach the service between the moment
 * when a new grant is made and the end of that connection. This lease makes sure of it: a sign-in holds it while it
 * revokes leftovers, exchanges the code and stores the connection; a revocation holds it for its requests; a renewal does
 * not begin while it is held. All users of an app share one lease, since their accounts may be the same.
 *
 * A process that is paused after its check and runs on after the lease has expired can still break this.
 */
export interface SignInLease {
  /** Renews the lease. Answers whether it is still held. */
  extend(): Promise<boolean>;
  /** @param unfinished a renewal whose request may still reach the service: a sign-in waits for its end */
  release(unfinished?: UnfinishedRenewal | null): Promise<void>;
}

export interface UnfinishedRenewal extends GrantPosition {
  /** Milliseconds since 1970; its request has ended by then. */
  readonly until: number;
}

/** Longer than the exchange of a code takes, with metadata before it and userinfo after it. ms */
const leaseMs = 50_000;

const schema = z.object({
  by: z.string(),
  /** Milliseconds since 1970; 0: released. */
  until: z.number(),
  unfinished: z.object({ connection: connectionId, generation: z.number(), until: z.number() }).nullable(),
});
type Stored = z.infer<typeof schema>;

/** Waits for the lease, until it expires at most. @param purpose a sign-in also waits for renewals under way */
export async function acquireSignInLease(
  io: Io,
  key: ConnectionKey,
  purpose: 'sign_in' | 'revocation',
): Promise<SignInLease> {
  const name = leaseName(key);
  const by = io.random();
  const held = (unfinished: Stored['unfinished']): string =>
    JSON.stringify({ by, until: io.clock.now() + leaseMs, unfinished });
  let seen = { version: -1, since: 0 };
  for (const backoff = createBackoff(io.clock, pollPauses); ; ) {
    const entry = await io.atomic.get(name);
    if (entry === null) {
      const { won, current } = await io.atomic.putIfAbsent(name, held(null));
      if (won) return leaseOf(io, name, by, current.version, null);
      continue;
    }
    const stored = read(entry.value);
    if (seen.version !== entry.version) seen = { version: entry.version, since: io.clock.monotonic() };
    // Measured by this process's own clock too, since people set the other one.
    const waitedOut = io.clock.monotonic() - seen.since >= leaseMs;
    const waits = isHeld(io, stored) || (purpose === 'sign_in' && (await isUnfinished(io, stored)));
    if (!waits || waitedOut) {
      const swap = await io.atomic.compareAndSet(name, entry.version, held(stored.unfinished));
      if (swap.outcome === 'swapped') {
        return leaseOf(io, name, by, swap.current.version, stored.unfinished);
      }
      continue;
    }
    await backoff.pause();
  }
}

/** Whether the lease is held, so that a renewal has to wait. */
export async function isSignInLeased(io: Io, key: ConnectionKey): Promise<boolean> {
  const entry = await io.atomic.get(leaseName(key));
  return entry !== null && isHeld(io, read(entry.value));
}

function leaseOf(io: Io, name: string, by: string, first: number, before: Stored['unfinished']): SignInLease {
  let version: number | null = first;
  const write = async (until: number, unfinished: Stored['unfinished']): Promise<boolean> => {
    if (version === null) return false;
    const swap = await io.atomic.compareAndSet(name, version, JSON.stringify({ by, until, unfinished }));
    version = swap.outcome === 'swapped' ? swap.current.version : null;
    return version !== null;
  };
  return {
    extend: () => write(io.clock.now() + leaseMs, before),
    async release(unfinished = null) {
      await write(0, unfinished ?? before);
    },
  };
}

function isHeld(io: Io, { until }: Stored): boolean {
  const left = until - io.clock.now();
  return left > 0 && left <= leaseMs;
}

async function isUnfinished(io: Io, { unfinished }: Stored): Promise<boolean> {
  if (unfinished === null) return false;
  const left = unfinished.until - io.clock.now();
  return left > 0 && left <= leaseMs && (await isRenewalUnderWay(io, unfinished)) !== null;
}

function leaseName({ service, clientId }: ConnectionKey): string {
  return `sign-in-lease:${createHash('sha256')
    .update(JSON.stringify([service, clientId]))
    .digest('base64url')}`;
}

function read(value: string): Stored {
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch {
    throw damagedPointer();
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw damagedPointer();
  return parsed.data;
}
