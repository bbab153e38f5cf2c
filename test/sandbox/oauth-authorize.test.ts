import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAndAnswerConsent, shownPageOf, Visitor } from '../support/sign-in.ts';
import { person } from './account-person.ts';
import { App, type AppIdentity, own, register } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
let shelf: AppIdentity;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ dataDir: folder.path });
  shelf = register(server, { scopes: ['openid', 'assets:write'] });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

describe('an authorization request that names no app to go back to', () => {
  it.each([
    ['an unknown client_id', { client_id: 'nobody' }],
    ['no client_id', { client_id: null }],
    ['another port with another scheme', { redirect_uri: 'https://127.0.0.1:43918/callback' }],
    ['another port and a user', { redirect_uri: 'http://a@127.0.0.1:43918/callback' }],
    ['a port of another machine', { redirect_uri: 'http://127.0.0.2:43918/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:43917/callback2' }],
    ['a slash more', { redirect_uri: 'http://127.0.0.1:43917/callback/' }],
    ['a query more', { redirect_uri: 'http://127.0.0.1:43917/callback?a=1' }],
    ['another name of the same host', { redirect_uri: 'http://localhost:43917/callback' }],
    ['another writing of the same URL', { redirect_uri: 'HTTP://127.0.0.1:43917/callback' }],
    ['no redirect_uri', { redirect_uri: null }],
  ])('is refused on a page: %s', async (_, changes) => {
    const app = new App(server, own);
    const seen = shownPageOf(await new Visitor().open(app.authorizationUrl('openid assets:write', changes)));
    expect(seen.status).toBe(400);
    expect(seen.markup).toContain('<h1>The app’s request can’t be answered</h1>');
  });

  it.each([
    ['left out', 'https://shelf.example/callback'],
    ['another', 'https://shelf.example/callback?from=elsewhere'],
    ['longer', 'https://shelf.example/callback?from=catalogue&more=1'],
  ])('is refused on a page: the query of the registered URL %s', async (_, redirectUri) => {
    const app = new App(server, shelf);
    const seen = await new Visitor().open(app.authorizationUrl('openid', { redirect_uri: redirectUri }));
    expect(shownPageOf(seen).status).toBe(400);
  });
});

it('of the catalogue’s own app is answered at any port of its callback, of a registered app at its own alone', async () => {
  const { visitor } = await person(server);
  const elsewhere = { redirect_uri: 'http://127.0.0.1:43918/callback' };
  const seen = await visitor.openPage(new App(server, own).authorizationUrl('openid', elsewhere));
  expect(seen.status).toBe(200);
  expect(seen.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:43918;");

  const desk = register(server, { redirectUri: 'http://127.0.0.1:43917/callback', type: 'public' });
  const refused = await new Visitor().open(new App(server, desk).authorizationUrl('openid', elsewhere));
  expect(shownPageOf(refused).status).toBe(400);
});

describe('an authorization request that is not as the document says', () => {
  it.each([
    ['no response_type', { response_type: null }, 'invalid_request'],
    ['no code_challenge', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: null }, 'invalid_request'],
    ['a code_challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['no resource', { resource: null }, 'invalid_target'],
    ['a resource with a slash', { resource: 'SLASH' }, 'invalid_target'],
    ['the base URL as the resource', { resource: 'BASE' }, 'invalid_target'],
    ['a resource that is no URL', { resource: 'me' }, 'invalid_target'],
    ['an unknown scope', { scope: 'openid assets:delete' }, 'invalid_scope'],
    ['a scope that the app is not registered for', { scope: 'openid sets:write' }, 'invalid_scope'],
    ['no scope', { scope: null, nonce: null }, 'invalid_scope'],
    ['a request object', { request: 'a.b.c' }, 'request_not_supported'],
    ['a request by reference', { request_uri: 'https://shelf.example/r' }, 'request_uri_not_supported'],
    ['no prompt at all', { prompt: 'none' }, 'login_required'],
    ['an unknown prompt', { prompt: 'shout' }, 'invalid_request'],
  ])('goes back with an error without asking the person: %s', async (_, changes, error) => {
    const app = new App(server, shelf);
    const resource = { SLASH: `${server.baseUrl}/me/`, BASE: server.baseUrl };
    const wanted = 'resource' in changes ? changes.resource : undefined;
    const filled = wanted === 'SLASH' || wanted === 'BASE' ? { resource: resource[wanted] } : changes;
    const seen = await new Visitor().open(app.authorizationUrl('openid assets:write', filled));
    if (!('leftFor' in seen)) throw new Error(`a page: ${seen.status}`);
    const answer = seen.leftFor.searchParams;
    expect(seen.leftFor.href.startsWith(shelf.redirectUri)).toBe(true);
    expect([answer.get('error'), answer.get('state'), answer.get('code')]).toEqual([error, app.state, null]);
  });

  it.each([{ state: null }, { state: '' }])('goes back with an error: %j', async (changes) => {
    const seen = await new Visitor().open(new App(server, shelf).authorizationUrl('openid', changes));
    if (!('leftFor' in seen)) throw new Error(`a page: ${seen.status}`);
    expect(seen.leftFor.searchParams.get('error')).toBe('invalid_request');
    expect(seen.leftFor.searchParams.has('code')).toBe(false);
  });

  it.each([
    ['the answer in a fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['a token in place of a code', { response_type: 'token' }, 'unsupported_response_type'],
  ])('goes back with an error, in the fragment: %s', async (_, changes, error) => {
    const seen = await new Visitor().open(new App(server, shelf).authorizationUrl('openid', changes));
    if (!('leftFor' in seen)) throw new Error(`a page: ${seen.status}`);
    expect(new URLSearchParams(seen.leftFor.hash.slice(1)).get('error')).toBe(error);
  });

  it('is refused: the answer as a form', async () => {
    const url = new App(server, shelf).authorizationUrl('openid', { response_mode: 'form_post' });
    const seen = shownPageOf(await new Visitor().open(url));
    expect(seen.status).toBe(400);
    expect(seen.markup).toContain('value="invalid_request"');
  });

  it('goes back with an error: two resources', async () => {
    const app = new App(server, shelf);
    const url = app.authorizationUrl('openid assets:write');
    url.searchParams.append('resource', `${server.baseUrl}/me`);
    const seen = await new Visitor().open(url);
    expect('leftFor' in seen && seen.leftFor.searchParams.get('error')).toBe('invalid_target');
  });
});

describe('the person’s word', () => {
  it('is asked for each time, also with prompt left out and after an approval', async () => {
    const visitor = new Visitor();
    const [account] = server.accounts;
    for (const prompt of ['consent', null, 'consent']) {
      const app = new App(server, own);
      const seen = await visitor.open(app.authorizationUrl('assets:write', { prompt }));
      if ('url' in seen && seen.url.pathname.endsWith('/sign-in')) {
        await signInAndAnswerConsent(visitor, app.authorizationUrl('assets:write'), account);
        continue;
      }
      expect(shownPageOf(seen).markup).toContain('<h1>Connect artwork-mcp?</h1>');
      await signInAndAnswerConsent(visitor, app.authorizationUrl('assets:write', { prompt }), account);
    }
  });

  it('can be no', async () => {
    const app = new App(server, own);
    const callback = await signInAndAnswerConsent(
      new Visitor(),
      app.authorizationUrl('openid'),
      server.accounts[0],
      'decline',
    );
    expect(`${callback.origin}${callback.pathname}`).toBe('http://127.0.0.1:43917/callback');
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: 'access_denied',
      state: app.state,
    });
    expect(callback.searchParams.has('code')).toBe(false);
  });

  it('is not needed to refuse prompt=none of a person who is signed in', async () => {
    const visitor = new Visitor();
    await signInAndAnswerConsent(
      visitor,
      new App(server, own).authorizationUrl('openid'),
      server.accounts[0],
    );
    const seen = await visitor.open(new App(server, own).authorizationUrl('openid', { prompt: 'none' }));
    expect('leftFor' in seen && seen.leftFor.searchParams.get('error')).toBe('consent_required');
  });

  it('asks for the password again with prompt=login', async () => {
    const visitor = new Visitor();
    const [account] = server.accounts;
    await signInAndAnswerConsent(visitor, new App(server, own).authorizationUrl('openid'), account);
    const app = new App(server, own);
    const url = app.authorizationUrl('openid', { prompt: 'login consent' });
    expect(shownPageOf(await visitor.open(url)).url.pathname).toBe('/account/sign-in');
    expect((await signInAndAnswerConsent(visitor, url, account)).searchParams.has('code')).toBe(true);
  });
});

describe('the endpoints', () => {
  it.each(['oauth-authorization-server', 'openid-configuration'])('are named by %s', async (document) => {
    const response = await fetch(`${server.authUrl}/api/auth/.well-known/${document}`);
    expect(response.status).toBe(200);
    const metadata: unknown = await response.json();
    expect(metadata).toMatchObject({
      issuer: `${server.authUrl}/api/auth`,
      authorization_endpoint: `${server.authUrl}/api/auth/oauth2/authorize`,
      token_endpoint: `${server.baseUrl}/api/auth/oauth2/token`,
      revocation_endpoint: `${server.baseUrl}/api/auth/oauth2/revoke`,
      jwks_uri: `${server.authUrl}/api/auth/jwks`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    });
    expect(metadata).not.toHaveProperty('registration_endpoint');
    expect(metadata).not.toHaveProperty('pushed_authorization_request_endpoint');
  });

  it('are on the URL that the document gives them, and on no other', async () => {
    const second = await temporaryFolder();
    const apart = await startServer({
      dataDir: second.path,
      basePath: '/v1',
      authHost: 'localhost',
      authPath: '/login',
    });
    const at = async (method: string, url: string) =>
      (await fetch(url, { method, redirect: 'manual' })).status;
    const { port } = apart;
    try {
      for (const [status, method, url] of [
        [200, 'GET', `http://localhost:${port}/login/api/auth/.well-known/openid-configuration`],
        [404, 'GET', `http://127.0.0.1:${port}/login/api/auth/.well-known/openid-configuration`],
        [404, 'GET', `http://localhost:${port}/api/auth/.well-known/openid-configuration`],
        [404, 'GET', `http://127.0.0.1:${port}/v1/api/auth/.well-known/openid-configuration`],
        [200, 'GET', `http://localhost:${port}/login/api/auth/jwks`],
        [400, 'GET', `http://localhost:${port}/login/api/auth/oauth2/authorize`],
        [404, 'GET', `http://127.0.0.1:${port}/v1/api/auth/oauth2/authorize`],
        [400, 'POST', `http://127.0.0.1:${port}/v1/api/auth/oauth2/token`],
        [404, 'POST', `http://localhost:${port}/login/api/auth/oauth2/token`],
        [404, 'POST', `http://127.0.0.1:${port}/api/auth/oauth2/token`],
        [400, 'POST', `http://127.0.0.1:${port}/v1/api/auth/oauth2/revoke`],
        [404, 'POST', `http://localhost:${port}/login/api/auth/oauth2/revoke`],
        [404, 'POST', `http://127.0.0.1:${port}/v1/API/auth/oauth2/token`],
        [404, 'POST', `http://127.0.0.1:${port}/v1/api/auth/oauth2/Token`],
        [404, 'POST', `http://127.0.0.1:${port}/v1/api/auth/oauth2/token/`],
        [405, 'GET', `http://127.0.0.1:${port}/v1/api/auth/oauth2/token`],
        [405, 'POST', `http://localhost:${port}/login/api/auth/oauth2/authorize`],
        [404, 'POST', `http://localhost:${port}/login/api/auth/reg`],
        [404, 'POST', `http://localhost:${port}/login/api/auth/oauth2/register`],
        [404, 'POST', `http://localhost:${port}/login/api/auth/session/end/confirm`],
        [200, 'GET', `http://localhost:${port}/login/account/sign-in`],
        [303, 'GET', `http://127.0.0.1:${port}/login/account/sign-in`],
      ] as const) {
        expect([await at(method, url), method, url]).toEqual([status, method, url]);
      }
    } finally {
      await apart.stop();
      await second.remove();
    }
  });
});
