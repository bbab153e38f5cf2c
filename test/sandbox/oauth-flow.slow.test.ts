import * as oauth from 'openid-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../support/account.ts';
import { signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';
import { App, connect, own, present, probe, register } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await folder.remove();
});

const addresses = [
  ['on one host', {}],
  ['on two hosts', { authHost: 'localhost' }],
  ['below paths', { basePath: '/catalogue/v1', authHost: 'localhost', authPath: '/login' }],
] as const;

describe('the whole authorization', () => {
  it.each(addresses)('of a public app %s', async (_, options) => {
    server = await startServer({ dataDir: folder.path, ...options });
    const app = new App(server, own);
    const url = app.authorizationUrl(allScopes.join(' '));
    const callback = await signInAndAnswerConsent(new Visitor(), url, server.accounts[0]);
    expect(`${callback.origin}${callback.pathname}`).toBe('http://127.0.0.1:43917/callback');
    expect(callback.searchParams.get('state')).toBe(app.state);
    expect(callback.searchParams.get('iss')).toBe(`${server.authUrl}/api/auth`);
    const tokens = await app.exchange(callback);
    expect(tokens).toMatchObject({ status: 200, tokenType: 'Bearer', expiresIn: 600 });
    expect(tokens.headers.get('cache-control')).toBe('no-store');
    expect(new Set(tokens.scope?.split(' '))).toEqual(new Set(allScopes));
    const seen = await probe(server.baseUrl, present(tokens.accessToken, 'access token'));
    expect(seen).toMatchObject({ status: 200, body: { data: { accountId: 1, clientId: 'artwork-mcp' } } });
    const renewed = await app.refresh(present(tokens.refreshToken, 'refresh token'));
    expect(renewed).toMatchObject({ status: 200, scope: tokens.scope });
    const again = await probe(server.baseUrl, present(renewed.accessToken, 'access token'));
    expect(again).toMatchObject({ status: 200 });
    expect(await app.revoke(present(renewed.refreshToken, 'refresh token'))).toMatchObject({ status: 200 });
    expect((await probe(server.baseUrl, present(renewed.accessToken, 'access token'))).status).toBe(401);
  });

  it.each(addresses)(
    'of a confidential app %s, through openid-client and the metadata',
    async (_, options) => {
      server = await startServer({ dataDir: folder.path, ...options });
      const identity = register(server);
      const issuer = new URL(`${server.authUrl}/api/auth/.well-known/oauth-authorization-server`);
      const config = await oauth.discovery(
        issuer,
        identity.clientId,
        { redirect_uris: [identity.redirectUri] },
        oauth.ClientSecretBasic(present(identity.clientSecret, 'client secret')),
        { execute: [oauth.allowInsecureRequests] },
      );
      const app = new App(server, identity);
      const callback = await signInAndAnswerConsent(
        new Visitor(),
        app.authorizationUrl('openid profile offline_access assets:write'),
        server.accounts[1],
      );
      expect(callback.searchParams.get('from')).toBe('catalogue');
      // openid-client leaves the query out of the redirect_uri that it sends.
      config[oauth.customFetch] = (url, init) => {
        const body = new URLSearchParams(String(init.body));
        if (body.has('redirect_uri')) body.set('redirect_uri', identity.redirectUri);
        return fetch(url, { method: 'POST', headers: init.headers, body });
      };
      const tokens = await oauth.authorizationCodeGrant(
        config,
        callback,
        { pkceCodeVerifier: app.verifier, expectedState: app.state, expectedNonce: app.nonce },
        { resource: `${server.baseUrl}/me` },
      );
      expect(tokens.claims()).toMatchObject({ sub: '2', name: 'halftone-hare', aud: identity.clientId });
      const renewed = await oauth.refreshTokenGrant(config, present(tokens.refresh_token, 'refresh token'));
      expect((await probe(server.baseUrl, renewed.access_token)).status).toBe(200);
      await oauth.tokenRevocation(config, present(renewed.refresh_token, 'refresh token'));
      expect((await probe(server.baseUrl, renewed.access_token)).status).toBe(401);
    },
  );
});

describe('what is issued', () => {
  it('has a refresh token only with offline_access', async () => {
    server = await startServer({ dataDir: folder.path });
    const { tokens } = await connect(server, { scope: 'openid assets:write' });
    expect(tokens).toMatchObject({ status: 200, refreshToken: undefined, scope: 'openid assets:write' });
    expect(
      (await connect(server, { scope: 'assets:write offline_access' })).tokens.refreshToken,
    ).toBeDefined();
  });

  it('has an id_token only with openid, though a nonce was sent', async () => {
    server = await startServer({ dataDir: folder.path });
    expect((await connect(server, { scope: 'assets:write' })).tokens).toMatchObject({
      status: 200,
      idToken: undefined,
    });
    expect((await connect(server, { scope: 'openid' })).tokens.idToken).toBeDefined();
  });

  it('is in no file of the data folder as it was issued', async () => {
    server = await startServer({ dataDir: folder.path });
    const identity = register(server);
    const { accessToken, refreshToken, callback } = await connect(server, { identity });
    const kept = server.database
      .all(
        'SELECT payload || id AS whole FROM oauth_records UNION ALL SELECT secret_hash FROM oauth_clients WHERE secret_hash IS NOT NULL',
      )
      .map((row) => row.text('whole'))
      .join('\n');
    expect(kept).toContain('"kind":"RefreshToken"');
    for (const secret of [
      accessToken,
      refreshToken,
      callback.searchParams.get('code'),
      identity.clientSecret,
    ]) {
      expect(kept.includes(present(secret, 'secret'))).toBe(false);
    }
  });
});

describe('a restart', () => {
  it('loses nothing: sign-in, code, access and refresh token, app', async () => {
    const options = { dataDir: folder.path, lifetimes: { authorizationCode: 600 } };
    server = await startServer(options);
    const { port } = server;
    const identity = register(server);
    const { app, visitor, accessToken, refreshToken } = await connect(server, { identity });
    const second = new App(server, identity);
    const code = await signInAndAnswerConsent(
      visitor,
      second.authorizationUrl('assets:write'),
      server.accounts[0],
    );
    const [before] = server.accounts;
    const keys = await (await fetch(`${server.authUrl}/api/auth/jwks`)).text();
    await server.stop();

    server = await startServer({ ...options, port });
    expect(server.accounts[0]).toEqual(before);
    expect(await (await fetch(`${server.authUrl}/api/auth/jwks`)).text()).toBe(keys);
    expect((await probe(server.baseUrl, accessToken)).status).toBe(200);
    expect((await second.exchange(code)).status).toBe(200);
    expect((await app.refresh(refreshToken)).status).toBe(200);
    expect((await visitor.openPage(`${server.authUrl}/account/apps`)).markup).toContain('Poster shelf');
  });
});
