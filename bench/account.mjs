// An account of an embedded catalogue, for a server under measurement and for curl beside it.
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';

export const scopes = ['offline_access', 'assets:write', 'sets:write'];

/** Registers an app as the catalogue's first person, who agrees to whatever it asks. */
export async function openAccount(parts, { baseUrl, redirectUri }) {
  const visitor = new parts.Visitor();
  const { clientId } = await parts.registerApp(baseUrl, {
    name: 'Bench',
    type: 'public',
    redirectUri,
    scopes,
  });
  const agree = (url) => parts.signInAndAnswerConsent(visitor, url);
  return { clientId, agree, accessToken: () => accessToken({ baseUrl, clientId, redirectUri, agree }) };
}

/** Interface document, Authentication, 6 and 8. */
async function accessToken({ baseUrl, clientId, redirectUri, agree }) {
  const verifier = randomBytes(32).toString('base64url');
  const resource = `${baseUrl}/me`;
  const url = new URL('/api/auth/oauth2/authorize', baseUrl);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    resource,
    scope: scopes.join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'bench',
    nonce: 'bench',
    prompt: 'consent',
  });
  const callback = await agree(url);
  const { statusCode, body } = await request(`${baseUrl}/api/auth/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: callback.searchParams.get('code'),
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource,
    }).toString(),
  });
  const answer = await body.json();
  if (statusCode !== 200) throw new Error(`The token endpoint answered ${statusCode}: ${answer.error}`);
  return answer.access_token;
}
