import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, startCatalogue } from '../contract/catalogue.ts';
import {
  choicesOf,
  formTo,
  htmlFormsOf,
  redirectOf,
  registerApp,
  type SeenPage,
  shownPageOf,
  signInAndAnswerConsent,
  Visitor,
} from '../support/sign-in.ts';
import { App, type AppIdentity, connect, own } from './oauth-app.ts';

const scope = 'openid profile offline_access assets:write relationships:write';
let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await startCatalogue('all');
});
afterAll(() => catalogue.stop());

/** What a protected read answers to a token. */
const statusWith = async (token: unknown) =>
  (await catalogue.get('/me/relationships', { token: String(token) })).status;
const asked = (app: App, changes = {}) => new Visitor().open(app.authorizationUrl(scope, changes));
/** The address of the Apps pages of one of the made-up people. */
const appsOf = async (person = 0) =>
  String(
    choicesOf(await new Visitor().openPage(new URL('/account/apps', catalogue.baseUrl)))[person]?.url.href,
  );

async function register(type: 'public' | 'confidential', redirectUri = 'https://shelf.example/callback?a=b') {
  const app = { name: 'Poster shelf', redirectUri, type, scopes: scope.split(' ') };
  const identity = await registerApp(new URL(catalogue.baseUrl).origin, app);
  return { ...identity, redirectUri } satisfies AppIdentity;
}

describe('the authorization server', () => {
  test('connects a public app, and renews what it has, once for each refresh token', async () => {
    const { app, callback, tokens, accessToken, refreshToken } = await connect(catalogue, { scope });
    expect(callback.searchParams.get('state')).toBe(app.state);
    expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3_600, scope });
    const claims = JSON.parse(
      Buffer.from(String(tokens.id_token).split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims).toMatchObject({ nonce: app.nonce, sub: '1', name: 'lanternroom' });
    expect(await statusWith(accessToken)).toBe(200);
    const renewed = await app.refresh(refreshToken);
    expect(renewed).toMatchObject({ status: 200, scope });
    expect(await statusWith(renewed.access_token)).toBe(200);
    // A client that presents a used one again may have stolen it.
    expect(await app.refresh(refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await app.refresh(String(renewed.refresh_token))).toMatchObject({ error: 'invalid_grant' });
    expect(await statusWith(renewed.access_token)).toBe(401);
  });

  test('gives nothing to renew with without offline_access, and takes the nonce without openid', async () => {
    const { tokens } = await connect(catalogue, { scope: 'relationships:write' });
    expect([tokens.status, tokens.refresh_token, tokens.id_token]).toEqual([200, undefined, undefined]);
  });

  test('wants the secret of a confidential app, and revokes one connection as often as it is asked', async () => {
    const identity = await register('confidential');
    const [first, second] = [
      await connect(catalogue, { scope, identity }),
      await connect(catalogue, { scope, identity }),
    ];
    for (const clientSecret of [null, 'guessed']) {
      const one = new App(catalogue, { ...identity, clientSecret });
      expect(await one.refresh(first.refreshToken)).toMatchObject({ status: 401, error: 'invalid_client' });
      expect(await one.revoke(first.refreshToken)).toMatchObject({ status: 401, error: 'invalid_client' });
    }
    await new App(catalogue).revoke(first.refreshToken);
    expect(await statusWith(first.accessToken)).toBe(200);
    for (let time = 0; time < 2; time++)
      expect((await first.app.revoke(first.refreshToken)).status).toBe(200);
    expect(await first.app.refresh(first.refreshToken)).toMatchObject({ error: 'invalid_grant' });
    expect(await statusWith(first.accessToken)).toBe(401);
    expect(await statusWith(second.accessToken)).toBe(200);
    const stored = JSON.stringify(
      catalogue.store
        .all('SELECT id, payload FROM oauth_records')
        .map((row) => [...[row.text('id'), row.text('payload')]]),
    );
    for (const secret of [second.accessToken, second.refreshToken, identity.clientSecret]) {
      expect(stored).not.toContain(secret);
    }
  });

  test('exchanges a code once, for the app, callback, verifier and resource that it was given for', async () => {
    const visitor = new Visitor();
    const callback = (app: App) => signInAndAnswerConsent(visitor, app.authorizationUrl(scope));
    for (const [changes, error] of [
      [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: null }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:43917/other' }, 'invalid_grant'],
      [{ resource: `${catalogue.baseUrl}/you` }, 'invalid_target'],
    ] as const) {
      const app = new App(catalogue);
      expect(await app.exchange(await callback(app), changes)).toMatchObject({ status: 400, error });
    }
    const app = new App(catalogue);
    const code = await callback(app);
    const { access_token: token } = await app.exchange(code);
    expect(await app.exchange(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await statusWith(token)).toBe(401);
  });

  test('answers at the registered callback alone', async () => {
    const redirectUri = 'http://localhost:7000/callback?a=b';
    const app = new App(catalogue, await register('public', redirectUri));
    const others = [
      'http://localhost:7001/callback?a=b',
      `${redirectUri}&c=d`,
      'https://evil.example/',
      null,
    ];
    for (const redirect_uri of others) {
      expect(shownPageOf(await asked(app, { redirect_uri })).status, String(redirect_uri)).toBe(400);
    }
    expect(shownPageOf(await asked(app)).status).toBe(200);
    // Its own app runs on the same machine, where another program may hold the port.
    const elsewhere = new App(catalogue, { ...own, redirectUri: 'http://127.0.0.1:50001/callback' });
    expect(shownPageOf(await asked(elsewhere)).status).toBe(200);
  });

  test.each([
    [{ resource: 'https://elsewhere.example/me' }, 'invalid_target'],
    [{ state: null }, 'invalid_request'],
    [{ code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'openid account:delete' }, 'invalid_scope'],
    [{ scope: 'sets:write' }, 'invalid_scope'],
  ])('refuses a request with %j', async (changes, error) => {
    const { searchParams } = redirectOf(await asked(new App(catalogue, await register('public')), changes));
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual([error, null]);
  });

  test('tells an app that a person has declined', async () => {
    const app = new App(catalogue);
    const to = await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope), 0, 'decline');
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: 'access_denied', state: app.state });
  });
});

describe('the pages', () => {
  test('ask for each request of an app, in the browser that began it, and take forms from no other site', async () => {
    const [visitor, app] = [new Visitor(), new App(catalogue)];
    await signInAndAnswerConsent(visitor, app.authorizationUrl(scope));
    const choice = await visitor.openPage(app.authorizationUrl(scope));
    expect(choicesOf(choice)).toHaveLength(10);
    expect((await new Visitor().openPage(choice.url)).status).toBe(400);
    const { headers } = await visitor.openPage(String(choicesOf(choice)[1]?.url.href));
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    const answer = await fetch(choice.url, {
      ...{ method: 'POST', redirect: 'manual' },
      body: new URLSearchParams({ account: '2', decision: 'approve' }),
      headers: { origin: 'https://evil.example', cookie: visitor.cookiesFor(choice.url) },
    });
    expect(answer.status).toBe(403);
  });

  const scopes = ['openid', 'sets:write'];
  test.each([
    { name: '' },
    { name: 'Shelf \u202e' },
    { redirect_uri: 'http://shelf.example/callback' },
    { redirect_uri: 'https://shelf.example/#here' },
    { redirect_uri: 'https://shelf.example/?code=1' },
    { redirect_uri: 'http://localhost:7000/', type: 'confidential' },
    { type: 'other' },
    { scopes: ['openid', 'account:delete'] },
  ])('do not register an app with %j', async (changes) => {
    const visitor = new Visitor();
    const form = formTo(await visitor.openPage(`${await appsOf()}/new`), '/apps/new');
    const right = { name: 'Shelf', redirect_uri: 'https://shelf.example/', type: 'public', scopes };
    const seen = shownPageOf(await visitor.send(form, { ...right, ...changes }));
    expect([seen.status, seen.markup.includes('Client id')]).toEqual([422, false]);
  });

  test('end one connection of their own account, and leave the others; remove an app with its connections', async () => {
    const person = 2;
    const connections = [
      await connect(catalogue, { scope, person }),
      await connect(catalogue, { scope, person }),
    ];
    const [visitor, apps] = [new Visitor(), await appsOf(person)];
    const disconnects = (seen: SeenPage) =>
      htmlFormsOf(seen).filter(({ action }) => action.pathname.endsWith('/disconnect'));
    const [form, ...rest] = disconnects(await visitor.openPage(apps));
    if (form === undefined || rest.length !== 1) throw new Error('There are not two connections.');
    // Under another account's name there is no such connection.
    const foreign = new URL(form.action.href.replace(/account\/\d+/, 'account/2'));
    expect(shownPageOf(await visitor.send({ ...form, action: foreign }, {})).status).toBe(404);
    expect(disconnects(shownPageOf(await visitor.send(form, {})))).toHaveLength(1);
    const statuses = await Promise.all(connections.map(({ accessToken }) => statusWith(accessToken)));
    expect(statuses.sort()).toEqual([200, 401]);
    const identity = await register('public');
    const { accessToken } = await connect(catalogue, { scope, identity, person: 1 });
    await visitor.send(formTo(await visitor.openPage(await appsOf()), `${identity.clientId}/remove`), {});
    expect(await statusWith(accessToken)).toBe(401);
  });
});

// `fetch` sets some of these headers itself.
test.each<[number, Record<string, string>, string?]>([
  [403, { origin: 'https://example.org' }],
  [403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  [403, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
  [403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'POST'],
  [421, { host: 'example.org' }],
  [200, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  [200, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
])('a page of another site is answered %i to %j', async (status, headers, method = 'GET') => {
  const sent = request(`${catalogue.baseUrl}/episodes`, { headers, method, agent: false }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  expect(answer.statusCode).toBe(status);
});
