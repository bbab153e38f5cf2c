import { randomBytes } from 'node:crypto';
import { sleep } from '../clock.ts';
import { ArtworkError } from '../errors.ts';
import { isStoreError } from '../store/errors.ts';
import type { Store } from '../store/open.ts';
import type { AuthorizationServer, SignInSecrets } from './authorization-server.ts';
import { type Callback, canListen, listenForCallback, type Page, readPastedCallback } from './callback.ts';
import { openRefresh } from './disconnect.ts';
import { signInRefusedError } from './failures.ts';
import type { Issued, Revocation } from './oauth-answers.ts';
import { changeClaimed, claim, endOf, insist, type Memory, mayStillPresent, type Ports } from './renewal.ts';
import { type ConnectionRow, connectionId, grantedScopes, permissionWords, sealTokens } from './row.ts';

export interface SignInRequest {
  readonly scopes: readonly string[];
  /** A person's word that a connection whose key is lost may be replaced. */
  readonly replace?: boolean;
  /** false: a person pastes the callback. Also where the callback is not plain http on loopback. */
  readonly listen?: boolean;
}

/** A sign-in that waits for the person, for ten minutes at most. */
export interface SignIn {
  /** The address to open: it holds no token and no verifier. */
  readonly url: string;
  /** ISO 8601. */
  readonly beganAt: string;
  readonly expiresAt: string;
  /** Whether this process listens for the callback, so that a person need not paste it. */
  readonly listening: boolean;
  /** Resolves once the connection is stored; rejects with an ArtworkError. A caller may ignore it. */
  readonly done: Promise<SignedIn>;
  /**
   * Takes the callback URL that a person copied. Resolves where it was that of this sign-in; `done` tells the outcome.
   * @throws ArtworkError invalid_arguments (`not_the_callback`, `state_unknown`): the sign-in waits on
   */
  paste(text: string): Promise<void>;
  /** Ends the waiting; resolves once the port is free. */
  cancel(): Promise<void>;
}

/** What a sign-in stored. */
export interface SignedIn {
  readonly account: string | null;
  readonly subject: string | null;
  /** What was not granted, in sentences. */
  readonly permissions: readonly string[];
  /** The connection before may still exist on the service. */
  readonly leftOne: boolean;
}

const signInMs = 10 * 60_000;
/** The code lives for a minute or less: nothing before its exchange may take long, ms. */
const beforeExchangeMs = 5_000;
/** How long the address waits for the key that seals, ms. */
const keyMs = 1_000;

/**
 * Makes a sign-in the connection of its key: revokes what is stored, if it can be, exchanges the code, then writes the
 * row. Revoking comes first, since a server may end what it granted by then together with the token that it is told to
 * revoke; and it is claimed like a renewal, so that no other process sends that token meanwhile.
 * @param redeem exchanges the code, and checks the answer
 * @throws ArtworkError why the exchange failed; the store's errors
 */
export async function completeSignIn(
  ports: Ports,
  memory: Memory,
  asked: readonly string[],
  redeem: () => Promise<Issued>,
): Promise<SignedIn> {
  const { rows, key, clock } = ports;
  await ports.server.prepare();
  const { claimed, revocation } = await revokeStored(ports, memory);
  try {
    const row = await newRow(ports, asked, await redeem());
    // A person's sign-in counts, whatever else was written meanwhile.
    await insist(clock, async () => {
      while ((await rows.write(key, (await rows.read(key)).version, row)) === 'lost');
    });
    const { account, subject } = row;
    return { account, subject, permissions: permissionWords(row), leftOne: revocation !== 'revoked' };
  } catch (error) {
    const ended = { state: 'reconnect_required', reason: 'replaced' } as const;
    const stands = revocation === 'not_sent' ? {} : ended;
    if (claimed !== null) {
      await changeClaimed(ports, claimed, (row) => ({ ...row, ...stands, presenting: null }));
    }
    throw error;
  } finally {
    memory.holding.delete(claimed ?? '');
  }
}

/** Ends the stored connection on the service. @returns under which id its token was sent; null: it was not */
async function revokeStored(
  ports: Ports,
  memory: Memory,
): Promise<{ readonly claimed: string | null; readonly revocation: Revocation }> {
  const { rows, key, clock } = ports;
  const began = clock.monotonic();
  for (;;) {
    const { version, row } = await rows.read(key);
    if (row === null) {
      // The store takes a write, so that it will take the tokens.
      if ((await rows.write(key, version, null)) === 'won') return { claimed: null, revocation: 'revoked' };
      continue;
    }
    const { presenting } = row;
    const isInTime = clock.monotonic() - began < beforeExchangeMs;
    if (presenting !== null && isInTime && (await mayStillPresent(ports, memory, presenting))) {
      await clock.sleep(100);
      continue;
    }
    if (row.reason === 'refused') return { claimed: null, revocation: 'revoked' };
    // A token that may have been used before could be taken for stolen, with all that the person has there.
    const isFree = presenting === null && row.clientId === ports.clientId;
    const refresh = isFree ? await openRefresh(ports, row) : null;
    if (refresh === null) return { claimed: null, revocation: 'failed' };
    const claimed = await claim(ports, memory, version, row);
    if (claimed !== null)
      return { claimed, revocation: await ports.server.revoke(refresh, beforeExchangeMs) };
  }
}

async function newRow(ports: Ports, asked: readonly string[], issued: Issued): Promise<ConnectionRow> {
  const now = ports.clock.now();
  const { tokens, subject, name, scopes: told, issuer } = issued;
  const renewable = tokens.refresh !== null;
  const place = { connection: connectionId.parse(ports.random()), generation: 1 };
  return {
    ...place,
    state: 'active',
    reason: null,
    clientId: ports.clientId,
    issuer,
    sealed: await sealTokens(ports.seal, ports.key, place, tokens),
    renewable,
    presenting: null,
    subject,
    account: name,
    scopes: grantedScopes(asked, told, { subject, renewable }),
    asked: [...asked],
    scopesUntold: told === null,
    expiresAt: endOf(issued, now),
    signedInAt: now,
    renewedAt: now,
  };
}

interface Site {
  readonly ports: Ports;
  readonly memory: Memory;
  readonly server: AuthorizationServer;
  readonly storage: Pick<Store, 'seal'>;
  readonly redirectUri: string;
}

/**
 * Begins a sign-in, which goes on in the background. Its address is there within two seconds, whatever state the store is in.
 * @throws sign_in_waits, port_taken, port_unusable; the key's errors
 */
export async function beginSignIn(
  site: Site,
  { scopes, replace = false, listen = true }: SignInRequest,
  lifetimeMs = signInMs,
): Promise<SignIn> {
  const { ports, redirectUri, server } = site;
  const sealing = ensureSealing(site, replace);
  await Promise.race([sealing, sleep(keyMs)]);
  const draw = () => randomBytes(32).toString('base64url');
  const secrets = { state: draw(), verifier: draw(), nonce: draw(), scopes };
  // A promise settles once: so does each callback count once.
  let take: (callback: Callback) => void = () => undefined;
  let end: (error: ArtworkError) => void = () => undefined;
  const came = new Promise<Callback>((resolve, reject) => {
    take = resolve;
    end = reject;
  });
  const done = Promise.all([came, sealing])
    .then(([callback]) => complete(site, secrets, callback))
    .catch((error: unknown) => {
      throw error instanceof ArtworkError ? error : defect();
    });
  done.catch(() => undefined); // A caller may ignore it.
  const answer = async (callback: Callback): Promise<Page> => {
    if (callback.state !== secrets.state) return failurePage(stateUnknownError());
    take(callback);
    return done.then(successPage, failurePage);
  };
  const url = await server.authorizationUrl(secrets);
  const listens = listen && canListen(redirectUri);
  const free = listens ? await listenForCallback(redirectUri, answer) : null;
  const expired = endedError('sign_in_expired', 'This sign-in took longer than ten minutes. Start it again.');
  const timer = setTimeout(() => end(expired), lifetimeMs);
  const over = async () => {
    clearTimeout(timer);
    await free?.();
  };
  const ended = done.then(over, over);
  const began = ports.clock.now();
  return {
    url,
    beganAt: new Date(began).toISOString(),
    expiresAt: new Date(began + lifetimeMs).toISOString(),
    listening: listens,
    done,
    async paste(text) {
      const callback = readPastedCallback(redirectUri, text);
      if (callback.state !== secrets.state) throw stateUnknownError();
      take(callback);
      await ended;
    },
    async cancel() {
      end(endedError('sign_in_cancelled', 'The sign-in was cancelled.'));
      await ended;
    },
  };
}

/** Checks that tokens can be sealed. A new key is drawn only on a person's word that the old one is lost. */
async function ensureSealing({ storage }: Site, replace: boolean): Promise<void> {
  try {
    await storage.seal.seal('probe', '0', '');
  } catch (error) {
    if (!replace || !isStoreError(error, 'key_missing')) throw error;
    await storage.seal.replaceKey();
  }
}

async function complete(
  { ports, memory, server }: Site,
  secrets: SignInSecrets,
  { code, iss, error }: Callback,
): Promise<SignedIn> {
  if (error !== null) throw signInRefusedError(error);
  if (code === null) {
    const message = 'The service ended the sign-in without a code. Sign in again.';
    throw new ArtworkError('bad_response', message, { code: 'no_code' });
  }
  return await completeSignIn(ports, memory, secrets.scopes, () => server.redeem(secrets, code, iss));
}

function successPage({ account, permissions }: SignedIn): Page {
  const who = account === null ? '' : ` as ${account}`;
  return { status: 200, line: [`Connected${who}.`, ...permissions, 'You can close this page.'].join(' ') };
}

function failurePage(error: unknown): Page {
  const { code, message, next } = error instanceof ArtworkError ? error : defect();
  // Another process may wait for it and not be able to listen: then this address is its only copy.
  const keepsAddress = code === 'state_unknown';
  const why = next?.tool === undefined ? (next?.why ?? '') : '';
  return { status: 400, line: `Not connected. ${message} ${why}`.trim(), keepsAddress };
}

/** A callback for which no sign-in waits here. The code is worthless without the verifier. */
function stateUnknownError(): ArtworkError {
  const message =
    'No sign-in here waits for this answer, and it was not used. Open the address that was shown last. If "artwork-mcp connect" waits in a terminal of yours, copy this whole address and paste it there, and nowhere else.';
  return new ArtworkError('invalid_arguments', message, { code: 'state_unknown' });
}

function endedError(code: string, message: string): ArtworkError {
  return new ArtworkError('cancelled', message, { code });
}

function defect(): ArtworkError {
  // Without its cause, which may quote tokens.
  return new ArtworkError('internal', 'The sign-in failed. This is a defect of artwork-mcp.');
}
