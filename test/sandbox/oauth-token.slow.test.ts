import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pagePath, signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';
import { App, type AppIdentity, basic, connect, own, present, probe, register } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
let shelf: AppIdentity;
let visitor: Visitor;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ dataDir: folder.path });
  shelf = register(server);
  visitor = new Visitor();
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

async function approved(identity: AppIdentity = own) {
  const app = new App(server, identity);
  const url = app.authorizationUrl('openid offline_access assets:write');
  return { app, callback: await signInAndAnswerConsent(visitor, url, server.accounts[0]) };
}

describe('the exchange of a code', () => {
  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: null }, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: 'http://127.0.0.1:43918/callback' }, 'invalid_grant'],
    ['no redirect_uri', { redirect_uri: null }, 'invalid_request'],
    ['another code', { code: 'x'.repeat(43) }, 'invalid_grant'],
    ['no code', { code: null }, 'invalid_request'],
    ['no resource', { resource: null }, 'invalid_target'],
    ['another resource', { resource: 'https://elsewhere.example/me' }, 'invalid_target'],
    ['another grant_type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['no grant_type', { grant_type: null }, 'invalid_request'],
    ['no client_id', { client_id: null }, 'invalid_request'],
    ['an unknown client_id', { client_id: 'nobody' }, 'invalid_client'],
  ])('is refused: %s', async (_, changes, error) => {
    const { app, callback } = await approved();
    const answer = await app.exchange(callback, changes);
    expect(answer).toMatchObject({ error, accessToken: undefined, refreshToken: undefined });
    expect(answer.status).toBe(error === 'invalid_client' ? 401 : 400);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it('is refused to another app', async () => {
    const { callback } = await approved();
    expect(await new App(server, shelf).exchange(callback)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
  });

  it('works once; a second time ends the connection', async () => {
    const { app, callback } = await approved();
    const first = await app.exchange(callback);
    const accessToken = present(first.accessToken, 'access token');
    expect((await probe(server.baseUrl, accessToken)).status).toBe(200);
    expect(await app.exchange(callback)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await probe(server.baseUrl, accessToken)).status).toBe(401);
    expect(await app.refresh(present(first.refreshToken, 'refresh token'))).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('works once, also when two ask at the same moment', async () => {
    const { app, callback } = await approved();
    const answers = await Promise.all([app.exchange(callback), app.exchange(callback)]);
    const won = answers.filter((answer) => answer.status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { accessToken } of won) {
      expect((await probe(server.baseUrl, present(accessToken, 'access token'))).status).toBe(401);
    }
  });

  it('takes form fields only', async () => {
    const response = await fetch(`${server.baseUrl}/api/auth/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token', client_id: own.clientId, refresh_token: 'x' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });
});

describe('the app’s own identity', () => {
  const ask = async (endpoint: string, fields: Record<string, string>, authorization?: string) => {
    const response = await fetch(`${server.baseUrl}/api/auth/oauth2/${endpoint}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: authorization === undefined ? {} : { authorization },
    });
    const body: unknown = response.status === 200 ? {} : await response.json();
    return { status: response.status, body };
  };

  it.each([
    [
      'the exchange',
      'token',
      { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x', code_verifier: 'x' },
    ],
    ['a renewal', 'token', { grant_type: 'refresh_token', refresh_token: 'x' }],
    ['a revocation', 'revoke', { token: 'x', token_type_hint: 'refresh_token' }],
  ])('of a confidential one is HTTP Basic, for %s', async (_, endpoint, fields) => {
    const secret = present(shelf.clientSecret, 'client secret');
    const id = { client_id: shelf.clientId };
    const refused = { status: 401, body: { error: 'invalid_client' } };
    expect(await ask(endpoint, { ...fields, ...id })).toMatchObject(refused);
    expect(await ask(endpoint, { ...fields, ...id, client_secret: secret })).toMatchObject(refused);
    expect(await ask(endpoint, { ...fields, ...id }, basic(shelf.clientId, 'wrong'))).toMatchObject(refused);
    expect(await ask(endpoint, fields, basic('nobody', secret))).toMatchObject(refused);
    const known = await ask(endpoint, { ...fields, ...id }, basic(shelf.clientId, secret));
    expect(known.body).not.toMatchObject({ error: 'invalid_client' });
  });

  it('of a public one is its client_id and no secret', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: own.clientId };
    expect(await ask('token', fields, basic(own.clientId, 'secret'))).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await ask('token', fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is one only', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: own.clientId };
    const authorization = basic(shelf.clientId, present(shelf.clientSecret, 'client secret'));
    expect(await ask('token', fields, authorization)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

describe.each([
  ['public', () => own],
  ['confidential', () => shelf],
])('a renewal of a %s app', (_, identity) => {
  it('brings a new refresh token and keeps scopes and resource', async () => {
    const { app, tokens, refreshToken } = await connect(server, { identity: identity(), visitor });
    const first = await app.refresh(refreshToken);
    expect(first).toMatchObject({ status: 200, scope: tokens.scope, tokenType: 'Bearer' });
    expect(first.refreshToken).not.toBe(refreshToken);
    const second = await app.refresh(present(first.refreshToken, 'refresh token'));
    expect(second).toMatchObject({ status: 200, scope: tokens.scope });
    const accessToken = present(second.accessToken, 'access token');
    expect((await probe(server.baseUrl, accessToken, '?every=assets:write,sets:write')).status).toBe(200);
  });

  it('with a token that was used ends the connection', async () => {
    const { app, refreshToken, accessToken } = await connect(server, { identity: identity(), visitor });
    const renewed = await app.refresh(refreshToken);
    expect(await app.refresh(refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await probe(server.baseUrl, accessToken)).status).toBe(401);
    expect((await probe(server.baseUrl, present(renewed.accessToken, 'access token'))).status).toBe(401);
    const next = await app.refresh(present(renewed.refreshToken, 'refresh token'));
    expect(next).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('at the same moment as another ends the connection', async () => {
    const { app, refreshToken } = await connect(server, { identity: identity(), visitor });
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.refresh(refreshToken)));
    expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1);
    for (const { accessToken, refreshToken: next } of answers.filter((answer) => answer.status === 200)) {
      expect((await probe(server.baseUrl, present(accessToken, 'access token'))).status).toBe(401);
      expect(await app.refresh(present(next, 'refresh token'))).toMatchObject({ error: 'invalid_grant' });
    }
  });

  it.each([
    ['a scope that was not granted', { scope: 'assets:write groups:write' }, 'invalid_scope'],
    ['another resource', { resource: 'https://elsewhere.example/me' }, 'invalid_target'],
    ['an unknown token', { refresh_token: 'x'.repeat(43) }, 'invalid_grant'],
    ['no token', { refresh_token: null }, 'invalid_request'],
  ])('is refused: %s', async (__, changes, error) => {
    const { app, refreshToken } = await connect(server, { identity: identity(), visitor });
    expect(await app.refresh(refreshToken, changes)).toMatchObject({ status: 400, error });
  });

  it('is refused to another app, and the connection lives on', async () => {
    const { app, refreshToken } = await connect(server, { identity: identity(), visitor });
    const other = new App(server, register(server, { type: 'public' }));
    expect(await other.refresh(refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await app.refresh(refreshToken)).status).toBe(200);
  });
});

describe.each([
  ['public', () => own],
  ['confidential', () => shelf],
])('a revocation by a %s app', (_, identity) => {
  it('ends the connection, can be repeated, and leaves the session and other connections', async () => {
    const first = await connect(server, { identity: identity(), visitor });
    const second = await connect(server, { identity: identity(), visitor });
    expect((await first.app.revoke(first.refreshToken)).status).toBe(200);
    expect((await first.app.revoke(first.refreshToken)).status).toBe(200);
    expect((await probe(server.baseUrl, first.accessToken)).status).toBe(401);
    expect(await first.app.refresh(first.refreshToken)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    expect((await probe(server.baseUrl, second.accessToken)).status).toBe(200);
    expect((await second.app.refresh(second.refreshToken)).status).toBe(200);
    expect(pagePath(await visitor.openPage(`${server.authUrl}/account/apps`))).toBe('/account/apps');
  });

  it('works with a refresh token that was already used, whose answer may have been lost', async () => {
    const { app, refreshToken } = await connect(server, { identity: identity(), visitor });
    const renewed = await app.refresh(refreshToken);
    expect((await app.revoke(refreshToken)).status).toBe(200);
    expect((await probe(server.baseUrl, present(renewed.accessToken, 'access token'))).status).toBe(401);
  });

  it('of an unknown token changes nothing and does not say so', async () => {
    const { app, accessToken } = await connect(server, { identity: identity(), visitor });
    expect((await app.revoke('x'.repeat(43))).status).toBe(200);
    expect(await app.revoke('', {})).toMatchObject({ status: 400, error: 'invalid_request' });
    expect((await probe(server.baseUrl, accessToken)).status).toBe(200);
  });

  it('of another app’s token changes nothing', async () => {
    const { accessToken, refreshToken } = await connect(server, { identity: identity(), visitor });
    const other = new App(server, register(server, { type: 'public' }));
    expect((await other.revoke(refreshToken)).status).toBe(200);
    expect((await probe(server.baseUrl, accessToken)).status).toBe(200);
  });
});

describe('time', () => {
  it('ends codes, access tokens and refresh tokens', async () => {
    const second = await temporaryFolder();
    const brief = await startServer({
      dataDir: second.path,
      lifetimes: { authorizationCode: 600, accessToken: 300, refreshToken: 1_200 },
    });
    try {
      const app = new App(brief, own);
      const person = new Visitor();
      const url = app.authorizationUrl('offline_access assets:write');
      const tokens = await app.exchange(await signInAndAnswerConsent(person, url, brief.accounts[0]));
      expect(tokens).toMatchObject({ status: 200, expiresIn: 300 });
      const late = await signInAndAnswerConsent(person, url, brief.accounts[0]);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 });
      expect((await probe(brief.baseUrl, present(tokens.accessToken, 'access token'))).status).toBe(401);
      const renewed = await app.refresh(present(tokens.refreshToken, 'refresh token'));
      expect(renewed.status).toBe(200);
      vi.setSystemTime(Date.now() + 1_200_000);
      expect(await app.exchange(late)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await app.refresh(present(renewed.refreshToken, 'refresh token'))).toMatchObject({
        error: 'invalid_grant',
      });
      const apps = await person.openPage(`${brief.authUrl}/account/apps`);
      expect(apps.markup).toContain('No app is connected');
    } finally {
      vi.useRealTimers();
      await brief.stop();
      await second.remove();
    }
  });
});
