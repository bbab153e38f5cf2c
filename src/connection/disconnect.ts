import { isStoreError } from '../store/errors.ts';
import { changeClaimed, claim, type Memory, mayStillPresent, type Ports } from './renewal.ts';
import { type ConnectionRow, openTokens, type Secret } from './row.ts';

/** How a connection ended, or why it has not. */
export type Disconnection =
  | { readonly outcome: 'not_connected' }
  /** The service has revoked it, or no longer knows it. */
  | { readonly outcome: 'disconnected' }
  /** Deleted here; there was no refresh token that could be revoked, or none that can be opened any more. */
  | { readonly outcome: 'forgotten' }
  /** Use is blocked; the tokens are kept for a second try. */
  | { readonly outcome: 'not_revoked' }
  /** The second try has failed too: deleted here all the same, so that a failing service keeps nobody connected. */
  | { readonly outcome: 'ended_here' };

/** How long a revocation may take, ms. */
const revokeMs = 15_000;

/**
 * Blocks use at once, revokes, then deletes (Authentication 10). Waits for a renewal under way, whose new token is the
 * one to revoke. Does nothing without a connection.
 * @throws the store's errors
 */
export async function endConnection(ports: Ports, memory: Memory): Promise<Disconnection> {
  const { rows, key, clock, server } = ports;
  let isSecondTry: boolean | null = null;
  for (;;) {
    const { version, row } = await rows.read(key);
    if (row === null) return { outcome: 'not_connected' };
    const { presenting } = row;
    const isPresented = presenting !== null && (await mayStillPresent(ports, memory, presenting));
    isSecondTry ??= row.state === 'disconnecting' && !isPresented;
    const blocked: ConnectionRow = { ...row, state: 'disconnecting', reason: null };
    if (isPresented) {
      if (row.state === 'disconnecting') await clock.sleep(100);
      else await rows.write(key, version, blocked);
      continue;
    }
    const refresh = await openRefresh(ports, row);
    if (refresh === null) {
      if ((await rows.write(key, version, null)) === 'won') return { outcome: 'forgotten' };
      continue;
    }
    const id = await claim(ports, memory, version, blocked);
    if (id === null) continue;
    const revocation = await server.revoke(refresh, revokeMs);
    const isOver = revocation === 'revoked';
    const isKept = !isOver && !isSecondTry;
    await changeClaimed(ports, id, (now) => {
      if (!isKept) return null;
      return revocation === 'not_sent' ? { ...now, presenting: null } : now;
    });
    memory.holding.delete(id);
    if (isOver) return { outcome: 'disconnected' };
    return { outcome: isKept ? 'not_revoked' : 'ended_here' };
  }
}

/** The refresh token; null where there is none, or none that can ever be opened. @throws the store's other errors */
export async function openRefresh({ seal, key }: Ports, row: ConnectionRow): Promise<Secret | null> {
  try {
    return (await openTokens(seal, key, row)).refresh;
  } catch (error) {
    if (isStoreError(error, 'key_missing') || isStoreError(error, 'record_tampered')) return null;
    throw error;
  }
}

/** The outcome of a disconnection, in sentences for people. */
export function disconnectionWords({ outcome }: Disconnection): string {
  switch (outcome) {
    case 'not_connected':
      return 'There was no connection.';
    case 'disconnected':
      return 'Disconnected: the service has revoked the connection, and it is deleted here.';
    case 'forgotten':
      return "Deleted here, but not revoked: no token to revoke was stored. To end the connection on the service, open the account's Apps area.";
    case 'not_revoked':
      return 'The service did not answer, so the connection still exists there. It is blocked here. Disconnect again later: what that needs is kept. If that fails too, the connection is deleted here all the same.';
    case 'ended_here':
      return "Deleted here. The service did not answer, so the connection may still exist there. To end it there, open the account's Apps area.";
  }
}
