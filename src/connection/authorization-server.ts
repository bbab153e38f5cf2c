import type { CustomFetch, ServerMetadata } from 'openid-client';
import type { Dispatcher } from 'undici';
import { ArtworkError } from '../errors.ts';
import { exchange } from '../http/exchange.ts';
import { SettingsError } from '../settings.ts';
import {
  foreignAnswer,
  type Issued,
  issuedOf,
  nameIn,
  type Observed,
  type Renewal,
  type Revocation,
  redeemFailure,
  renewalFailure,
  revocationFailure,
} from './oauth-answers.ts';
import type { Secret } from './row.ts';

/** The registered app and its service (Authentication 3, 4). */
export interface RegisteredApp {
  /** `{base_url}`, `{auth_url}`: without a trailing slash. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  /** null: a public app. Read when it is needed. */
  readonly clientSecret: { read(): string } | null;
  readonly redirectUri: string;
}

/** Connections for one request. */
export interface OwnDispatchers {
  for(origin: string): Dispatcher;
  /** Ends every connection at once. */
  destroy(): Promise<void>;
}

/**
 * Starts a service that may have ended, and makes sure that it is the right one, before anything is sent to it.
 * @throws ArtworkError service_unavailable, which says why
 */
export type Wake = () => Promise<void>;

/** What one sign-in asks for and later proves. */
export interface SignInSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly scopes: readonly string[];
}

/** The authorization server. No rejection holds a token or a code. */
export interface AuthorizationServer {
  /** Whether a request can be sent at all. @throws ArtworkError why the service can't be woken, or the secret be read */
  prepare(): Promise<void>;
  /** Where the person signs in (Authentication 6). @throws ArtworkError why the service can't be woken */
  authorizationUrl(secrets: SignInSecrets): Promise<string>;
  /** Exchanges the code (Authentication 8). @param iss the issuer that the callback named @throws ArtworkError */
  redeem(secrets: SignInSecrets, code: string, iss: string | null): Promise<Issued>;
  /** Presents a refresh token, once (Authentication 9). Never rejects. */
  renew(refresh: Secret, of: { readonly issuer: string; readonly subject: string | null }): Promise<Renewal>;
  /** Authentication 10. Never rejects. */
  revoke(refresh: Secret, limitMs: number): Promise<Revocation>;
}

const answerBytes = 256 * 1024;
const requestMs = 30_000;
/** For what a sign-in can do without, ms. */
const optionalMs = 5_000;
const decadeSeconds = 10 * 366 * 86_400;

// Signatures are not checked: an identity comes straight from the token endpoint (OpenID Connect Core, 3.1.3.7).
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS384', 'RS512', 'ES384', 'ES512'];

interface ServerParts {
  readonly app: RegisteredApp;
  /** Makes the connections of one request: one that was idle may be closed at its other end already. */
  connect(): OwnDispatchers;
  readonly wake?: Wake | undefined;
  readonly userAgent: string;
}

/**
 * The authorization server of an app, through openid-client: its requests go through our own HTTP, which knows whether
 * they left, and its results are taken as they are. Its errors are caught and not looked at, since they carry tokens: what
 * a failure means is judged by what our HTTP saw.
 */
export function createAuthorizationServer(parts: ServerParts): AuthorizationServer {
  const { app, connect, wake, userAgent } = parts;
  const authority = `${app.authUrl}/api/auth`;
  // The settings allow it on the loopback alone.
  const isPlain = [app.baseUrl, app.authUrl].some((url) => url.startsWith('http:'));
  // Loaded for a request alone: most calls find a good token in the store.
  const library = () => import('openid-client');

  /** Our HTTP as the library calls it. Nothing is sent twice, and no redirect is followed. */
  const fetchInto =
    (observed: Observed): CustomFetch =>
    async (url, options) => {
      const { origin, pathname, search } = new URL(url);
      const { body, headers, method, signal = AbortSignal.timeout(requestMs) } = options;
      const dispatchers = connect();
      try {
        observed.seen = await exchange(dispatchers.for(origin), {
          method: method === 'POST' ? 'POST' : 'GET',
          origin,
          path: pathname + search,
          headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': userAgent },
          ...(body instanceof URLSearchParams ? { body: Buffer.from(body.toString()) } : {}),
          maxBytes: answerBytes,
          headersMs: 0,
          bodyMs: 0,
          signal,
        });
      } finally {
        // The answer doesn't wait for the socket's end.
        dispatchers.destroy().catch(() => undefined);
      }
      if (observed.seen.end !== 'answered') throw new Error('no answer');
      const { head, body: bytes } = observed.seen;
      const told = Object.entries(head.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const { status } = head;
      return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers: told });
    };

  /** The library for one request, with the document's paths, which win over the metadata's. */
  const configured = async (
    observed: Observed,
    { issuer = authority, userinfo = '', timeoutMs = requestMs, toleranceSeconds = 30 } = {},
  ) => {
    const client = await library();
    const secret = readSecret(app);
    const configuration = new client.Configuration(
      {
        issuer,
        authorization_endpoint: `${authority}/oauth2/authorize`,
        token_endpoint: `${app.baseUrl}/api/auth/oauth2/token`,
        revocation_endpoint: `${app.baseUrl}/api/auth/oauth2/revoke`,
        id_token_signing_alg_values_supported: algorithms,
        userinfo_endpoint: userinfo,
      },
      app.clientId,
      { [client.clockTolerance]: toleranceSeconds },
      secret === null ? client.None() : client.ClientSecretBasic(secret),
    );
    configuration[client.customFetch] = fetchInto(observed);
    configuration.timeout = timeoutMs / 1000;
    if (isPlain) client.allowInsecureRequests(configuration);
    return { client, configuration };
  };

  /** What the document leaves to the metadata (Authentication 13). Where none can be read the document alone decides. */
  const readMetadata = async (): Promise<ServerMetadata> => {
    const client = await library();
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      try {
        const at = new URL(`${authority}/.well-known/${name}`);
        const found = await client.discovery(at, app.clientId, undefined, client.None(), {
          [client.customFetch]: fetchInto({ seen: null }),
          timeout: optionalMs / 1000,
          execute: isPlain ? [client.allowInsecureRequests] : [],
        });
        return found.serverMetadata();
      } catch {
        // The other address, or none.
      }
    }
    return { issuer: authority };
  };

  /** The account's name: only our own service is asked for it, and a connection is as good without. */
  const withName = async (issued: Issued, { issuer, userinfo_endpoint: userinfo = '' }: ServerMetadata) => {
    const { tokens, subject, name } = issued;
    const isOwn = [app.baseUrl, app.authUrl].some((url) => userinfo.startsWith(`${new URL(url).origin}/`));
    if (!isOwn || subject === null || name !== null) return issued;
    try {
      const there = { issuer, userinfo, timeoutMs: optionalMs };
      const { client, configuration } = await configured({ seen: null }, there);
      const told = await client.fetchUserInfo(configuration, tokens.access.reveal(), subject);
      return { ...issued, name: nameIn(told, tokens.access.reveal()) };
    } catch {
      return issued;
    }
  };

  return {
    async prepare() {
      readSecret(app);
      await Promise.all([library(), wake?.()]);
    },

    async authorizationUrl({ state, verifier, nonce, scopes }) {
      // A browser asks next, and can't wake it.
      await wake?.();
      const { client, configuration } = await configured({ seen: null });
      return client.buildAuthorizationUrl(configuration, {
        response_type: 'code',
        redirect_uri: app.redirectUri,
        resource: `${app.baseUrl}/me`,
        scope: scopes.join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        // A strict server refuses one that comes without `openid`.
        ...(scopes.includes('openid') ? { nonce } : {}),
        prompt: 'consent',
      }).href;
    },

    async redeem({ verifier, nonce }, code, iss) {
      const metadata = await readMetadata();
      const { issuer, authorization_response_iss_parameter_supported: namesIssuer = false } = metadata;
      if (iss === null ? namesIssuer : iss !== issuer) throw foreignAnswer('iss');
      const observed: Observed = { seen: null };
      const { client, configuration } = await configured(observed, { issuer });
      let issued: Issued;
      try {
        // Not authorizationCodeGrant: it leaves the query out of the registered redirect_uri.
        const answer = await client.genericGrantRequest(configuration, 'authorization_code', {
          client_id: app.clientId,
          code,
          redirect_uri: app.redirectUri,
          code_verifier: verifier,
          resource: `${app.baseUrl}/me`,
        });
        issued = issuedOf(answer, issuer, nonce);
      } catch {
        throw redeemFailure(observed);
      }
      return withName(issued, metadata);
    },

    async renew(refresh, { issuer, subject }) {
      const observed: Observed = { seen: null };
      // Who the account is was shown at the sign-in. An identity that comes again is not judged by the clock: that
      // would cost the tokens that come with it.
      const judged = { issuer, toleranceSeconds: decadeSeconds };
      const { client, configuration } = await configured(observed, judged);
      const form = { client_id: app.clientId };
      try {
        const answer = await client.refreshTokenGrant(configuration, refresh.reveal(), form);
        const issued = issuedOf(answer, issuer, null);
        const isForeign = subject !== null && issued.subject !== null && issued.subject !== subject;
        return isForeign ? { outcome: 'refused' } : { outcome: 'granted', issued };
      } catch {
        return renewalFailure(observed);
      }
    },

    async revoke(refresh, limitMs) {
      const observed: Observed = { seen: null };
      try {
        await wake?.();
        const { client, configuration } = await configured(observed, { timeoutMs: limitMs });
        const form = { client_id: app.clientId, token_type_hint: 'refresh_token' };
        await client.tokenRevocation(configuration, refresh.reveal(), form);
        return 'revoked';
      } catch {
        return revocationFailure(observed);
      }
    },
  };
}

/** @throws ArtworkError internal (`client_secret_unreadable`), which names the setting */
function readSecret({ clientSecret }: RegisteredApp): string | null {
  try {
    return clientSecret?.read() ?? null;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new ArtworkError('internal', error.message, { code: 'client_secret_unreadable' });
  }
}
