import type { ConnectionId, Grant, GrantPosition, Io } from './grant.ts';
import {
  type HeldPointer,
  hasGrantEnded,
  movePointer,
  type Pointer,
  readHeldPointer,
  readPointer,
  type StoredPointer,
} from './pointer.ts';
import { mayRefreshTokenBeUsed, openGrantUnlessLost, revokeAndRemove, revokeGrant } from './refresh-token.ts';

type Obstacle = 'network' | 'unavailable' | 'refused';

/** How a connection ended, or why it has not. */
export type Disconnection =
  | { readonly outcome: 'not_connected' }
  /**
   * The service was told and agreed, except: `gone`, its code, where it answered that it no longer knows the connection;
   * `untold`, where nothing was sent, since the service had ended the connection before.
   */
  | { readonly outcome: 'disconnected'; readonly gone?: string; readonly untold?: 'ended_before' }
  /** Deleted here, but not revoked: its record can't be opened, it holds no token, or the service refuses to revoke it. */
  | {
      readonly outcome: 'forgotten';
      readonly why: 'unreadable' | 'no_token' | 'refused';
      readonly code?: string | null;
    }
  /** Use is blocked, and the tokens are kept for a second try. */
  | ({ readonly outcome: 'not_revoked' } & Unrevoked)
  /** The second try has failed too: deleted here all the same. */
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
}

/**
 * Blocks use at once, revokes, then deletes (Authentication 10). A renewal under way in another process finds the pointer
 * moved and revokes what it received. Does nothing without a connection. The second call finishes what the first could
 * not, or ends the connection here in any case, so that a failing service can't keep a person connected. Rejections are
 * the store's errors.
 */
export async function endConnection(io: Io): Promise<Disconnection> {
  const block = await blockUse(io);
  if (block === null) return { outcome: 'not_connected' };
  const { blocked } = block;
  const ending = await end(io, blocked.pointer, await openNewest(io, blocked.pointer));
  if (ending.outcome === 'not_revoked') await movePointer(io, blocked, { ...blocked.pointer, tried: true });
  else await forget(io, blocked);
  return ending;
}

/**
 * What became of the connection that a sign-in replaces. `revoked`: it has ended on the service; `forgotten`: it was
 * deleted, and may still exist there.
 */
export type Replaced = 'none' | 'revoked' | 'forgotten';

/**
 * Ends the connection that a sign-in replaces, before its code is exchanged: a service may take a token that comes again
 * for stolen, and end what it has granted by then. So a token that may have been used before is not sent at all.
 */
export async function replaceConnection(io: Io): Promise<Replaced> {
  const block = await blockUse(io);
  if (block === null) return 'none';
  const { blocked, mayBeUsed } = block;
  const { pointer } = blocked;
  const grant = pointer.ended || mayBeUsed ? null : await openGrantUnlessLost(io, pointer);
  const revocation = grant === null ? null : (await revokeGrant(io, grant)).outcome;
  await forget(io, blocked);
  return pointer.ended || revocation === 'revoked' || revocation === 'gone' ? 'revoked' : 'forgotten';
}

/** The pointer first, so that it never names a record that is gone. */
async function forget(io: Io, blocked: Blocked): Promise<void> {
  await movePointer(io, blocked, { state: 'disconnected' });
  await removeTokenRecords(io, blocked.pointer.connection);
}

/** Removes the records of one sign-in. */
export async function removeTokenRecords(io: Io, connection: ConnectionId): Promise<void> {
  for (const record of await io.records.list(io.key)) {
    if (record.connection === connection) await io.records.remove(io.key, record);
  }
}

/**
 * Revokes what a renewal received for a connection that a person has ended meanwhile. What a sign-in has replaced is only
 * forgotten: the service could take its token for stolen, and end the new connection too.
 */
export async function revokeSuperseded(io: Io, place: GrantPosition, grant: Grant): Promise<void> {
  const pointer = (await readHeldPointer(io))?.pointer;
  const isReplaced = pointer !== undefined && pointer.connection !== place.connection;
  if (isReplaced) await io.records.remove(io.key, place);
  else await revokeAndRemove(io, place, grant);
}

async function blockUse(io: Io): Promise<Block | null> {
  for (;;) {
    const stored = await readHeldPointer(io);
    if (stored === null) return null;
    const { pointer, version } = stored;
    if (pointer.state === 'disconnecting') return { blocked: { pointer, version }, mayBeUsed: true };
    const { connection, generation } = pointer;
    const ended = hasGrantEnded(pointer);
    const blocking = { state: 'disconnecting', ended, tried: false, connection, generation } as const;
    if (!(await movePointer(io, stored, blocking))) continue;
    const moved = await readPointer(io);
    if (moved?.pointer.state !== 'disconnecting' || moved.pointer.connection !== connection) continue;
    return {
      blocked: { pointer: moved.pointer, version: moved.version },
      mayBeUsed: await mayRefreshTokenBeUsed(io, pointer),
    };
  }
}

async function end(
  io: Io,
  { ended, tried }: Blocked['pointer'],
  newest: Grant | null,
): Promise<Exclude<Disconnection, { outcome: 'not_connected' }>> {
  if (ended) return { outcome: 'disconnected', untold: 'ended_before' };
  if (newest === null) return { outcome: 'forgotten', why: 'unreadable' };
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
      const ends = newest.refreshToken === null || tried;
      if (why === 'refused' && ends) return { outcome: 'forgotten', why, code };
      return { outcome: tried ? 'ended_here' : 'not_revoked', why, code, reason };
    }
  }
}

/** The newest grant of the connection whose record can be opened; null where none ever can. */
async function openNewest(io: Io, { connection, generation }: HeldPointer): Promise<Grant | null> {
  return (
    (await openGrantUnlessLost(io, { connection, generation: generation + 1 })) ??
    (await openGrantUnlessLost(io, { connection, generation }))
  );
}
