import { z } from 'zod';

/** Who an account is, as the service tells it to an app. */
export interface AccountIdentity {
  /** `sub`; null: not told. */
  readonly subject: string | null;
  /** A name for people, cleaned; null: not told. */
  readonly account: string | null;
}

const text = z.string().optional().catch(undefined);
const schema = z.looseObject({
  sub: z.string().min(1).max(255),
  name: text,
  preferred_username: text,
  nickname: text,
  email: text,
});

/** Reads the standard claims (OpenID Connect Core, 5.1) of an id_token or of a userinfo answer. */
export function readIdentity(claims: unknown): AccountIdentity {
  const parsed = schema.safeParse(claims);
  if (!parsed.success) return { subject: null, account: null };
  const { sub, name, preferred_username, nickname, email } = parsed.data;
  for (const each of [name, preferred_username, nickname, email]) {
    const account = cleanName(each ?? '');
    if (account !== null) return { subject: sub, account };
  }
  return { subject: sub, account: null };
}

/** Fit for a terminal and a page: nothing that moves a cursor or turns the direction of writing. Null: nothing is left. */
export function cleanName(name: string): string | null {
  const clean = name
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '')
    .trim();
  return clean === '' ? null : [...clean].slice(0, 100).join('');
}
