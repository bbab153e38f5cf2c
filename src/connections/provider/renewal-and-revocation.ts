import { refreshTokenGrant, type TokenEndpointResponse, tokenRevocation } from 'openid-client';
import { z } from 'zod';
import { retryAfterMs } from '../../wire/backoff.ts';
import type { Secret } from '../secret.ts';
import type { NotConsumed, Renewal, Revocation, TokenKind } from '../ports.ts';
import { configureClient, type Provider } from './provider.ts';
import { receiveTokenAnswer, readTokenAnswer, tokensOfAnswer } from './token-answer.ts';
import { isTokenSuccess, tokenRequest } from './token-request.ts';
import type { TransportResult } from './transport.ts';

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
  let json: unknown;
  try {
    json = JSON.parse(payload);
  } catch {
    return null;
  }
  const parsed = claims.safeParse(json);
  return parsed.success ? parsed.data.sub : null;
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
