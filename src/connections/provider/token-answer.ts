import { z } from 'zod';
import { Secret } from '../secret.ts';
import type { TokenAnswer } from '../token-service.ts';

/** Fit to stand in a header and a form (RFC 6749, appendix A). */
const token = z.string().regex(/^[\x21-\x7e]{1,16384}$/);

const schema = z.looseObject({
  access_token: token,
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .nullish(),
});

export type ReadAnswer =
  | { readonly usable: true; readonly answer: TokenAnswer }
  /** What it holds of a refresh token can still be revoked. */
  | { readonly usable: false; readonly refreshToken: Secret | null };

/**
 * Reads the body of a token endpoint's success. The interface document shows no field names: they are RFC
 * 6749's. Beside the access token everything may be missing or odd, which then means unknown or unchanged.
 */
export function readTokenAnswer(body: Buffer): ReadAnswer {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return { usable: false, refreshToken: null }; // A parser's words would quote the body.
  }
  const fields = z.looseObject({}).safeParse(json);
  if (!fields.success) return { usable: false, refreshToken: null };
  const { refresh_token, expires_in, scope, id_token } = fields.data;
  const refresh = token.safeParse(refresh_token);
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    return { usable: false, refreshToken: refresh.success ? new Secret(refresh.data) : null };
  }
  const missing = refresh_token === undefined || refresh_token === null;
  const id = token.safeParse(id_token);
  return {
    usable: true,
    answer: {
      accessToken: new Secret(parsed.data.access_token),
      refreshToken: refresh.success ? new Secret(refresh.data) : missing ? 'unchanged' : 'unreadable',
      expiresInSeconds: seconds(expires_in),
      scopes: scopeList(scope),
      idToken: id.success ? new Secret(id.data) : null,
    },
  };
}

/** Ten years: dates are made from it, and a token that lives longer is renewed when the service refuses it. */
const longestLifeSeconds = 10 * 365 * 86_400;

function seconds(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0
    ? Math.min(number, longestLifeSeconds)
    : null;
}

function scopeList(value: unknown): readonly string[] | null {
  if (typeof value !== 'string') return null;
  const scopes = [
    ...new Set(value.split(/\s+/).filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))),
  ];
  return scopes.length === 0 ? null : scopes;
}
