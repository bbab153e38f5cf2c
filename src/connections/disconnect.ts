import {
  acquireSignInLease,
  removeTokenRecordsUpTo,
  retireLeftovers,
  type SignInLease,
  type UnfinishedRenewal,
} from './earlier-sign-ins.ts';
import type { Grant, GrantPosition, Io } from './grant.ts';
import {
  type HeldPointer,
  hasGrantEnded,
  movePointer,
  type Pointer,
  readHeldPointer,
  readPointer,
  type StoredPointer,
} from './pointer.ts';
import {
  isRenewalUnderWay,
  isSharedAccountGrant,
  mayRefreshTokenBeUsed,
  openGrantUnlessLost,
  revokeGrant,
} from './refresh-token.ts';

type Obstacle = 'network' | 'unavailable' | 'refused';

/** `unrevoked`: earlier sign-ins that still could not be revoked. */
export type Disconnection = { readonly unrevoked: number } & (
  | { readonly outcome: 'not_connected' }
  /** A sign-in has replaced it meanwhile. */
  | { readonly outcome: 'replaced' }
  | Ending
);

/** How a connection ended, or why it has not. */
export type Ending =
  /**
   * The service was told and agreed, except: `gone`, its code, where it answered that it no longer knows the connection;
   * `untold`, where nothing was sent, since the service had ended the connection before, or another program has ended it.
   */
  | {
      readonly outcome: 'disconnected';
      readonly gone?: string;
      readonly untold?: 'ended_before' | 'elsewhere';
    }
  /**
   * Deleted here, but not revoked: its record can't be opened, it holds no token, the service refuses to revoke it, or
   * revoking it might end the connection of another user of this machine with the same account.
   */
  | {
      readonly outcome: 'forgotten';
      readonly why: 'unreadable' | 'no_token' | 'refused' | 'shared';
      readonly code?: string | null;
    }
  /** Use is blocked, and the tokens are kept for a second try. */
  | ({ readonly outcome: 'not_revoked' } & Unrevoked)
  /** The second try has failed too: ended here, and the tokens are kept for `retireLeftovers`, which revokes them. */
  | ({ readonly outcome: 'ended_here' } & Unrevoked);

interface Unrevoked {
  readonly why: Obstacle;
  readonly code: string | null;
  /** Why nothing could be sent and what to do, in a sentence, where that is known. */
  readonly reason?: string | undefined;
}

type Blocked = StoredPointer<Pointer & { state: 'disconnecting' }>;

interface Block {
  readonly blocked: Blocked;
  /** Whether the refresh token may have been presented before: a service may then take it for stolen. */
  readonly mayBeUsed: boolean;
  readonly unfinished: UnfinishedRenewal | null;
}

/**
 * Blocks use at once, revokes, then deletes (Authentication 10). A renewal under way in another process finds the pointer
 * moved and revokes what it received. Does nothing without a connection. The second call finishes what the first could
 * not, or ends the connection here in any case, so that a failing service can't keep a person connected. Rejections are
 * the store's errors.
 */
export async function endConnection(io: Io): Promise<Disconnection> {
  const block = await blockUse(io);
  const lease = await acquireSignInLease(io, 'revocation');
  try {
    if (block === null) {
      const isConnected = (await readHeldPointer(io)) !== null;
      const unrevoked = isConnected ? 0 : await retireLeftovers(io, null, lease);
      return { outcome: isConnected ? 'replaced' : 'not_connected', unrevoked };
    }
    if ((await readPointer(io))?.version !== block.blocked.version) return await endedElsewhere(io, block);
    const ending = await endBlocked(io, block, block.blocked.pointer.tried);
    return { ...ending, unrevoked: await retireLeftovers(io, block.blocked.pointer, lease) };
  } finally {
    await lease.release(block?.unfinished);
  }
}

/**
 * Ends the connection of this key and the leftovers of earlier ones, under the lease of a sign-in. Null where there was no
 * connection.
 */
export async function endEarlierConnection(io: Io, lease: SignInLease): Promise<Ending | null> {
  const block = await blockUse(io);
  const ending = block === null ? null : await endBlocked(io, block, false);
  // A service that can't be reached now is not tried again for each leftover.
  const isReachable = ending?.outcome !== 'not_revoked' || ending.why === 'refused';
  if (isReachable) await retireLeftovers(io, block?.blocked.pointer ?? null, lease);
  return ending;
}

/** The outcome where another process has moved the pointer of a connection that was blocked here. */
async function endedElsewhere(io: Io, { blocked }: Block): Promise<Disconnection> {
  const pointer = (await readHeldPointer(io))?.pointer;
  if (pointer === undefined) return { outcome: 'disconnected', untold: 'elsewhere', unrevoked: 0 };
  if (pointer.connection !== blocked.pointer.connection) return { outcome: 'replaced', unrevoked: 0 };
  return { outcome: 'not_revoked', why: 'unavailable', code: null, unrevoked: 0 };
}

async function blockUse(io: Io): Promise<Block | null> {
  for (;;) {
    const stored = await readHeldPointer(io);
    if (stored === null) return null;
    const { pointer, version } = stored;
    if (pointer.state === 'disconnecting') {
      return { blocked: { pointer, version }, mayBeUsed: true, unfinished: await unfinishedAt(io, pointer) };
    }
    const { connection, generation } = pointer;
    const ended = hasGrantEnded(pointer);
    const blocking = { state: 'disconnecting', ended, tried: false, connection, generation } as const;
    if (!(await movePointer(io, stored, blocking))) continue;
    const moved = await readPointer(io);
    if (moved?.pointer.state !== 'disconnecting' || moved.pointer.connection !== connection) continue;
    return {
      blocked: { pointer: moved.pointer, version: moved.version },
      mayBeUsed: await mayRefreshTokenBeUsed(io, pointer),
      unfinished: await unfinishedAt(io, pointer),
    };
  }
}

async function unfinishedAt(
  io: Io,
  { connection, generation }: GrantPosition,
): Promise<UnfinishedRenewal | null> {
  const until = await isRenewalUnderWay(io, { connection, generation });
  return until === null ? null : { connection, generation, until };
}

/** Revokes a blocked connection, then deletes it. @param repeated revoking it has failed before */
async function endBlocked(io: Io, block: Block, repeated: boolean): Promise<Ending> {
  const { blocked } = block;
  const { pointer } = blocked;
  const newest = await openNewest(io, pointer);
  const ending = await end(io, block, newest?.grant ?? null, repeated);
  switch (ending.outcome) {
    case 'not_revoked':
      await movePointer(io, blocked, { ...pointer, tried: true });
      break;
    case 'ended_here':
      await movePointer(io, blocked, { state: 'disconnected' });
      break;
    case 'disconnected':
    case 'forgotten':
      // The pointer first: after a kill in between the records are leftovers, which are revoked again.
      await movePointer(io, blocked, { state: 'disconnected' });
      await removeTokenRecordsUpTo(io, newest?.place ?? pointer);
      break;
  }
  return ending;
}

async function end(
  io: Io,
  { blocked, mayBeUsed }: Block,
  newest: Grant | null,
  repeated: boolean,
): Promise<Ending> {
  if (blocked.pointer.ended) return { outcome: 'disconnected', untold: 'ended_before' };
  if (newest === null) return { outcome: 'forgotten', why: 'unreadable' };
  if (mayBeUsed && (await isSharedAccountGrant(io, newest))) return { outcome: 'forgotten', why: 'shared' };
  const revocation = await revokeGrant(io, newest);
  switch (revocation.outcome) {
    case 'revoked':
      return { outcome: 'disconnected' };
    case 'gone':
      return { outcome: 'disconnected', gone: revocation.code };
    case 'no_token':
      return { outcome: 'forgotten', why: 'no_token' };
    case 'failed': {
      const { why, code, reason } = revocation;
      // The interface document revokes refresh tokens; an access token alone ends by itself.
      const ends = newest.refreshToken === null || repeated;
      if (why === 'refused' && ends) return { outcome: 'forgotten', why, code };
      return { outcome: repeated ? 'ended_here' : 'not_revoked', why, code, reason };
    }
  }
}

/** The newest grant of the connection whose record can be opened; null where none ever can. */
async function openNewest(
  io: Io,
  { connection, generation }: HeldPointer,
): Promise<{ readonly place: GrantPosition; readonly grant: Grant } | null> {
  for (const place of [
    { connection, generation: generation + 1 },
    { connection, generation },
  ]) {
    const grant = await openGrantUnlessLost(io, place);
    if (grant !== null) return { place, grant };
  }
  return null;
}
