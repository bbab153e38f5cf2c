import type { IncomingHttpHeaders } from 'node:http';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type CustomFetch,
  calculatePKCECodeChallenge,
  type IDToken,
  type TokenEndpointResponse,
} from 'openid-client';
import { z } from 'zod';
import type { ArtworkError } from '../../errors.ts';
import { cleanerWithout, cleanText, jsonOf } from '../../text.ts';
import type { Secret, TokenAnswer } from '../grant.ts';
import {
  clockRefused,
  configureClient,
  exchangeFailed,
  exchangeRefused,
  identityRefused,
  loadMetadata,
  type Provider,
  type ProviderMetadata,
} from './provider.ts';
import {
  isTokenSuccess,
  type ReceivedAnswer,
  readTokenAnswer,
  receiveTokenAnswer,
  tokenRequest,
  tokensOfAnswer,
} from './token-endpoint.ts';

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
    ...(asksForIdentity(request) ? { nonce: request.nonce.reveal() } : {}),
    prompt: 'consent',
  });
  return url.href;
}

/** Only then does an id_token come, which a nonce is for. A strict server refuses a nonce without `openid`. */
function asksForIdentity({ scopes }: AuthorizationRequest): boolean {
  return scopes.includes('openid');
}

/** A callback (Authentication 7) whose state was found to be the attempt's. */
export interface CallbackCode {
  readonly code: Secret;
  /** The issuer, where it was named. */
  readonly issuer: string | null;
}

type CodeExchange =
  | { readonly outcome: 'granted'; readonly answer: TokenAnswer; readonly identity: AccountIdentity }
  /** `tokens`: what was received all the same, and is to be revoked. */
  | {
      readonly outcome: 'failed';
      readonly error: ArtworkError;
      readonly tokens: ReturnType<typeof tokensOfAnswer> | null;
    };

/**
 * Exchanges the code for tokens, once (Authentication 8), and checks whom they are for: `iss`, audience,
 * times and nonce of the id_token where one comes. Never rejects.
 */
export async function exchangeCode(
  provider: Provider,
  request: AuthorizationRequest,
  callback: CallbackCode,
): Promise<CodeExchange> {
  const metadata = await loadMetadata(provider);
  if (callback.issuer === null ? metadata.namesIssuer : callback.issuer !== metadata.issuer) {
    return { outcome: 'failed', error: identityRefused('iss'), tokens: null };
  }
  const received: { answer: ReceivedAnswer | null } = { answer: null };
  const failed = (error: ArtworkError): CodeExchange => {
    return { outcome: 'failed', error, tokens: received.answer && tokensOfAnswer(received.answer) };
  };
  const sending = tokenRequest(provider, {
    // openid-client would leave out the query of the redirect URI, which is part of what is compared.
    amend: (form) => form.set('redirect_uri', request.redirectUri),
    receive: async (body) => {
      received.answer = receiveTokenAnswer(body);
      return received.answer;
    },
  });
  const judge = (fetch: CustomFetch, withNonce: boolean) =>
    grant(provider, metadata, request, callback, fetch, withNonce);
  let judged = await judge(sending.fetch, asksForIdentity(request));

  const result = sending.result();
  if (result?.end !== 'answered') return failed(exchangeFailed(result));
  if (!isTokenSuccess(result.status)) {
    const code = judged.ok ? null : sending.errorOf(judged.thrown);
    return failed(exchangeRefused(result.status, code));
  }
  if (!judged.ok) {
    const { id_token, ...rest } = received.answer ?? {};
    // A nonce makes openid-client insist on an id_token, and services leave it out: judged again without one.
    const again = await judge(async () => Response.json(rest), false);
    if (again.ok && id_token !== undefined) {
      const claim = failedClaim(judged.thrown);
      const error = isTime(claim)
        ? clockRefused(claim, secondsAhead(result.headers))
        : identityRefused(claim);
      return failed(error);
    }
    judged = again;
  }
  const answer = judged.ok ? readTokenAnswer(judged.tokens) : null;
  if (!judged.ok || answer === null) return failed(exchangeRefused(200, null));

  const told = readIdentity(judged.claims);
  const hasOpenid = told.subject !== null || (answer.scopes ?? request.scopes).includes('openid');
  const mayAsk = hasOpenid && told.account === null;
  if (!mayAsk) return { outcome: 'granted', answer, identity: told };
  const asked = await askUserInfo(provider, metadata, answer.accessToken, told.subject);
  const identity = { subject: told.subject ?? asked.subject, account: asked.account };
  return { outcome: 'granted', answer, identity };
}

type Judged =
  | { readonly ok: true; readonly tokens: TokenEndpointResponse; readonly claims: IDToken | undefined }
  /** It quotes the tokens: only `failedClaim` and `errorOf` of its request look at it. */
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

function isTime(claim: string | null): claim is 'exp' | 'nbf' {
  return claim === 'exp' || claim === 'nbf';
}

/** How far this machine's clock is ahead of the service's, in seconds; null: the service does not tell its own. */
function secondsAhead({ date }: IncomingHttpHeaders): number | null {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? null : Math.round((Date.now() - theirs) / 1000);
}

/** An account, as the service names it to an app. */
interface AccountIdentity {
  /** `sub`; null: not told. */
  readonly subject: string | null;
  /** A name for people, cleaned; null: not told. */
  readonly account: string | null;
}

const unknown: AccountIdentity = { subject: null, account: null };

const text = z.string().optional().catch(undefined);
const schema = z.looseObject({
  sub: z.string().min(1).max(255),
  name: text,
  preferred_username: text,
  nickname: text,
  email: text,
});

/**
 * Reads the standard claims (OpenID Connect Core, 5.1) of an id_token or of a userinfo answer. `quotes`: whether a claim
 * holds what the request was made with, and so tells no account.
 */
function readIdentity(claims: unknown, quotes: (claim: string) => boolean = () => false): AccountIdentity {
  const parsed = schema.safeParse(claims);
  if (!parsed.success || quotes(parsed.data.sub)) return unknown;
  const { sub, name = '', preferred_username = '', nickname = '', email = '' } = parsed.data;
  for (const each of [name, preferred_username, nickname, email]) {
    const account = quotes(each) ? null : cleanName(each);
    if (account !== null) return { subject: sub, account };
  }
  return { subject: sub, account: null };
}

/** Removes what moves a cursor or turns the direction of writing. Null: nothing is left. */
function cleanName(name: string): string | null {
  const clean = name
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '')
    .trim();
  return clean === '' ? null : [...clean].slice(0, 100).join('');
}

const timeoutMs = 5000;

/**
 * Asks the standard userinfo endpoint for the account, where the service sends no id_token or one without a name. The
 * interface document does not show it, so its address is the metadata's, but only on the origins that the tokens are for.
 * Never rejects: without an answer the name stays unknown.
 * @param subject of the id_token; an answer with another one is not used (OpenID Connect Core, 5.3.2)
 */
async function askUserInfo(
  { app, transport }: Provider,
  { userInfo }: ProviderMetadata,
  accessToken: Secret,
  subject: string | null,
): Promise<AccountIdentity> {
  const own = [app.baseUrl, app.authUrl].map((address) => new URL(address).origin);
  if (userInfo === null || !URL.canParse(userInfo) || !own.includes(new URL(userInfo).origin)) return unknown;
  const result = await transport({
    method: 'GET',
    url: new URL(userInfo),
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken.reveal()}` },
    body: null,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (result.end !== 'answered' || result.status !== 200) return unknown;
  const clean = cleanerWithout(accessToken.reveal());
  const claims = jsonOf(result.body.toString('utf8'));
  const identity = readIdentity(claims, (claim) => clean(claim) !== cleanText(claim));
  return subject !== null && identity.subject !== subject ? unknown : identity;
}
