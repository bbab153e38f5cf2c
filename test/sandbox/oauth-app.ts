import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ownApp } from '../../src/sandbox/oauth/apps.ts';
import { signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';

/** How an app is known to the authorization server. */
export interface AppIdentity {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly redirectUri: string;
}

const tokenAnswer = z
  .object({
    error: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
    id_token: z.string(),
    scope: z.string(),
    expires_in: z.number(),
    token_type: z.string(),
  })
  .partial();

type Changes = Readonly<Record<string, string | null>>;

/** One authorization as an app makes it, with the wire in plain sight (Authentication 6 to 10). */
export class App {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(16).toString('base64url');
  readonly nonce = randomBytes(16).toString('base64url');
  readonly #server: { readonly baseUrl: string; readonly authUrl: string };
  readonly #identity: AppIdentity;

  constructor(server: { readonly baseUrl: string; readonly authUrl: string }, identity: AppIdentity) {
    this.#server = server;
    this.#identity = identity;
  }

  /** The authorization request; `changes` replace parameters, null leaves one out. */
  authorizationUrl(scope: string, changes: Changes = {}): URL {
    const url = new URL(`${this.#server.authUrl}/api/auth/oauth2/authorize`);
    const parameters = {
      response_type: 'code',
      client_id: this.#identity.clientId,
      redirect_uri: this.#identity.redirectUri,
      resource: `${this.#server.baseUrl}/me`,
      scope,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: this.state,
      nonce: this.nonce,
      prompt: 'consent',
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) url.searchParams.set(name, value);
    return url;
  }

  /** Exchanges the code of a callback URL. */
  exchange(callback: URL, changes: Changes = {}) {
    return this.#ask('token', {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code'),
      redirect_uri: this.#identity.redirectUri,
      code_verifier: this.verifier,
      resource: `${this.#server.baseUrl}/me`,
      ...changes,
    });
  }

  refresh(refreshToken: string) {
    return this.#ask('token', { grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  revoke(token: string) {
    return this.#ask('revoke', { token, token_type_hint: 'refresh_token' });
  }

  /** The status, and the members of the answer that are there. */
  async #ask(endpoint: 'token' | 'revoke', fields: Changes) {
    const { clientId, clientSecret } = this.#identity;
    const body = new URLSearchParams({ client_id: clientId });
    for (const [name, value] of Object.entries(fields)) if (value !== null) body.set(name, value);
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await fetch(`${this.#server.baseUrl}/api/auth/oauth2/${endpoint}`, {
      method: 'POST',
      body,
      headers: clientSecret === null ? {} : { authorization: `Basic ${basic}` },
    });
    const text = await response.text();
    return { status: response.status, ...tokenAnswer.parse(JSON.parse(text || '{}')) };
  }
}

/** @throws Error when there is none: the test's own words say what was expected. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}

/** The catalogue's own app. */
export const own: AppIdentity = { ...ownApp, clientSecret: null };

/** A server whose sign-in an app uses. */
export interface SignInServer {
  readonly baseUrl: string;
  readonly authUrl: string;
}

/** An app that a person has approved, and that has exchanged its code. */
export async function connect(
  server: SignInServer,
  { scope = 'openid offline_access assets:write sets:write', identity = own, person = 0 } = {},
) {
  const app = new App(server, identity);
  const callback = await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope), person);
  const tokens = await app.exchange(callback);
  const accessToken = present(tokens.access_token, 'access token');
  return { app, callback, tokens, accessToken, refreshToken: tokens.refresh_token ?? '' };
}
