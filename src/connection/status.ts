import type { KeyLocation } from '../store/seal.ts';
import { reconnectWords } from './failures.ts';
import { isExpired, type Memory, mayStillPresent, type Ports } from './renewal.ts';
import {
  type ConnectionRow,
  openTokens,
  permissionWords,
  type ReconnectReason,
  withheldScopes,
} from './row.ts';

export type ConnectionState =
  | 'not_connected'
  | 'connected'
  /** The answer to a renewal was lost; the connection works until the service refuses its access token. */
  | 'uncertain'
  | 'reconnect_required'
  /** Use is blocked; revoking it has not succeeded yet. */
  | 'disconnecting';

/** Everything but the tokens. */
export interface ConnectionStatus {
  readonly state: ConnectionState;
  readonly reason: ReconnectReason | null;
  /** A sentence for people about the state. */
  readonly explanation: string;
  readonly service: string;
  readonly clientId: string;
  readonly user: string;
  /** null: not connected, or unknown since `openid` was not granted. */
  readonly subject: string | null;
  /** The account's own name; untrusted text, cleaned. */
  readonly account: string | null;
  readonly scopes: readonly string[];
  /** Scopes that the sign-in asked for and that were not granted, as far as that is known. */
  readonly withheld: readonly string[];
  /** Of the access token, ISO 8601; null: not connected, or the service did not say. */
  readonly expiresAt: string | null;
  /** Whether this program can renew it. */
  readonly renewable: boolean;
  readonly signedInAt: string | null;
  /** null also where it was never renewed. */
  readonly renewedAt: string | null;
  /** Where the sealing key is kept; null: nothing was ever sealed. */
  readonly secrets: KeyLocation | null;
}

/** Rejections are the store's errors: a connection that can't be read is never shown as "not connected". */
export async function readStatus(
  ports: Ports,
  memory: Memory,
  secrets: KeyLocation | null,
): Promise<ConnectionStatus> {
  const { service, person: user } = ports.key;
  const { row } = await ports.rows.read(ports.key);
  // Sealed under a key that is lost, it could not be used: that is told here too.
  if (row !== null) await openTokens(ports.seal, ports.key, row);
  return {
    ...(await standingOf(ports, memory, row)),
    service,
    clientId: ports.clientId,
    user,
    subject: row?.subject ?? null,
    account: row?.account ?? null,
    scopes: row?.scopes ?? [],
    withheld: row === null ? [] : withheldScopes(row),
    expiresAt: iso(row?.expiresAt),
    signedInAt: iso(row?.signedInAt),
    renewedAt: row !== null && row.generation > 1 ? iso(row.renewedAt) : null,
    secrets,
  };
}

type Standing = Pick<ConnectionStatus, 'state' | 'reason' | 'explanation' | 'renewable'>;

async function standingOf(ports: Ports, memory: Memory, row: ConnectionRow | null): Promise<Standing> {
  const stands = (state: ConnectionState, explanation: string): Standing => {
    return { state, reason: null, explanation, renewable: false };
  };
  if (row === null) return stands('not_connected', `User "${ports.key.person}" is not connected.`);
  if (row.clientId !== ports.clientId) return ended('another_app');
  switch (row.state) {
    case 'reconnect_required':
      return ended(row.reason ?? 'refused');
    case 'disconnecting':
      return stands('disconnecting', 'Disconnected here, but not yet revoked. Disconnect again.');
    case 'uncertain':
    case 'active': {
      const { state, presenting } = row;
      const isLost = presenting !== null && !(await mayStillPresent(ports, memory, presenting));
      if (state === 'active' && !isLost) return activeStanding(row, ports.clock.now());
      return stands(
        'uncertain',
        'The answer to a renewal was lost. The connection works until the service refuses its access token. Then sign in again.',
      );
    }
  }
}

function ended(reason: ReconnectReason): Standing {
  return { state: 'reconnect_required', reason, explanation: reconnectWords[reason], renewable: false };
}

function activeStanding(row: ConnectionRow, now: number): Standing {
  const { renewable } = row;
  if (!renewable && isExpired(row, now)) return ended('no_refresh_token');
  const words = permissionWords(row).map((sentence) => ` ${sentence}`);
  const who = row.subject === null ? ' The account is unknown, since openid was not granted.' : '';
  const how = renewable
    ? 'Connected. The connection renews itself.'
    : "Connected until the access token expires. It can't be renewed, since offline_access was not granted.";
  return { state: 'connected', reason: null, explanation: [how, who, ...words].join(''), renewable };
}

function iso(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
