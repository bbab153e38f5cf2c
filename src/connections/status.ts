import type { KeyLocation } from '../store/keys.ts';
import { notConnectedError, oauthRefusalError, reconnectRequiredError, reconnectWords } from './failures.ts';
import {
  type ConnectionId,
  type Grant,
  type GrantPosition,
  type Io,
  isTokenExpired,
  scopesUntoldWords,
  withheldScopes,
} from './grant.ts';
import {
  damagedPointer,
  type HeldPointer,
  type ReconnectReason,
  readHeldPointer,
  readPointer,
  type StoredPointer,
} from './pointer.ts';
import { lastRenewalRefusal } from './refresh-token.ts';
import { recoverRenewal } from './renewal.ts';

export type ConnectionState =
  | 'not_connected'
  | 'connected'
  /** The answer to a renewal was lost; the connection works until the service refuses its access token. */
  | 'uncertain'
  | 'reconnect_required'
  /** The access token has ended, and the service does not let the app renew it: a person mends the settings. */
  | 'app_refused'
  /** Use is blocked; revoking it has not succeeded yet. */
  | 'disconnecting';

/** Everything but the tokens. */
export interface ConnectionStatus {
  readonly state: ConnectionState;
  readonly reason: ReconnectReason | 'renewal_refused' | null;
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
export async function readStatus(io: Io, secrets: KeyLocation | null): Promise<ConnectionStatus> {
  const { service, clientId, user } = io.key;
  for (;;) {
    const stored = await readHeldPointer(io);
    if (stored !== null && (await isRecovered(io, stored))) continue;
    const pointer = stored?.pointer ?? null;
    const common = { service, clientId, user, secrets };
    if (pointer === null) {
      const explanation = `User "${user}" is not connected.`;
      return { ...factsOf(0, null), ...common, state: 'not_connected', explanation };
    }
    const grant = await io.records.read(io.key, pointer);
    if (grant === null) {
      if ((await readPointer(io))?.version !== stored?.version) continue;
      throw damagedPointer();
    }
    const told = factsOf(pointer.generation, grant);
    switch (pointer.state) {
      case 'active':
        return { ...common, ...told, ...(await activeFacts(io, pointer, grant)) };
      case 'uncertain': {
        const explanation =
          'The answer to a renewal was lost: the connection works until the service refuses its access token, then sign in again.';
        return { ...common, ...told, state: 'uncertain', explanation };
      }
      case 'reconnect_required': {
        const { state, reason } = pointer;
        return { ...common, ...told, state, reason, explanation: reconnectWords[reason] };
      }
      case 'disconnecting': {
        const explanation = 'Disconnected here, but not yet revoked: disconnect again.';
        return { ...common, ...told, state: 'disconnecting', explanation };
      }
    }
  }
}

type ActiveFacts = Pick<ConnectionStatus, 'state' | 'reason' | 'explanation' | 'renewable'>;

async function activeFacts(io: Io, place: GrantPosition, grant: Grant): Promise<ActiveFacts> {
  const isOver = isTokenExpired(grant, io.clock.now());
  const withheld = withheldWords(grant);
  if (grant.refreshToken === null) {
    if (!isOver) {
      const explanation = `${connectedWords(grant)}${withheld}`;
      return { state: 'connected', reason: null, explanation, renewable: false };
    }
    const reason = 'no_refresh_token';
    return { state: 'reconnect_required', reason, explanation: reconnectWords[reason], renewable: false };
  }
  const last = await lastRenewalRefusal(io, place);
  if (last === null) {
    const explanation = `${connectedWords(grant)}${withheld}`;
    return { state: 'connected', reason: null, explanation, renewable: true };
  }
  const { meaning, remedy, signInHelps } = oauthRefusalError(last);
  const code = last.code === null ? '' : ` (${last.code})`;
  const refused = `the service refused the last renewal${code}. ${meaning} ${remedy}`;
  const explanation = isOver
    ? `The access token has ended, and ${refused}`
    : `Connected only until the access token ends: ${refused}${withheld}`;
  const ended = signInHelps ? 'reconnect_required' : 'app_refused';
  return { state: isOver ? ended : 'connected', reason: 'renewal_refused', explanation, renewable: false };
}

function withheldWords(grant: Grant): string {
  const withheld = withheldScopes(grant);
  const untold = grant.scopesUntold === true ? ` ${scopesUntoldWords}` : '';
  return withheld.length === 0 ? untold : ` Not granted, though asked for: ${withheld.join(' ')}.${untold}`;
}

/** The connected account and its scopes, for checks before a request. */
export interface Account {
  readonly connection: ConnectionId;
  readonly subject: string | null;
  readonly scopes: readonly string[];
}

/**
 * The account that is connected now, as the stored connection says.
 * @throws ArtworkError not_connected, reconnect_required; the store's errors
 */
export async function readAccount(io: Io): Promise<Account> {
  for (;;) {
    const stored = await readHeldPointer(io);
    if (stored === null) throw notConnectedError(io.key);
    const { pointer } = stored;
    if (pointer.state === 'disconnecting') throw notConnectedError(io.key, true);
    if (await isRecovered(io, stored)) continue;
    if (pointer.state === 'reconnect_required') throw reconnectRequiredError(pointer.reason);
    const grant = await io.records.read(io.key, pointer);
    if (grant !== null) {
      return { connection: pointer.connection, subject: grant.subject, scopes: grant.scopes };
    }
    if ((await readPointer(io))?.version === stored.version) throw damagedPointer();
  }
}

/**
 * Whose connection is stored, whether or not it still works: what is kept for that account is this account's until it
 * is disconnected. Null: nothing is connected.
 * @throws the store's errors
 */
export async function readHolder(io: Io): Promise<Pick<Account, 'connection' | 'subject'> | null> {
  const stored = await readHeldPointer(io);
  if (stored === null || stored.pointer.state === 'disconnecting') return null;
  const { connection } = stored.pointer;
  const grant = await io.records.read(io.key, stored.pointer);
  return { connection, subject: grant?.subject ?? null };
}

/** Finishes an interrupted renewal, so that a connection that works is not shown as one that has ended. */
async function isRecovered(io: Io, stored: StoredPointer<HeldPointer>): Promise<boolean> {
  const { state } = stored.pointer;
  return (state === 'uncertain' || state === 'reconnect_required') && recoverRenewal(io, stored);
}

/** @param grant null: nothing is connected */
function factsOf(generation: number, grant: Grant | null) {
  return {
    reason: null,
    subject: grant?.subject ?? null,
    account: grant?.account ?? null,
    scopes: grant?.scopes ?? [],
    withheld: grant === null ? [] : withheldScopes(grant),
    expiresAt: iso(grant?.expiresAt),
    renewable: grant !== null && grant.refreshToken !== null,
    signedInAt: iso(grant?.signedInAt),
    renewedAt: generation > 1 ? iso(grant?.renewedAt) : null,
  };
}

function connectedWords({ subject, refreshToken }: Grant): string {
  const who = subject === null ? ' The account is unknown, since openid was not granted.' : '';
  return refreshToken === null
    ? `Connected until the access token ends; nothing renews it, since offline_access was not granted.${who}`
    : `Connected; it renews itself.${who}`;
}

function iso(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
