import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type CustomFetch,
  type IDToken,
  type TokenEndpointResponse,
} from 'openid-client';
import type { ArtworkError } from '../../errors.ts';
import type { Secret } from '../secret.ts';
import type { TokenAnswer } from '../ports.ts';
import { type AccountIdentity, askUserInfo, readIdentity } from './identity.ts';
import { loadMetadata, type ProviderMetadata } from './metadata.ts';
import { configureClient, type Provider } from './provider.ts';
import { exchangeFailed, exchangeRefused, identityRefused } from './refusals.ts';
import { type ReceivedAnswer, receiveTokenAnswer, readTokenAnswer, tokensOfAnswer } from './token-answer.ts';
import { isTokenSuccess, tokenRequest } from './token-request.ts';

interface AuthorizationRequest {
  /** As it is registered, to the letter. */
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly nonce: Secret;
  readonly verifier: Secret;
}

/** The address that a person opens (Authentication 6). */
export async function authorizationUrl(provider: Provider, request: AuthorizationRequest): Promise<string> {
  const nothingIsSent = async (): Promise<Response> => {
    throw new TypeError('Building an address sends nothing.');
  };
  const url = buildAuthorizationUrl(configureClient(provider, null, nothingIsSent), {
    response_type: 'code',
    client_id: provider.app.clientId,
    redirect_uri: request.redirectUri,
    resource: provider.addresses.resource,
    scope: request.scopes.join(' '),
    code_challenge: await calculatePKCECodeChallenge(request.verifier.reveal()),
    code_challenge_method: 'S256',
    state: request.state,
    nonce: request.nonce.reveal(),
    prompt: 'consent',
  });
  return url.href;
}

/** A callback (Authentication 7) whose state was found to be the attempt's. */
export interface CallbackCode {
  readonly code: Secret;
  /** The issuer, where it was named. */
  readonly issuer: string | null;
}

type CodeExchange =
  | { readonly outcome: 'granted'; readonly answer: TokenAnswer; readonly identity: AccountIdentity }
  | { readonly outcome: 'failed'; readonly error: ArtworkError };

/** Stores tokens as soon as they are received, before they are judged, so that they can be revoked in any case. */
export type Keep = (tokens: ReturnType<typeof tokensOfAnswer>) => Promise<void>;

/**
 * Exchanges the code for tokens, once (Authentication 8), and checks whom they are for: `iss`, audience,
 * times and nonce of the id_token where one comes. Rejects only when `keep` does.
 */
export async function exchangeCode(
  provider: Provider,
  request: AuthorizationRequest,
  callback: CallbackCode,
  keep: Keep,
): Promise<CodeExchange> {
  const metadata = await loadMetadata(provider.transport, provider.addresses);
  if (callback.issuer === null ? metadata.namesIssuer : callback.issuer !== metadata.issuer) {
    return { outcome: 'failed', error: identityRefused('iss') };
  }
  const received: { answer: ReceivedAnswer | null } = { answer: null };
  let keeping: Promise<void> | undefined;
  const sending = tokenRequest(provider, {
    // openid-client would leave out the query of the redirect URI, which is part of what is compared.
    amend: (form) => form.set('redirect_uri', request.redirectUri),
    receive: async (body) => {
      received.answer = receiveTokenAnswer(body);
      keeping = keep(tokensOfAnswer(received.answer));
      await keeping;
      return received.answer;
    },
  });
  const judge = (fetch: CustomFetch, withNonce: boolean) =>
    grant(provider, metadata, request, callback, fetch, withNonce);
  let judged = await judge(sending.fetch, true);
  await keeping;

  const result = sending.result();
  if (result?.end !== 'answered') return { outcome: 'failed', error: exchangeFailed(result) };
  if (!isTokenSuccess(result.status)) {
    const code = judged.ok ? null : sending.errorOf(judged.thrown);
    return { outcome: 'failed', error: exchangeRefused(result.status, code) };
  }
  if (!judged.ok) {
    const { id_token, ...rest } = received.answer ?? {};
    // A nonce makes openid-client insist on an id_token, and services leave it out: judged again without one.
    const again = await judge(async () => Response.json(rest), false);
    if (again.ok && id_token !== undefined) {
      return { outcome: 'failed', error: identityRefused(failedClaim(judged.thrown)) };
    }
    judged = again;
  }
  const answer = judged.ok ? readTokenAnswer(judged.tokens) : null;
  if (!judged.ok || answer === null) return { outcome: 'failed', error: exchangeRefused(200, null) };

  const told = readIdentity(judged.claims);
  const mayAsk = (answer.scopes ?? request.scopes).includes('openid') && told.account === null;
  if (!mayAsk) return { outcome: 'granted', answer, identity: told };
  const asked = await askUserInfo(provider, metadata, answer.accessToken, told.subject);
  const identity = { subject: told.subject ?? asked.subject, account: asked.account };
  return { outcome: 'granted', answer, identity };
}

type Judged =
  | { readonly ok: true; readonly tokens: TokenEndpointResponse; readonly claims: IDToken | undefined }
  /** It quotes the tokens: only `failedClaim` and `TokenRequest.errorOf` look at it. */
  | { readonly ok: false; readonly thrown: unknown };

async function grant(
  provider: Provider,
  metadata: ProviderMetadata,
  request: AuthorizationRequest,
  { code, issuer }: CallbackCode,
  fetch: CustomFetch,
  withNonce: boolean,
): Promise<Judged> {
  const callback = new URL(request.redirectUri);
  callback.search = new URLSearchParams({
    code: code.reveal(),
    state: request.state,
    ...(issuer === null ? {} : { iss: issuer }),
  }).toString();
  try {
    const tokens = await authorizationCodeGrant(
      configureClient(provider, metadata, fetch),
      callback,
      {
        expectedState: request.state,
        pkceCodeVerifier: request.verifier.reveal(),
        ...(withNonce ? { expectedNonce: request.nonce.reveal() } : {}),
      },
      { client_id: provider.app.clientId, resource: provider.addresses.resource },
    );
    return { ok: true, tokens, claims: tokens.claims() };
  } catch (thrown) {
    return { ok: false, thrown };
  }
}

/** The wrong claim's name. Nothing else of openid-client's error is used, since it quotes the tokens. */
function failedClaim(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 4; depth += 1) {
    const claim: unknown = Reflect.get(at, 'claim');
    if (typeof claim === 'string' && ['iss', 'aud', 'exp', 'nbf', 'nonce', 'azp'].includes(claim))
      return claim;
    at = Reflect.get(at, 'cause');
  }
  return null;
}
