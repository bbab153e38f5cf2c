import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formTo, Visitor } from '../support/sign-in.ts';
import { connect, probe } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
let visitor: Visitor;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ dataDir: folder.path });
  visitor = new Visitor();
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

/** The headers as they stand here, also one name twice. */
async function ask(headers: Record<string, string | string[]>, path = '/me/probe') {
  return new Promise<{ status: number; challenge: string | undefined; body: unknown }>((resolve, reject) => {
    const asked = request(`${server.baseUrl}${path}`, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          challenge: response.headers['www-authenticate'],
          body: JSON.parse(text),
        }),
      );
    });
    asked.on('error', reject).end();
  });
}

const refused = (code: string) => ({
  error: { code, message: expect.any(String), details: expect.any(Object), issues: [] },
});

describe('a protected request', () => {
  it('is let in with a bearer token, for the account that approved', async () => {
    const { accessToken } = await connect(server, { account: server.accounts[1] });
    const seen = await probe(server.baseUrl, accessToken);
    expect(seen.status).toBe(200);
    expect(seen.headers.get('cache-control')).toBe('private, no-store');
    expect(seen.body).toMatchObject({
      data: { accountId: 2, clientId: 'artwork-mcp', scopes: ['assets:write', 'sets:write'] },
    });
    expect(await ask({ authorization: `bearer ${accessToken}` })).toMatchObject({ status: 200 });
  });

  it('is refused with a cookie, whatever else it carries', async () => {
    const { accessToken } = await connect(server, { visitor });
    const authorization = `Bearer ${accessToken}`;
    const session = visitor.cookiesFor(new URL(`${server.baseUrl}/me/probe`));
    expect(session).toContain('session');
    for (const cookie of [session, 'anything=1']) {
      expect(await ask({ authorization, cookie })).toMatchObject({
        status: 400,
        body: refused('cookies_not_allowed'),
      });
      expect(await ask({ cookie })).toMatchObject({ status: 400, body: refused('cookies_not_allowed') });
    }
  });

  it('is refused without a token', async () => {
    const { accessToken } = await connect(server, { visitor });
    const missing = { status: 401, challenge: 'Bearer', body: refused('missing_token') };
    expect(await ask({})).toMatchObject(missing);
    expect(await ask({}, `/me/probe?access_token=${accessToken}`)).toMatchObject(missing);
  });

  it('is refused with anything but one living token', async () => {
    const { accessToken, refreshToken } = await connect(server, { visitor });
    for (const authorization of [
      'Bearer nonsense',
      'Bearer ',
      `Basic ${accessToken}`,
      `Bearer ${accessToken} ${accessToken}`,
      `Bearer ${refreshToken}`,
      `Bearer ${accessToken}x`,
      [`Bearer ${accessToken}`, 'Bearer nonsense'],
    ]) {
      expect(await ask({ authorization })).toMatchObject({
        status: 401,
        challenge: expect.stringContaining('error="invalid_token"'),
        body: refused('invalid_token'),
      });
    }
  });

  it('is refused with a token that has expired, and the connection can renew', async () => {
    const { app, accessToken, refreshToken } = await connect(server, { visitor });
    const bystander = await connect(server, { visitor });
    const { body } = await probe(server.baseUrl, accessToken);
    if (!(body instanceof Object) || !('data' in body)) throw new Error('no data');
    const connectionId = body.data instanceof Object ? Reflect.get(body.data, 'connectionId') : undefined;
    if (typeof connectionId !== 'string') throw new Error('no connection');
    expect(server.authorization.expireAccessTokens(connectionId)).toBe(1);
    expect((await probe(server.baseUrl, accessToken)).status).toBe(401);
    expect((await probe(server.baseUrl, bystander.accessToken)).status).toBe(200);
    expect((await app.refresh(refreshToken)).status).toBe(200);
    expect(server.authorization.expireAccessTokens()).toBeGreaterThanOrEqual(2);
    expect((await probe(server.baseUrl, bystander.accessToken)).status).toBe(401);
  });

  it('is refused with a token for another service', async () => {
    const { accessToken } = await connect(server, { visitor });
    // The same data folder behind another base URL: the token is known there, and is for somewhere else.
    const other = await startServer({ dataDir: folder.path, basePath: '/moved' });
    try {
      const seen = await probe(other.baseUrl, accessToken);
      expect(seen).toMatchObject({ status: 401, body: refused('invalid_token') });
    } finally {
      await other.stop();
    }
  });

  it.each([
    ['assets:write', '?every=assets:write', 200],
    ['assets:write', '?every=assets:replace', 403],
    ['assets:write', '?any=assets:write,assets:replace', 200],
    ['assets:replace', '?any=assets:write,assets:replace', 200],
    ['sets:write', '?any=assets:write,assets:replace', 403],
    ['sets:write', '?every=sets:write,assets:write', 403],
    ['sets:write assets:write', '?every=sets:write,assets:write', 200],
    ['groups:write assets:replace', '?every=groups:write,assets:replace', 200],
    ['groups:write', '?every=groups:write,assets:replace', 403],
    ['relationships:write', '?every=relationships:write', 200],
    ['openid profile offline_access', '?every=relationships:write', 403],
  ])('with the scopes "%s" on %s answers %i', async (scope, query, status) => {
    const { accessToken } = await connect(server, { scope, visitor });
    const seen = await ask({ authorization: `Bearer ${accessToken}` }, `/me/probe${query}`);
    expect(seen.status).toBe(status);
    if (status !== 403) return;
    expect(seen.body).toMatchObject(refused('insufficient_scope'));
    expect(seen.challenge).toContain('error="insufficient_scope"');
  });

  it('makes its connection’s last use, and stops at its disconnection', async () => {
    const person = new Visitor();
    const { accessToken } = await connect(server, { visitor: person, account: server.accounts[1] });
    const before = await person.openPage(`${server.authUrl}/account/apps`);
    expect(before.markup).toContain('not used yet');
    expect((await probe(server.baseUrl, accessToken)).status).toBe(200);
    const after = await person.openPage(`${server.authUrl}/account/apps`);
    expect(after.markup).toMatch(/last used <time datetime="/);
    let apps = after;
    for (let guard = 0; apps.markup.includes('/disconnect') && guard < 10; guard++) {
      await person.send(formTo(apps, '/disconnect'), {});
      apps = await person.openPage(`${server.authUrl}/account/apps`);
    }
    expect((await probe(server.baseUrl, accessToken)).status).toBe(401);
  });
});
