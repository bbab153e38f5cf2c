import { z } from 'zod';
import type { Secret } from '../secret.ts';
import type { ProviderMetadata } from './metadata.ts';
import type { Provider } from './provider.ts';

/** An account, as the service names it to an app. */
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
const unknown: AccountIdentity = { subject: null, account: null };

/**
 * Asks the standard userinfo endpoint for the account, where the service sends no id_token or one without a name. The
 * interface document does not show it, so its address is the metadata's, but only on the origins that the tokens are for.
 * Never rejects: without an answer the name stays unknown.
 * @param subject of the id_token; an answer with another one is not used (OpenID Connect Core, 5.3.2)
 */
export async function askUserInfo(
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
  const identity = readIdentity(parse(result.body));
  return subject !== null && identity.subject !== subject ? unknown : identity;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null; // A signed answer, or a page.
  }
}
