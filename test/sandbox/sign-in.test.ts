import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  choicesOf,
  formTo,
  htmlFormsOf,
  redirectOf,
  registerApp,
  shownPageOf,
  signInAndAnswerConsent,
  Visitor,
} from '../support/sign-in.ts';
import { type Embedded, startEmbedded } from './embedded.ts';
import { App, type AppIdentity, connect, own, present, type SignInServer } from './oauth-app.ts';

let embedded: Embedded;
let server: SignInServer;
const scope = 'openid profile offline_access assets:write relationships:write';

beforeAll(async () => {
  embedded = await startEmbedded();
  const { baseUrl } = embedded.sandbox;
  server = { baseUrl, authUrl: new URL(baseUrl).origin };
});
afterAll(() => embedded.stop());

/** What a protected read answers to a token. */
async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.baseUrl}/me/relationships`, { headers })).status;
}

/** The address of the Apps pages of one of the made-up people. */
async function appsOf(person = 0): Promise<URL> {
  const choices = choicesOf(await new Visitor().openPage(`${server.authUrl}/account/apps`));
  return present(choices[person], 'person').url;
}

async function register(
  changes: { type?: 'public' | 'confidential'; redirectUri?: string; scopes?: readonly string[] } = {},
): Promise<AppIdentity> {
  const app = {
    name: 'Poster shelf',
    redirectUri: 'https://shelf.example/callback?from=catalogue',
    type: 'confidential',
    scopes: scope.split(' '),
    ...changes,
  } as const;
  return { ...(await registerApp(server.authUrl, app)), redirectUri: app.redirectUri };
}

describe('the authorization server', () => {
  it('connects a public app, and renews what it has', async () => {
    const { app, callback, tokens, accessToken, refreshToken } = await connect(server, { scope });
    expect(callback.searchParams.get('state')).toBe(app.state);
    expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3_600, scope });
    const claims = JSON.parse(Buffer.from(tokens.id_token?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ nonce: app.nonce, sub: '1', name: 'lanternroom' });
    expect(await statusWith(accessToken)).toBe(200);

    const renewed = await app.refresh(refreshToken);
    expect(renewed).toMatchObject({ status: 200, scope });
    expect(await statusWith(renewed.access_token ?? '')).toBe(200);
    // A client that presents a used one again may have stolen it.
    expect(await app.refresh(refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await app.refresh(renewed.refresh_token ?? '')).toMatchObject({ error: 'invalid_grant' });
    expect(await statusWith(renewed.access_token ?? '')).toBe(401);
  });

  it('gives nothing to renew with where offline_access is not granted, and takes the nonce without openid', async () => {
    const { tokens } = await connect(server, { scope: 'relationships:write' });
    expect([tokens.status, tokens.refresh_token, tokens.id_token]).toEqual([200, undefined, undefined]);
  });

  it('wants the secret of a confidential app, at every endpoint', async () => {
    const identity = await register();
    const { app, accessToken, refreshToken } = await connect(server, { scope, identity });
    for (const clientSecret of [null, 'guessed']) {
      const one = new App(server, { ...identity, clientSecret });
      expect(await one.refresh(refreshToken)).toMatchObject({ status: 401, error: 'invalid_client' });
      expect(await one.revoke(refreshToken)).toMatchObject({ status: 401, error: 'invalid_client' });
    }
    expect(await statusWith(accessToken)).toBe(200);
    expect(await app.revoke(refreshToken)).toMatchObject({ status: 200 });
    expect(await statusWith(accessToken)).toBe(401);
  });

  it('revokes one connection of an app, as often as it is asked', async () => {
    const [first, second] = [await connect(server, { scope }), await connect(server, { scope })];
    expect(await first.app.revoke(first.refreshToken)).toMatchObject({ status: 200 });
    expect(await first.app.revoke(first.refreshToken)).toMatchObject({ status: 200 });
    expect(await statusWith(first.accessToken)).toBe(401);
    expect(await first.app.refresh(first.refreshToken)).toMatchObject({ error: 'invalid_grant' });
    expect(await statusWith(second.accessToken)).toBe(200);
    // Another app's token is not its to revoke.
    const other = new App(server, await register({ type: 'public' }));
    await other.revoke(second.refreshToken);
    expect(await statusWith(second.accessToken)).toBe(200);
  });

  it('exchanges a code once, for the app, callback, verifier and resource that it was given for', async () => {
    const visitor = new Visitor();
    const callback = async (app: App) => signInAndAnswerConsent(visitor, app.authorizationUrl(scope));
    for (const [changes, error] of [
      [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:43917/other' }, 'invalid_grant'],
      [{ resource: `${server.baseUrl}/you` }, 'invalid_target'],
    ] as const) {
      const app = new App(server, own);
      expect(await app.exchange(await callback(app), changes)).toMatchObject({ status: 400, error });
    }
    const app = new App(server, own);
    const code = await callback(app);
    const tokens = await app.exchange(code);
    expect(await app.exchange(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await statusWith(present(tokens.access_token, 'token'))).toBe(401);
  });

  it('answers at the registered callback alone', async () => {
    const redirectUri = 'http://localhost:7000/callback?a=b';
    const app = new App(server, await register({ type: 'public', redirectUri }));
    const others = [
      'http://localhost:7001/callback?a=b',
      `${redirectUri}&c=d`,
      'https://evil.example/',
      null,
    ];
    for (const redirect_uri of others) {
      const seen = await new Visitor().openPage(app.authorizationUrl(scope, { redirect_uri }));
      expect(seen.status, String(redirect_uri)).toBe(400);
    }
    expect((await new Visitor().openPage(app.authorizationUrl(scope))).status).toBe(200);
    // Its own app runs on the same machine, where another program may hold the port.
    const elsewhere = new App(server, { ...own, redirectUri: 'http://127.0.0.1:50001/callback' });
    expect((await new Visitor().openPage(elsewhere.authorizationUrl(scope))).status).toBe(200);
  });

  it.each([
    [{ resource: 'https://elsewhere.example/me' }, 'invalid_target'],
    [{ state: null }, 'invalid_request'],
    [{ code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'openid account:delete' }, 'invalid_scope'],
    [{ scope: 'sets:write' }, 'invalid_scope'],
  ])('refuses a request with %j', async (changes, error) => {
    const app = new App(server, await register({ type: 'public' }));
    const to = redirectOf(await new Visitor().open(app.authorizationUrl(scope, changes)));
    expect(to.searchParams.get('error')).toBe(error);
    expect(to.searchParams.get('code')).toBeNull();
  });

  it('tells an app that a person has declined', async () => {
    const app = new App(server, own);
    const to = await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope), 0, 'decline');
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: 'access_denied', state: app.state });
  });
});

describe('the pages', () => {
  it('ask for each request of an app, in the browser that began it', async () => {
    const [visitor, app] = [new Visitor(), new App(server, own)];
    await signInAndAnswerConsent(visitor, app.authorizationUrl(scope));
    const again = await visitor.openPage(app.authorizationUrl(scope));
    expect(choicesOf(again)).toHaveLength(10);
    expect((await new Visitor().openPage(again.url)).status).toBe(400);
  });

  it('can be framed and scripted by no other site, which can send them no form', async () => {
    const visitor = new Visitor();
    const choice = await visitor.openPage(new App(server, own).authorizationUrl(scope));
    const consent = await visitor.openPage(present(choicesOf(choice)[1], 'choice').url);
    expect(consent.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(consent.headers.get('cache-control')).toBe('no-store');
    const answer = await fetch(choice.url, {
      method: 'POST',
      body: new URLSearchParams({ account: '2', decision: 'approve' }),
      redirect: 'manual',
      headers: { origin: 'https://evil.example', cookie: visitor.cookiesFor(choice.url) },
    });
    expect(answer.status).toBe(403);
  });
});

describe('the Apps area', () => {
  const scopes = ['openid', 'sets:write'];
  it.each([
    { name: '' },
    { name: 'Shelf \u202e' },
    { redirect_uri: 'http://shelf.example/callback' },
    { redirect_uri: 'https://shelf.example/#here' },
    { redirect_uri: 'https://shelf.example/?code=1' },
    { redirect_uri: 'http://localhost:7000/', type: 'confidential' },
    { type: 'other' },
    { scopes: ['openid', 'account:delete'] },
  ])('does not register an app with %j', async (changes) => {
    const visitor = new Visitor();
    const form = formTo(await visitor.openPage(`${(await appsOf()).href}/new`), '/apps/new');
    const right = { name: 'Shelf', redirect_uri: 'https://shelf.example/', type: 'public', scopes };
    const seen = shownPageOf(await visitor.send(form, { ...right, ...changes }));
    expect([seen.status, seen.markup.includes('Client id')]).toEqual([422, false]);
  });

  it('ends one connection, and leaves the others', async () => {
    const person = 2;
    const connections = [await connect(server, { scope, person }), await connect(server, { scope, person })];
    const [visitor, apps] = [new Visitor(), await appsOf(person)];
    const disconnects = (seen: Parameters<typeof htmlFormsOf>[0]) =>
      htmlFormsOf(seen).filter(({ action }) => action.pathname.endsWith('/disconnect'));
    const forms = disconnects(await visitor.openPage(apps));
    expect(forms).toHaveLength(2);
    const form = present(forms[0], 'form');
    // Under another account's name there is no such connection.
    const foreign = new URL(
      form.action.href.replace(apps.href.replace(/apps$/, ''), `${server.authUrl}/account/2/`),
    );
    expect(shownPageOf(await visitor.send({ ...form, action: foreign }, {})).status).toBe(404);
    expect(disconnects(shownPageOf(await visitor.send(form, {})))).toHaveLength(1);
    const statuses = await Promise.all(connections.map(({ accessToken }) => statusWith(accessToken)));
    expect(statuses.sort()).toEqual([200, 401]);
  });

  it('removes an app with its connections', async () => {
    const identity = await register({ type: 'public' });
    const { accessToken } = await connect(server, { scope, identity, person: 1 });
    const visitor = new Visitor();
    await visitor.send(formTo(await visitor.openPage(await appsOf()), `${identity.clientId}/remove`), {});
    expect(await statusWith(accessToken)).toBe(401);
  });

  it('keeps no token, code or secret as it is', async () => {
    const identity = await register();
    const { accessToken, refreshToken, callback } = await connect(server, { scope, identity });
    const { store } = embedded.sandbox;
    const rows = store
      .all('SELECT id AS one, payload AS two FROM oauth_records')
      .concat(store.all("SELECT client_id AS one, coalesce(secret, '') AS two FROM apps"));
    const stored = rows.map((row) => `${row.text('one')} ${row.text('two')}`).join();
    const secrets = [accessToken, refreshToken, callback.searchParams.get('code'), identity.clientSecret];
    expect(stored).not.toBe('');
    for (const secret of secrets) expect(stored.includes(present(secret, 'secret'))).toBe(false);
  });
});
