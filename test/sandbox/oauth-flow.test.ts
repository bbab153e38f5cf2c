import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownApp } from '../../src/sandbox/oauth/apps.ts';
import { allScopes } from '../../src/sandbox/oauth/scopes.ts';
import { authorize, Visitor } from '../support/sign-in.ts';
import { App, type AppIdentity, present, probe } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await server.stop();
  await folder.remove();
});

const own: AppIdentity = { ...ownApp, clientSecret: null };

describe('the whole authorization', () => {
  it.each([
    ['on one host', {}],
    ['on two hosts', { authHost: 'localhost' }],
    ['below a path', { basePath: '/catalogue/v1', authHost: 'localhost', authPath: '/login' }],
  ])('works for a public app %s', async (_, addresses) => {
    server = await startServer({ dataDir: folder.path, ...addresses });
    const [account] = server.accounts;
    const app = new App(server, own);
    const callback = await authorize(new Visitor(), app.authorizationUrl(allScopes.join(' ')), account);
    expect(`${callback.origin}${callback.pathname}`).toBe(ownApp.redirectUri);
    expect(callback.searchParams.get('state')).toBe(app.state);
    expect(callback.searchParams.get('iss')).toBe(`${server.authUrl}/api/auth`);
    const tokens = await app.exchange(callback);
    expect(tokens).toMatchObject({ status: 200, tokenType: 'Bearer', expiresIn: 600 });
    expect(new Set(tokens.scope?.split(' '))).toEqual(new Set(allScopes));
    const seen = await probe(server.baseUrl, present(tokens.accessToken, 'access token'));
    expect(seen).toMatchObject({ status: 200, body: { data: { accountId: 1, clientId: 'artwork-mcp' } } });
    const renewed = await app.refresh(present(tokens.refreshToken, 'refresh token'));
    expect(renewed.status).toBe(200);
    expect(await probe(server.baseUrl, present(renewed.accessToken, 'access token'))).toMatchObject({
      status: 200,
    });
  });
});
