import type { Clock } from '../clock.ts';
import { ArtworkError } from '../errors.ts';
import type { Seal } from '../store/seal.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { newTokenRefusedError, notConnectedError, reconnectError } from './failures.ts';
import type { Issued, Renewal } from './oauth-answers.ts';
import {
  type Bearer,
  type ConnectionKey,
  type ConnectionRow,
  type ConnectionRows,
  openTokens,
  renewedScopes,
  type Secret,
  type SeenRow,
  sealTokens,
} from './row.ts';

/** All of the outside world that a connection uses; simulations bring their own. */
export interface Ports {
  readonly key: ConnectionKey;
  /** The registered app of the settings. */
  readonly clientId: string;
  readonly rows: ConnectionRows;
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  readonly server: Pick<AuthorizationServer, 'prepare' | 'renew' | 'revoke'>;
  readonly clock: Clock;
  /** This process, and whether another one is known to have ended. */
  readonly holders: { readonly self: string; isGone(holder: string): boolean | Promise<boolean> };
  /** 32 hexadecimal digits. */
  readonly random: () => string;
}

/** What one process remembers of its connection. */
export interface Memory {
  /** The renewal of this process: it resolves to why it failed, if the refresh token was not consumed. Never rejects. */
  running: Promise<Error | null> | null;
  /** What this process may be presenting. */
  readonly holding: Set<string>;
  /** Since when this process sees what another one presents, by its own clock. */
  watched: { readonly id: string; readonly since: number } | null;
  /** A renewal's end that the store did not take. */
  unsaved: { readonly id: string; readonly renewal: Renewal } | null;
  /** The access token that a renewal of this process brought, until the service accepts it. */
  untried: { readonly access: Secret; readonly at: number } | null;
}

export function newMemory(): Memory {
  return { running: null, holding: new Set(), watched: null, unsaved: null, untried: null };
}

/** How early a token is renewed, ms: clocks differ, and requests take time. A short-lived one in the last fifth of its life. */
const renewBeforeMs = 60_000;
/** How long one who presents a token is taken for alive, ms: longer than a request may take. */
const presenterLivesMs = 35_000;
/** How long a call with a good token waits for the renewal of another process, ms. */
const patienceMs = 5_000;
/** How long writing a renewal's end is tried before the calls hear of it, ms. */
const keepTryingMs = 20_000;
/** A token that is refused as soon as it was issued asks for no other one so soon, ms. */
const untriedMs = 60_000;

export function isExpired({ expiresAt }: Pick<ConnectionRow, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

function isRenewalDue({ expiresAt, renewedAt }: ConnectionRow, now: number): boolean {
  return expiresAt !== null && now >= expiresAt - Math.min(renewBeforeMs, (expiresAt - renewedAt) / 5);
}

/** The row of a connection that can be used. @throws not_connected, reconnect_required, the store's errors */
export async function readUsable(ports: Ports): Promise<SeenRow<ConnectionRow>> {
  const { version, row } = await ports.rows.read(ports.key);
  if (row === null) throw notConnectedError(ports.key);
  if (row.clientId !== ports.clientId) throw reconnectError('another_app');
  if (row.state === 'disconnecting') throw notConnectedError(ports.key, true);
  if (row.state === 'reconnect_required') throw reconnectError(row.reason ?? 'refused');
  return { version, row };
}

/**
 * An access token for a protected call, renewed before it ends, or after a 401. A refresh token is presented by the one
 * process that wrote so into the row; all others wait and look again.
 * @param rejected the bearer that was answered with 401; null: none was
 * @throws not_connected, reconnect_required, cancelled; why a renewal failed that may be tried again; the store's errors
 */
export async function obtainBearer(
  ports: Ports,
  memory: Memory,
  rejected: Bearer | null,
  signal?: AbortSignal,
): Promise<Bearer> {
  const { clock } = ports;
  const began = clock.monotonic();
  let failure: Error | null = null;
  for (let pause = 25; ; pause = Math.min(pause * 2, 400)) {
    if (signal?.aborted === true) throw new ArtworkError('cancelled', 'The call was cancelled.');
    // It may end while the row is read: how it ended is this call's too.
    const begun = memory.running;
    const seen = await readUsable(ports);
    const { row } = seen;
    const now = clock.now();
    const isRejected = rejected?.connection === row.connection && rejected.generation === row.generation;
    const isGood = !isRejected && !isExpired(row, now);
    const mayRenew = row.renewable && row.state === 'active' && failure === null;
    if (isGood && !(mayRenew && isRenewalDue(row, now))) return bearerOf(ports, row);
    if (failure !== null) throw failure;
    const running = begun ?? memory.running;
    if (running !== null) {
      failure = (await Promise.race([running, clock.sleep(1_000, signal)])) ?? null;
    } else if (memory.unsaved !== null) {
      const { id, renewal } = memory.unsaved;
      run(memory, () => keep(ports, memory, id, renewal));
    } else if (row.presenting === null) {
      const isFresh = isRejected && !isExpired(row, now) && isUntried(memory, rejected, clock);
      if (isFresh) throw newTokenRefusedError();
      if (!row.renewable) await requireReconnect(ports, seen, 'no_refresh_token');
      else run(memory, () => renew(ports, memory, seen));
    } else if (row.state === 'active') {
      const isWaitedFor = await mayStillPresent(ports, memory, row.presenting);
      if (isWaitedFor && isGood && clock.monotonic() - began > patienceMs) return bearerOf(ports, row);
      if (isWaitedFor) await clock.sleep(pause, signal);
      else await ports.rows.write(ports.key, seen.version, { ...row, state: 'uncertain' });
    } else {
      await requireReconnect(ports, seen, 'uncertain');
    }
  }
}

/** Unless somebody has changed the row meanwhile. Its `presenting` stays: a late success still heals it. */
async function requireReconnect(
  { rows, key }: Ports,
  { version, row }: SeenRow<ConnectionRow>,
  reason: 'no_refresh_token' | 'uncertain',
): Promise<void> {
  await rows.write(key, version, { ...row, state: 'reconnect_required', reason });
}

async function bearerOf({ seal, key }: Ports, row: ConnectionRow): Promise<Bearer> {
  const { connection, generation, subject, scopes, scopesUntold } = row;
  const { access } = await openTokens(seal, key, row);
  return { connection, generation, token: access, subject, scopes, scopesUntold };
}

/** Whether the one who wrote that it presents the token may still be at it. */
export async function mayStillPresent(
  { holders, clock }: Ports,
  memory: Memory,
  { id, holder }: NonNullable<ConnectionRow['presenting']>,
): Promise<boolean> {
  if (holder === holders.self) return memory.holding.has(id);
  if (await holders.isGone(holder)) return false;
  if (memory.watched?.id !== id) memory.watched = { id, since: clock.monotonic() };
  return clock.monotonic() - memory.watched.since <= presenterLivesMs;
}

/** Runs the one renewal of this process. It goes on when nobody waits for it any more. */
function run(memory: Memory, work: () => Promise<Error | null>): void {
  memory.running = work()
    .catch((error: unknown) => (error instanceof Error ? error : new Error('a renewal failed')))
    .finally(() => {
      memory.running = null;
    });
}

/** @returns why it failed, if the refresh token was not consumed; null: look again */
async function renew(ports: Ports, memory: Memory, seen: SeenRow<ConnectionRow>): Promise<Error | null> {
  const { refresh } = await openTokens(ports.seal, ports.key, seen.row);
  if (refresh === null) throw reconnectError('no_refresh_token');
  await ports.server.prepare();
  const id = await claim(ports, memory, seen.version, seen.row);
  if (id === null) return null;
  return await keep(ports, memory, id, await ports.server.renew(refresh, seen.row));
}

/**
 * Writes that this process presents the refresh token from now on, before it leaves.
 * @returns the id under which it does; null: somebody else was faster
 */
export async function claim(
  { rows, key, holders, random }: Ports,
  memory: Memory,
  seenVersion: number,
  row: ConnectionRow,
): Promise<string | null> {
  const id = random();
  memory.holding.add(id);
  const claimed = { ...row, presenting: { id, holder: holders.self } };
  try {
    if ((await rows.write(key, seenVersion, claimed)) === 'won') return id;
  } catch (error) {
    // It may have been written all the same. Nothing has left, which the next call writes down.
    const unsent = new ArtworkError('network', 'Nothing was sent.', { cause: error });
    memory.unsaved ??= { id, renewal: { outcome: 'not_consumed', error: unsent } };
    throw error;
  }
  memory.holding.delete(id);
  return null;
}

/** Changes the row of one who presents a token, unless it was replaced meanwhile. @param change null deletes the row */
export async function changeClaimed(
  { rows, key }: Ports,
  id: string,
  change: (row: ConnectionRow) => Promise<ConnectionRow | null> | ConnectionRow | null,
): Promise<void> {
  for (;;) {
    const { version, row } = await rows.read(key);
    if (row?.presenting?.id !== id) return;
    if ((await rows.write(key, version, await change(row))) === 'won') return;
  }
}

/** Writes what exists nowhere else, for as long as the store does not take it. @throws the store's error in the end */
export async function insist<Value>(clock: Clock, write: () => Promise<Value>): Promise<Value> {
  const began = clock.monotonic();
  for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      return await write();
    } catch (error) {
      if (clock.monotonic() - began > keepTryingMs) throw error;
      await clock.sleep(pause);
    }
  }
}

/** Writes how a renewal ended; where the store does not take it, the next call tries once more. */
async function keep(ports: Ports, memory: Memory, id: string, renewal: Renewal): Promise<Error | null> {
  const { clock } = ports;
  memory.unsaved = { id, renewal };
  // Ended or replaced meanwhile: what was received is forgotten.
  await insist(clock, () => changeClaimed(ports, id, (row) => settled(ports, row, renewal)));
  memory.unsaved = null;
  memory.holding.delete(id);
  if (renewal.outcome === 'granted') {
    memory.untried = { access: renewal.issued.tokens.access, at: clock.monotonic() };
  }
  return renewal.outcome === 'not_consumed' ? renewal.error : null;
}

/** The row after a renewal, its tokens sealed. */
async function settled(
  { seal, key, clock }: Ports,
  row: ConnectionRow,
  renewal: Renewal,
): Promise<ConnectionRow> {
  const next = afterRenewal(row, renewal, clock.now());
  if (renewal.outcome !== 'granted') return next;
  const { access, refresh } = renewal.issued.tokens;
  const tokens = { access, refresh: refresh ?? (await openTokens(seal, key, row)).refresh };
  return { ...next, sealed: await sealTokens(seal, key, next, tokens) };
}

/** The row after a renewal, with the tokens as they were. Whoever disconnects goes on doing so. */
function afterRenewal(row: ConnectionRow, renewal: Renewal, now: number): ConnectionRow {
  const state = row.state === 'disconnecting' ? row.state : 'active';
  const over: ConnectionRow = { ...row, state, reason: null, presenting: null };
  switch (renewal.outcome) {
    case 'granted':
      return {
        ...over,
        generation: row.generation + 1,
        scopes: renewedScopes(row.scopes, renewal.issued.scopes),
        expiresAt: endOf(renewal.issued, now),
        renewedAt: now,
      };
    case 'not_consumed':
      return over;
    case 'refused':
      return state === 'active' ? { ...over, state: 'reconnect_required', reason: 'refused' } : over;
    case 'unknown':
      return row.state === 'active' ? { ...row, state: 'uncertain' } : row;
  }
}

/** When an access token ends that was issued now. A service may say anything. */
export function endOf({ expiresInSeconds: seconds }: Issued, now: number): number | null {
  return seconds === null || seconds < 0 ? null : now + Math.min(seconds, 1e9) * 1000;
}

function isUntried({ untried }: Memory, rejected: Bearer, clock: Clock): boolean {
  return untried?.access.reveal() === rejected.token.reveal() && clock.monotonic() - untried.at < untriedMs;
}
