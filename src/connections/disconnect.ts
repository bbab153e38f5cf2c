import type { Grant, Place } from './grant.ts';
import type { ConnectionKey } from './key.ts';
import { removeUpTo, retireLeftovers } from './leftovers.ts';
import {
  hasEnded,
  type HeldPointer,
  movePointer,
  type Pointer,
  readPointer,
  type StoredPointer,
} from './pointer.ts';
import type { Io } from './ports.ts';
import { openUnlessLost, revokeGrant } from './revoke.ts';
import type { Revocation } from './token-service.ts';

/** `unrevoked`: earlier sign-ins that still could not be revoked. */
export type Disconnection = { readonly unrevoked: number } & (
  | { readonly outcome: 'not_connected' }
  | { readonly outcome: 'disconnected' }
  /** Deleted here, but nothing was revoked: what was stored can't be opened, or the service won't revoke it. */
  | { readonly outcome: 'forgotten'; readonly why: 'unreadable' | 'refused' }
  /** Use is blocked, and what a second try needs is kept. */
  | {
      readonly outcome: 'not_revoked';
      readonly why: 'network' | 'unavailable' | 'refused';
      readonly code: string | null;
      /** Why nothing could be sent, in a sentence that says what to do, where that is known. */
      readonly reason?: string | undefined;
    }
);

type Blocked = StoredPointer<Pointer & { state: 'disconnecting' }>;

/**
 * Blocks use at once, revokes, then deletes (Authentication 10). A renewal under way elsewhere finds the
 * pointer moved and revokes what it received. Harmless without a connection; again, it finishes what could
 * not be finished. Rejections are the store's errors.
 */
export async function disconnect(io: Io, key: ConnectionKey): Promise<Disconnection> {
  const blocked = await block(io, key);
  if (blocked === null) {
    return { outcome: 'not_connected', unrevoked: await retireLeftovers(io, key, null) };
  }
  const { pointer } = blocked;
  const newest = await openNewest(io, key, pointer);
  const ending = await end(io, pointer, newest?.grant ?? null);
  if (ending.outcome !== 'not_revoked') {
    // First the pointer: killed in between, the records are left over and their revocation is repeated.
    await movePointer(io, key, blocked, { state: 'disconnected' });
    await removeUpTo(io, key, newest?.place ?? pointer);
  }
  return { ...ending, unrevoked: await retireLeftovers(io, key, pointer) };
}

async function block(io: Io, key: ConnectionKey): Promise<Blocked | null> {
  for (;;) {
    const stored = await readPointer(io, key);
    if (stored === null || stored.pointer.state === 'disconnected') return null;
    const { pointer, version } = stored;
    if (pointer.state === 'disconnecting') return { pointer, version };
    const { connection, generation } = pointer;
    const ended = hasEnded(pointer);
    await movePointer(io, key, stored, { state: 'disconnecting', ended, connection, generation });
  }
}

type Ending =
  | { readonly outcome: 'disconnected' }
  | { readonly outcome: 'forgotten'; readonly why: 'unreadable' | 'refused' }
  | {
      readonly outcome: 'not_revoked';
      readonly why: 'network' | 'unavailable' | 'refused';
      readonly code: string | null;
      readonly reason?: string | undefined;
    };

async function end(io: Io, pointer: Blocked['pointer'], newest: Grant | null): Promise<Ending> {
  if (pointer.ended) return { outcome: 'disconnected' };
  if (newest === null) return { outcome: 'forgotten', why: 'unreadable' };
  const revocation: Revocation = await revokeGrant(io, newest);
  if (revocation.fate === 'revoked') return { outcome: 'disconnected' };
  const { why, code, reason } = revocation;
  // The interface document revokes refresh tokens; a lone access token ends by itself.
  if (newest.refreshToken === null && why === 'refused') return { outcome: 'forgotten', why };
  return { outcome: 'not_revoked', why, code, reason };
}

/** The newest grant of the connection that can be opened; null where none can, now or ever. */
async function openNewest(
  io: Io,
  key: ConnectionKey,
  { connection, generation }: HeldPointer,
): Promise<{ readonly place: Place; readonly grant: Grant } | null> {
  for (const place of [
    { connection, generation: generation + 1 },
    { connection, generation },
  ]) {
    const grant = await openUnlessLost(io, key, place);
    if (grant !== null) return { place, grant };
  }
  return null;
}
