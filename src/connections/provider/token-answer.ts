import type { TokenEndpointResponse } from 'openid-client';
import { z } from 'zod';
import type { TokenAnswer } from '../ports.ts';
import { Secret } from '../secret.ts';

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

/** Null where the body is no JSON object; why is not told, since a parser's words would quote it. */
export function receiveTokenAnswer(body: Buffer): ReceivedAnswer | null {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  const parsed = receivedSchema.safeParse(json);
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

function scopeList(scope: string | undefined): readonly string[] | null {
  const scopes = (scope ?? '').split(/\s+/).filter((one) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(one));
  return scopes.length === 0 ? null : [...new Set(scopes)];
}
