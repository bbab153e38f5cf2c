import {
  type CustomFetchOptions,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client';
import { z } from 'zod';
import { unknownScopes } from '../../settings.ts';
import { jsonOf } from '../../text.ts';
import { retryAfterMs } from '../../wire/pacing.ts';
import {
  type NotConsumed,
  type Renewal,
  type Revocation,
  Secret,
  type TokenAnswer,
  type TokenKind,
} from '../grant.ts';
import { configureClient, oauthErrorCode, type Provider } from './provider.ts';
import type { TransportResult } from './transport.ts';

interface TokenRequestOptions {
  /** Last changes to the form before it is sent. */
  readonly amend?: (form: URLSearchParams) => void;
  /** The members of a success that openid-client is to judge; it waits for them. Default: all, as they came. */
  readonly receive?: (body: Buffer) => Promise<object | null>;
}

const secretFields = ['code', 'code_verifier', 'refresh_token', 'token'];

/**
 * One request that openid-client makes of the token or revocation endpoint, and whose answer it judges. What came over
 * the wire is kept beside it.
 */
export function tokenRequest(
  { app, transport, requestMs }: Provider,
  { amend, receive }: TokenRequestOptions = {},
) {
  let result: TransportResult | null = null;
  let secrets: readonly string[] = [];
  return {
    /** null: nothing was to be sent. */
    result: () => result,
    /**
     * The `error` of an OAuth failure (Authentication 10), from what openid-client threw; null where the answer held
     * none. Nothing else of that error is used: it quotes the tokens, and so could its description.
     */
    errorOf: (thrown: unknown): string | null =>
      thrown instanceof ResponseBodyError ? oauthErrorCode(thrown.error, secrets) : null,
    async fetch(url: string, options: CustomFetchOptions): Promise<Response> {
      const form = new URLSearchParams(formText(options));
      amend?.(form);
      secrets = [
        ...secretFields.flatMap((name) => form.getAll(name)),
        app.clientSecret?.reveal() ?? '',
        options.headers.authorization?.replace(/^\S+ /, '') ?? '',
      ];
      result = await transport({
        method: 'POST',
        url: new URL(url),
        headers: options.headers,
        body: Buffer.from(form.toString()),
        signal: options.signal ?? AbortSignal.timeout(requestMs),
      });
      if (result.end !== 'answered') throw new TypeError('No whole answer came.');
      const { status, body } = result;
      if (!isTokenSuccess(status)) return response(status < 600 ? status : 502, body);
      const members = receive === undefined ? null : await receive(body);
      return response(200, members === null ? body : JSON.stringify(members));
    },
  };
}

/** Whether the token endpoint answered with success. */
export function isTokenSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * The answer for openid-client, which takes no success but 200, and reads no body of another content type nor beside
 * a challenge (`www-authenticate`): so that all that services send is judged by what it says, it gets the body alone.
 */
function response(status: number, body: Buffer | string): Response {
  const hasBody = status === 200 || status >= 400;
  return new Response(hasBody ? body : null, { status, headers: { 'content-type': 'application/json' } });
}

function formText({ body }: CustomFetchOptions): string {
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('openid-client sent something that is not a form.');
}

/** Fit to stand in a header and a form (RFC 6749, appendix A). */
const token = z.string().regex(/^[\x21-\x7e]{1,16384}$/);

/** Stands for a refresh token that came and can't be used, so that it is not taken for one that did not come. */
const unusable = ' ';

const seconds = z
  .union([z.number(), z.string().regex(/\S/).transform(Number)])
  .pipe(z.number().nonnegative());

/**
 * The interface document shows no field names: they are RFC 6749's (5.1). openid-client refuses all of an answer in
 * which one optional member is null or odd, and with it tokens that exist nowhere else; such a member is left out
 * here, which means unknown or unchanged.
 */
const receivedSchema = z.looseObject({
  expires_in: seconds.optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
  id_token: token.optional().catch(undefined),
  refresh_token: token
    .nullish()
    .catch(unusable)
    .transform((value) => value ?? undefined),
});

/** What the token endpoint answered, as openid-client is to judge it. */
export type ReceivedAnswer = z.infer<typeof receivedSchema> & { readonly token_type: unknown };

/** Null where the body is no JSON object. */
export function receiveTokenAnswer(body: Buffer): ReceivedAnswer | null {
  const parsed = receivedSchema.safeParse(jsonOf(body.toString('utf8')));
  return parsed.success ? { ...parsed.data, token_type: parsed.data.token_type ?? 'bearer' } : null;
}

/** The tokens of an answer that is not judged yet, or was found unusable: they can be revoked all the same. */
export function tokensOfAnswer(received: ReceivedAnswer | null): {
  readonly accessToken: Secret | null;
  readonly refreshToken: Secret | null;
} {
  return { accessToken: secretOf(received?.access_token), refreshToken: secretOf(received?.refresh_token) };
}

/** What openid-client has accepted; null where its access token can't stand in a header. */
export function readTokenAnswer(judged: TokenEndpointResponse): TokenAnswer | null {
  const accessToken = secretOf(judged.access_token);
  if (accessToken === null || judged.token_type !== 'bearer') return null;
  const { refresh_token, expires_in, scope } = judged;
  return {
    accessToken,
    refreshToken: refresh_token === undefined ? 'unchanged' : (secretOf(refresh_token) ?? 'unreadable'),
    expiresInSeconds: expires_in === undefined ? null : Math.min(expires_in, longestLifeSeconds),
    scopes: scopeList(scope),
  };
}

/** Ten years: dates are made from it, and a token that lives longer is renewed when the service refuses it. */
const longestLifeSeconds = 10 * 365 * 86_400;

function secretOf(value: unknown): Secret | null {
  const parsed = token.safeParse(value);
  return parsed.success ? new Secret(parsed.data) : null;
}

/**
 * Empty where the service says that it granted none; null where it says nothing that can be read. Words that are no
 * scopes of the interface document are left out: nothing needs them, and they would stand in calls that we propose.
 */
function scopeList(scope: string | undefined): readonly string[] | null {
  if (scope?.trim() === '') return [];
  const scopes = (scope ?? '').split(/\s+/).filter((one) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(one));
  return scopes.length === 0 ? null : [...new Set(scopes)].filter((one) => unknownScopes([one]).length === 0);
}

/** Presents a refresh token once (Authentication 9). */
export async function renewToken(provider: Provider, refreshToken: Secret): Promise<Renewal> {
  let idToken: string | undefined;
  const request = tokenRequest(provider, {
    // openid-client would refuse all of an answer whose id_token names another issuer than the document's address, or has
    // expired by this machine's clock, though the refresh token has been used up by then. So it does not see the id_token.
    receive: async (body) => {
      const received = receiveTokenAnswer(body);
      idToken = received?.id_token;
      return received === null ? null : { ...received, id_token: undefined };
    },
  });
  const form = { client_id: provider.app.clientId };
  let judged: TokenEndpointResponse;
  try {
    judged = await refreshTokenGrant(
      configureClient(provider, null, request.fetch),
      refreshToken.reveal(),
      form,
    );
  } catch (thrown) {
    return failedRenewal(request.result(), request.errorOf(thrown));
  }
  const answer = readTokenAnswer(judged);
  if (answer === null) return failedRenewal(request.result(), null);
  return { outcome: 'granted', answer, subject: subjectOf(idToken) };
}

/** @param error the service's `error`, null where its answer held none */
function failedRenewal(result: TransportResult | null, error: string | null): Renewal {
  if (result === null) return notConsumed('not_sent', null);
  if (result.end === 'failed') {
    return result.sent ? { outcome: 'unknown', code: result.code } : notConsumed('not_sent', result.code);
  }
  const { status, headers } = result;
  if (status === 429) return notConsumed('rate_limited', null, retryAfterMs(headers));
  if (result.end === 'cut') return { outcome: 'unknown', code: result.code };
  if (isTokenSuccess(status)) {
    return {
      outcome: 'unusable',
      refreshToken: tokensOfAnswer(receiveTokenAnswer(result.body)).refreshToken,
    };
  }
  if (error === 'invalid_grant') return { outcome: 'refused' };
  if (error === 'invalid_client') return notConsumed('invalid_client', error);
  if (status === 400 && error !== null && !failedAtWork.has(error)) return notConsumed('refused', error);
  return { outcome: 'unknown', code: `HTTP_${status}` };
}

/** Codes of a service that failed at work: the refresh token may have been consumed before that. */
const failedAtWork: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

function notConsumed(why: NotConsumed['why'], code: string | null, wait: number | null = null): Renewal {
  return { outcome: 'not_consumed', proof: { why, code, retryAfterMs: wait } };
}

const claims = z.looseObject({ sub: z.string().min(1) });

/** Whom an id_token names. Only ever compared with whom the sign-in named; null where it can't be read. */
function subjectOf(idToken: string | undefined): string | null {
  const payload = Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8');
  return claims.safeParse(jsonOf(payload)).data?.sub ?? null;
}

/** Revokes a token (Authentication 10). To do it twice changes nothing, so no proof is needed. */
export async function revokeToken(provider: Provider, token: Secret, kind: TokenKind): Promise<Revocation> {
  const request = tokenRequest(provider);
  const form = { client_id: provider.app.clientId, token_type_hint: kind };
  try {
    await tokenRevocation(configureClient(provider, null, request.fetch), token.reveal(), form);
    return { outcome: 'revoked' };
  } catch (thrown) {
    return failedRevocation(request.result(), request.errorOf(thrown));
  }
}

function failedRevocation(result: TransportResult | null, error: string | null): Revocation {
  if (result === null || result.end === 'failed') {
    return { outcome: 'failed', why: 'network', code: result?.code ?? null };
  }
  const { status } = result;
  if (isTokenSuccess(status)) return { outcome: 'revoked' };
  if (result.end === 'cut') return { outcome: 'failed', why: 'network', code: result.code };
  const code = error ?? `HTTP_${status}`;
  if (status === 429 || status >= 500)
    return { outcome: 'failed', why: 'unavailable', code: `HTTP_${status}` };
  return isGone(status, error) ? { outcome: 'gone', code } : { outcome: 'failed', why: 'refused', code };
}

/** Some services answer with an error for a token that they no longer know, which needs no revoking (RFC 7009, 2.2). */
function isGone(status: number, error: string | null): boolean {
  if (![400, 404, 410].includes(status)) return false;
  // These are about who asks, or about the kind of token, not about this token.
  return (
    error === null || !['invalid_client', 'unauthorized_client', 'unsupported_token_type'].includes(error)
  );
}
