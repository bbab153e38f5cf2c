import { type AccountIdentity, readIdentity } from '../account-name.ts';
import type { Secret } from '../secret.ts';
import type { ProviderMetadata } from './metadata.ts';
import type { Provider } from './provider.ts';

const timeoutMs = 5000;
const unknown: AccountIdentity = { subject: null, account: null };

/**
 * Asks the standard userinfo endpoint who the account is, for services whose id_token holds no name, or that give
 * none. The interface document does not show it, so the metadata's address counts, but only on the origins that
 * the tokens are for anyway. Never rejects: without an answer the name stays unknown.
 * @param subject whom the id_token named; another account's answer is not used (OpenID Connect Core, 5.3.2)
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
