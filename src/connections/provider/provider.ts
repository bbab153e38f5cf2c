import * as oauth from 'openid-client';
import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { jsonOf } from '../../text.ts';
import { clientRefusedError, targetRefusedError } from '../failures.ts';
import type { Secret } from '../grant.ts';
import { type Transport, type TransportResult, unaskedContinue } from './transport.ts';

/** The registered app and where its service is. */
interface ClientRegistration {
  /** `{base_url}` without a trailing slash. */
  readonly baseUrl: string;
  /** `{auth_url}` without a trailing slash. */
  readonly authUrl: string;
  readonly clientId: string;
  /** null: a public client (Authentication 4). */
  readonly clientSecret: Secret | null;
}

export interface Provider {
  readonly app: ClientRegistration;
  readonly addresses: ProviderAddresses;
  readonly transport: Transport;
  /** How long one request may take, milliseconds; after that its outcome is unknown. */
  readonly requestMs: number;
}

/** What every request to the OAuth provider needs: this app, the addresses, the transport, the time. */
export function createProvider(app: ClientRegistration, transport: Transport, requestMs: number): Provider {
  return { app, addresses: providerAddresses(app), transport, requestMs };
}

/** Sets up openid-client for one request. Public clients send `client_id`, confidential ones also HTTP Basic. */
export function configureClient(
  { app, addresses, requestMs }: Provider,
  metadata: ProviderMetadata | null,
  fetch: oauth.CustomFetch,
): oauth.Configuration {
  const server: oauth.ServerMetadata = {
    issuer: metadata?.issuer ?? addresses.issuer,
    authorization_endpoint: addresses.authorize,
    token_endpoint: addresses.token,
    revocation_endpoint: addresses.revoke,
    ...(metadata === null
      ? {}
      : {
          id_token_signing_alg_values_supported: [...metadata.idTokenAlgorithms],
          authorization_response_iss_parameter_supported: metadata.namesIssuer,
        }),
  };
  const { clientId, clientSecret } = app;
  const authentication =
    clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret.reveal());
  const configuration = new oauth.Configuration(server, clientId, undefined, authentication);
  // The settings allow plain http on loopback only.
  if ([app.baseUrl, app.authUrl].some((url) => url.startsWith('http:'))) {
    oauth.allowInsecureRequests(configuration);
  }
  configuration.timeout = requestMs / 1000;
  configuration[oauth.customFetch] = fetch;
  return configuration;
}

/** The endpoints of the interface document (Authentication 6, 8, 10, 13); metadata can't move them. */
interface ProviderAddresses {
  readonly authorize: string;
  readonly token: string;
  readonly revoke: string;
  /** In the order in which they are asked. */
  readonly metadata: readonly string[];
  /** The issuer where no metadata names one. */
  readonly issuer: string;
  /** The only resource there is: `{base_url}/me`. */
  readonly resource: string;
}

function providerAddresses({ baseUrl, authUrl }: ClientRegistration): ProviderAddresses {
  const auth = `${authUrl}/api/auth`;
  const base = `${baseUrl}/api/auth`;
  return {
    authorize: `${auth}/oauth2/authorize`,
    token: `${base}/oauth2/token`,
    revoke: `${base}/oauth2/revoke`,
    metadata: [`${auth}/.well-known/openid-configuration`, `${auth}/.well-known/oauth-authorization-server`],
    issuer: auth,
    resource: `${baseUrl}/me`,
  };
}

/** What the interface document leaves to the metadata (Authentication 13). */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly idTokenAlgorithms: readonly string[];
  /** Whether every callback names its issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** The userinfo endpoint; null: not named. */
  readonly userInfo: string | null;
}

const schema = z.looseObject({
  issuer: z.string().min(1).max(2000),
  id_token_signing_alg_values_supported: z.array(z.string()).optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  userinfo_endpoint: z.string().max(2000).optional().catch(undefined),
});

// The signature is not checked: an id_token comes straight from the token endpoint (OpenID Connect Core, 3.1.3.7).
const usualAlgorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS384', 'RS512', 'ES384', 'ES512'];

/** Reads the metadata; without any that can be read the interface document decides. Never rejects. */
export async function loadMetadata({ transport, addresses }: Provider): Promise<ProviderMetadata> {
  for (const address of addresses.metadata) {
    const result = await transport({
      method: 'GET',
      url: new URL(address),
      headers: { accept: 'application/json' },
      body: null,
      signal: AbortSignal.timeout(5000),
    });
    const found = result.end === 'answered' && result.status === 200 ? read(result.body) : null;
    if (found !== null) return found;
  }
  return { issuer: addresses.issuer, idTokenAlgorithms: usualAlgorithms, namesIssuer: false, userInfo: null };
}

function read(body: Buffer): ProviderMetadata | null {
  const parsed = schema.safeParse(jsonOf(body.toString('utf8')));
  if (!parsed.success) return null;
  const algorithms =
    parsed.data.id_token_signing_alg_values_supported?.filter((name) => name !== 'none') ?? [];
  return {
    issuer: parsed.data.issuer,
    idTokenAlgorithms: algorithms.length > 0 ? algorithms : usualAlgorithms,
    namesIssuer: parsed.data.authorization_response_iss_parameter_supported === true,
    userInfo: parsed.data.userinfo_endpoint ?? null,
  };
}

/**
 * An `error` of OAuth (Authentication 7 and 10) if it looks like a code, else `unrecognized`: it could quote what was
 * sent.
 * @param sent what it must not be a part of
 */
export function oauthErrorCode(code: string, sent: readonly string[]): string {
  const quotes = sent.some((value) => value !== '' && (value.includes(code) || code.includes(value)));
  return !quotes && /^[a-z][a-z0-9_.-]{0,49}$/i.test(code) ? code : 'unrecognized';
}

/** The exchange got no whole answer. The code may be used up, so only a new sign-in helps. */
export function exchangeFailed(result: TransportResult | null): ArtworkError {
  const code = result === null || result.end === 'answered' ? null : result.code;
  if (code === unaskedContinue) {
    return new ArtworkError(
      'network',
      'The service answered the sign-in with 100 (Continue), which nothing had asked for, so its real answer could not be read: sign in again. If that goes on, a proxy before the service does it, or the service itself, and the people who run it can end it.',
    );
  }
  const told = code === null ? '' : ` (${code})`;
  return new ArtworkError(
    'network',
    `The service's answer to the sign-in did not arrive${told}: sign in again.`,
  );
}

/**
 * The error of a code that the service refused to exchange for tokens.
 * @param error the service's `error`, null where its answer held none
 */
export function exchangeRefused(status: number, error: string | null): ArtworkError {
  if (error === 'invalid_client') return clientRefusedError(error);
  if (status === 429) {
    const message = 'The service asks to wait: sign in again in a few minutes.';
    return new ArtworkError('rate_limited', message, { status, code: error ?? undefined });
  }
  if (status >= 500) {
    const message = `The service could not finish the sign-in (${status}): sign in again later.`;
    return new ArtworkError('service_unavailable', message, { status });
  }
  if (error === 'invalid_grant') {
    const message =
      'The service no longer accepts this sign-in (invalid_grant): it took too long, or was used already. Sign in again.';
    return new ArtworkError('forbidden', message, { status, code: error });
  }
  if (error === 'invalid_target') return targetRefusedError(error, status);
  if (error !== null) {
    return new ArtworkError('forbidden', `The service refused the sign-in (${error}).`, {
      status,
      code: error,
    });
  }
  return new ArtworkError(
    'bad_response',
    `The service answered the sign-in with ${status} and nothing that can be used.`,
    { status },
  );
}

/** The tokens are not for this sign-in, or not by this service. @param claim the wrong claim, where it is known */
export function identityRefused(claim: string | null): ArtworkError {
  const told = claim === null ? '' : ` (${claim})`;
  const message = `What the service answered does not belong to this sign-in${told}; nothing was stored. Check ARTWORK_AUTH_URL, then sign in again.`;
  return new ArtworkError('bad_response', message, { code: 'identity_mismatch' });
}

/** Less does not end a sign-in: an answer may be under way for a while. */
const clocksAgreeSeconds = 5 * 60;

/**
 * The id_token is not good at this moment, by this machine's clock.
 * @param ahead how far this machine's clock is ahead of the service's, in seconds; null: unknown
 */
export function clockRefused(claim: 'exp' | 'nbf', ahead: number | null): ArtworkError {
  const answer = claim === 'exp' ? 'has expired already' : 'is from the future';
  const refused = (words: string, code: string) =>
    new ArtworkError(
      'bad_response',
      `What the service answered ${answer} (${claim}); nothing was stored. ${words}`,
      { code },
    );
  if (ahead !== null && Math.abs(ahead) < clocksAgreeSeconds) {
    const words =
      "This machine's clock and the service's agree, so the people who run the service have to mend it.";
    return refused(words, 'identity_mismatch');
  }
  const differs =
    ahead === null ? '' : `, ${span(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service's`;
  const words = `The clock is the likely cause: this machine's says ${new Date(Date.now()).toISOString()}${differs}. Set it right, then sign in again.`;
  return refused(words, 'clock_wrong');
}

function span(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? `${hours} hours` : `${Math.round(seconds / 86_400)} days`;
}
