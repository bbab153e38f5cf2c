import { authorizationCodeGrant, type CustomFetch } from 'openid-client';
import type { ArtworkError } from '../../errors.ts';
import { type AccountIdentity, readIdentity } from '../account-name.ts';
import { Secret } from '../secret.ts';
import type { TokenAnswer } from '../token-service.ts';
import type { AuthorizationRequest } from './authorization-url.ts';
import { capture } from './capture.ts';
import { exchangeFailed, exchangeRefused, identityRefused } from './exchange-failures.ts';
import { loadMetadata, type ProviderMetadata } from './metadata.ts';
import { oauthError } from './oauth-error.ts';
import { configure, type Provider } from './provider.ts';
import { readTokenAnswer } from './token-answer.ts';
import { askUserInfo } from './user-info.ts';

/** What the callback brought (Authentication 7), its state already found to be the attempt's. */
export interface CallbackCode {
  readonly code: Secret;
  /** The issuer, where it was named. */
  readonly issuer: string | null;
}

export type CodeExchange =
  | { readonly outcome: 'granted'; readonly answer: TokenAnswer; readonly identity: AccountIdentity }
  | { readonly outcome: 'failed'; readonly error: ArtworkError };

/** Called as soon as tokens are there, before they are judged, so that they can be revoked whatever follows. */
export type Keep = (tokens: {
  readonly accessToken: Secret | null;
  readonly refreshToken: Secret | null;
}) => Promise<void>;

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
  // openid-client would leave out the query of the redirect URI, which is part of what is compared.
  const amend = (form: URLSearchParams) => form.set('redirect_uri', request.redirectUri);
  let kept: Promise<void> | undefined;
  const sending = capture(provider, {
    amend,
    onSuccess: async (body) => {
      const read = readTokenAnswer(body);
      const { refreshToken } = read.usable ? read.answer : read;
      kept = keep({
        accessToken: read.usable ? read.answer.accessToken : null,
        refreshToken: refreshToken instanceof Secret ? refreshToken : null,
      });
      await kept;
      return read.usable ? wireForm(read.answer) : {};
    },
  });
  const first = await grant(provider, metadata, request, callback, sending.fetch, true);
  await kept;

  const result = sending.result();
  if (result?.end !== 'answered') return { outcome: 'failed', error: exchangeFailed(result) };
  if (result.status !== 200) {
    const error = result.status < 500 ? oauthError(result.body, sending.secrets()) : null;
    return { outcome: 'failed', error: exchangeRefused(result.status, error) };
  }
  const read = readTokenAnswer(result.body);
  if (!read.usable) return { outcome: 'failed', error: exchangeRefused(200, null) };
  const { answer } = read;
  const granted = async (told: AccountIdentity): Promise<CodeExchange> => {
    const mayAsk = (answer.scopes ?? request.scopes).includes('openid') && told.account === null;
    if (!mayAsk) return { outcome: 'granted', answer, identity: told };
    const asked = await askUserInfo(provider, metadata, answer.accessToken, told.subject);
    const identity = { subject: told.subject ?? asked.subject, account: asked.account };
    return { outcome: 'granted', answer, identity };
  };
  if (first.ok) return granted(first.identity);
  if (answer.idToken !== null) return { outcome: 'failed', error: identityRefused(first.claim) };

  // A nonce makes openid-client insist on an id_token, and services leave it out: judged again without.
  const replay: CustomFetch = async () => Response.json(wireForm(answer));
  const second = await grant(provider, metadata, request, callback, replay, false);
  if (!second.ok) return { outcome: 'failed', error: identityRefused(second.claim) };
  return granted(second.identity);
}

type Checked =
  | { readonly ok: true; readonly identity: AccountIdentity }
  | { readonly ok: false; readonly claim: string | null };

async function grant(
  provider: Provider,
  metadata: ProviderMetadata,
  request: AuthorizationRequest,
  { code, issuer }: CallbackCode,
  fetch: CustomFetch,
  withNonce: boolean,
): Promise<Checked> {
  const { clientId } = provider.app;
  const callback = new URL(request.redirectUri);
  callback.search = new URLSearchParams({
    code: code.reveal(),
    state: request.state,
    ...(issuer === null ? {} : { iss: issuer }),
  }).toString();
  try {
    const tokens = await authorizationCodeGrant(
      configure(provider, metadata, fetch),
      callback,
      {
        expectedState: request.state,
        pkceCodeVerifier: request.verifier.reveal(),
        ...(withNonce ? { expectedNonce: request.nonce.reveal() } : {}),
      },
      { client_id: clientId, resource: provider.addresses.resource },
    );
    return { ok: true, identity: readIdentity(tokens.claims()) };
  } catch (error) {
    return { ok: false, claim: failedClaim(error) };
  }
}

/** What openid-client is to judge: the id_token. Everything else has been read already. */
function wireForm({ accessToken, idToken }: TokenAnswer): Record<string, string> {
  return {
    access_token: accessToken.reveal(),
    token_type: 'bearer',
    ...(idToken === null ? {} : { id_token: idToken.reveal() }),
  };
}

/** Which claim was wrong: the only thing that is taken from openid-client's error, which quotes the tokens. */
function failedClaim(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 4; depth += 1) {
    const claim: unknown = Reflect.get(at, 'claim');
    if (typeof claim === 'string' && ['iss', 'aud', 'exp', 'nbf', 'nonce', 'azp'].includes(claim))
      return claim;
    at = Reflect.get(at, 'cause');
  }
  return null;
}
