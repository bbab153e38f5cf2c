import { refreshTokenGrant } from 'openid-client';
import { z } from 'zod';
import { retryAfterMs } from '../../wire/retry-after.ts';
import type { Secret } from '../secret.ts';
import type { NotConsumed, Renewal } from '../token-service.ts';
import { capture } from './capture.ts';
import { oauthError } from './oauth-error.ts';
import { configure, type Provider } from './provider.ts';
import { readTokenAnswer } from './token-answer.ts';
import type { TransportResult } from './transport.ts';

/** Presents a refresh token once (Authentication 9). */
export async function renewToken(provider: Provider, refreshToken: Secret): Promise<Renewal> {
  const { fetch, result, secrets } = capture(provider, { onSuccess: async () => decoy });
  const form = { client_id: provider.app.clientId };
  try {
    await refreshTokenGrant(configure(provider, null, fetch), refreshToken.reveal(), form);
  } catch {
    // openid-client's errors quote the tokens; what came over the wire says all that is needed.
  }
  const answer = result();
  if (answer === null) return notConsumed('not_sent', null);
  return judge(answer, secrets());
}

/** openid-client builds the request; the answer is read here, where oddities don't cost the tokens. */
const decoy = { access_token: 'unused', token_type: 'bearer' };

function judge(result: TransportResult, sent: readonly string[]): Renewal {
  switch (result.end) {
    case 'failed':
      return result.sent ? { outcome: 'unknown', code: result.code } : notConsumed('not_sent', result.code);
    case 'cut':
      if (result.status === 429) return notConsumed('rate_limited', null, retryAfterMs(result.headers));
      return { outcome: 'unknown', code: result.code };
    case 'answered': {
      const { status, headers, body } = result;
      if (status >= 200 && status < 300) return success(body);
      if (status === 429) return notConsumed('rate_limited', null, retryAfterMs(headers));
      const error = status < 500 ? oauthError(body, sent) : null;
      if (error === 'invalid_grant') return { outcome: 'refused' };
      if (error === 'invalid_client') return notConsumed('invalid_client', error);
      if (status === 400 && error !== null) return notConsumed('refused', error);
      return { outcome: 'unknown', code: `HTTP_${status}` };
    }
  }
}

function success(body: Buffer): Renewal {
  const read = readTokenAnswer(body);
  if (!read.usable) return { outcome: 'unusable', refreshToken: read.refreshToken };
  const { answer } = read;
  return { outcome: 'granted', answer, subject: answer.idToken === null ? null : subjectOf(answer.idToken) };
}

function notConsumed(why: NotConsumed['why'], code: string | null, wait: number | null = null): Renewal {
  return { outcome: 'not_consumed', proof: { why, code, retryAfterMs: wait } };
}

const claims = z.looseObject({ sub: z.string().min(1) });

/** Whom an id_token names. Only ever compared with whom the sign-in named; null where it can't be read. */
function subjectOf(idToken: Secret): string | null {
  const payload = Buffer.from(idToken.reveal().split('.')[1] ?? '', 'base64url').toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(payload);
  } catch {
    return null;
  }
  const parsed = claims.safeParse(json);
  return parsed.success ? parsed.data.sub : null;
}
