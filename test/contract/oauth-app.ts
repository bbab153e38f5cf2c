import { createHash, randomBytes } from 'node:crypto';
import { signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';

/** How an app is known to the authorization server. */
export interface AppIdentity {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly redirectUri: string;
}

/** The app that every embedded catalogue has from the start. */
export const own: AppIdentity = {
  ...{ clientId: 'artwork-mcp', clientSecret: null, redirectUri: 'http://127.0.0.1:43917/callback' },
};

type Fields = Readonly<Record<string, string | null>>;
const given = (fields: Fields) =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as [string, string]],
    ),
  );

/** One authorization as an app makes it, with the wire in plain sight (Authentication 6 to 10). */
export class App {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(16).toString('base64url');
  readonly nonce = randomBytes(16).toString('base64url');
  readonly #baseUrl: string;
  readonly #identity: AppIdentity;

  constructor({ baseUrl }: { readonly baseUrl: string }, identity: AppIdentity = own) {
    this.#baseUrl = baseUrl;
    this.#identity = identity;
  }

  /** The authorization request; `changes` replace parameters, null leaves one out. */
  authorizationUrl(scope: string, changes: Fields = {}): URL {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url');
    const parameters = given({
      ...{ response_type: 'code', client_id: this.#identity.clientId, scope, prompt: 'consent' },
      ...{ redirect_uri: this.#identity.redirectUri, resource: `${this.#baseUrl}/me` },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', state: this.state, nonce: this.nonce },
      ...changes,
    });
    return new URL(`/api/auth/oauth2/authorize?${parameters}`, this.#baseUrl);
  }

  /** Exchanges the code of a callback URL. */
  exchange(callback: URL, changes: Fields = {}) {
    return this.#ask('token', {
      ...{ grant_type: 'authorization_code', code: callback.searchParams.get('code') },
      ...{ redirect_uri: this.#identity.redirectUri, code_verifier: this.verifier },
      ...{ resource: `${this.#baseUrl}/me`, ...changes },
    });
  }

  refresh(refreshToken: string) {
    return this.#ask('token', { grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  revoke(token: string) {
    return this.#ask('revoke', { token, token_type_hint: 'refresh_token' });
  }

  /** The status, and the members of the answer. */
  async #ask(endpoint: 'token' | 'revoke', fields: Fields): Promise<Record<string, unknown>> {
    const { clientId, clientSecret } = this.#identity;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await fetch(`${this.#baseUrl}/api/auth/oauth2/${endpoint}`, {
      ...{ method: 'POST', body: given({ client_id: clientId, ...fields }) },
      headers: clientSecret === null ? {} : { authorization: `Basic ${basic}` },
    });
    return { ...JSON.parse((await response.text()) || '{}'), status: response.status };
  }
}

/** An app that the numbered account has approved, and that has exchanged its code. */
export async function connect(
  server: { readonly baseUrl: string },
  { scope, identity = own, account = 0 }: { scope: string; identity?: AppIdentity; account?: number },
) {
  const app = new App(server, identity);
  const callback = await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope), account);
  const tokens = await app.exchange(callback);
  const [accessToken, refreshToken] = [String(tokens.access_token), String(tokens.refresh_token)];
  return { app, callback, tokens, accessToken, refreshToken };
}
