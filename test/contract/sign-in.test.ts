import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App, type AppIdentity, connect, own } from '../support/oauth-app.ts';
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
import { type Catalogue, startCatalogue } from './catalogue.ts';

const scope = 'openid profile offline_access assets:write relationships:write';
let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await startCatalogue();
});
afterAll(() => catalogue.stop());

/** What a protected read answers to a token. */
const statusWith = async (token: unknown) =>
  (await catalogue.send('GET /me/relationships', null, { authorization: `Bearer ${token}` })).status;
const asked = (app: App, changes = {}) => new Visitor().open(app.authorizationUrl(scope, changes));
/** The Apps page of a numbered account. */
const appsOf = async (account = 0) => {
  const page = await new Visitor().openPage(new URL('/account/apps', catalogue.baseUrl));
  return String(choicesOf(page)[account]?.url.href);
};
async function register(type: 'public' | 'confidential', redirectUri = 'https://shelf.example/callback?a=b') {
  const app = { name: 'Poster shelf', redirectUri, type, scopes: scope.split(' ') };
  const identity = await registerApp(new URL(catalogue.baseUrl).origin, app);
  return { ...identity, redirectUri } satisfies AppIdentity;
}

test.each(['oauth-authorization-server', 'openid-configuration'])('%s describes the server', async (name) => {
  const answer = await fetch(new URL(`/api/auth/.well-known/${name}`, catalogue.baseUrl));
  const metadata = Object(await answer.json());
  expect(metadata).toMatchObject({ code_challenge_methods_supported: ['S256'] });
  expect(metadata.authorization_endpoint).toBe(new URL('/api/auth/oauth2/authorize', catalogue.baseUrl).href);
  expect(metadata.token_endpoint).toBe(`${catalogue.baseUrl}/api/auth/oauth2/token`);
});

test('a public app is connected, and renews what it has, once for each refresh token', async () => {
  const { app, callback, tokens, accessToken, refreshToken } = await connect(catalogue, { scope });
  expect(callback.searchParams.get('state')).toBe(app.state);
  expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3_600, scope });
  const claims = Buffer.from(String(tokens.id_token).split('.')[1] ?? '', 'base64url').toString();
  expect(JSON.parse(claims)).toMatchObject({ nonce: app.nonce, sub: '1', name: 'lanternroom' });
  const renewed = await app.refresh(refreshToken);
  expect(renewed).toMatchObject({ status: 200, scope });
  expect([await statusWith(accessToken), await statusWith(renewed.access_token)]).toEqual([200, 200]);
  // A client that presents a used one again may have stolen it.
  expect(await app.refresh(refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await app.refresh(String(renewed.refresh_token))).toMatchObject({ error: 'invalid_grant' });
  expect(await statusWith(renewed.access_token)).toBe(401);
});

test('there is nothing to renew with without offline_access, and a nonce is taken without openid', async () => {
  const { tokens } = await connect(catalogue, { scope: 'relationships:write' });
  expect([tokens.status, tokens.refresh_token, tokens.id_token]).toEqual([200, undefined, undefined]);
});

test('a confidential app needs its secret, and revokes one connection as often as it asks', async () => {
  const identity = await register('confidential');
  const first = await connect(catalogue, { scope, identity });
  const second = await connect(catalogue, { scope, identity });
  for (const clientSecret of [null, 'guessed']) {
    const one = new App(catalogue, { ...identity, clientSecret });
    expect(await one.refresh(first.refreshToken)).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(await one.revoke(first.refreshToken)).toMatchObject({ status: 401, error: 'invalid_client' });
  }
  await new App(catalogue).revoke(first.refreshToken);
  expect(await statusWith(first.accessToken)).toBe(200);
  for (let time = 0; time < 2; time++) expect((await first.app.revoke(first.refreshToken)).status).toBe(200);
  expect(await first.app.refresh(first.refreshToken)).toMatchObject({ error: 'invalid_grant' });
  expect([await statusWith(first.accessToken), await statusWith(second.accessToken)]).toEqual([401, 200]);
});

test.each([
  [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
  [{ code_verifier: null }, 'invalid_grant'],
  [{ redirect_uri: 'http://127.0.0.1:43917/other' }, 'invalid_grant'],
  [{ resource: 'https://elsewhere.example/me' }, 'invalid_target'],
  [{}, undefined],
])('a code that is exchanged with %j is answered %s, and once', async (changes, error) => {
  const app = new App(catalogue);
  const code = await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope));
  const answer = await app.exchange(code, changes);
  expect([answer.status, answer.error]).toEqual([error === undefined ? 200 : 400, error]);
  if (error !== undefined) return;
  expect(await app.exchange(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await statusWith(answer.access_token)).toBe(401);
});

const callback = 'http://localhost:7000/callback?a=b';
test.each([
  [200, callback],
  [400, 'http://localhost:7001/callback?a=b'],
  [400, `${callback}&c=d`],
  [400, 'https://evil.example/'],
  [400, null],
])('an app is answered %i where it asks for the callback %s', async (status, redirect_uri) => {
  const app = new App(catalogue, await register('public', callback));
  expect(shownPageOf(await asked(app, { redirect_uri })).status).toBe(status);
});

test.each([
  [{ resource: 'https://elsewhere.example/me' }, 'invalid_target'],
  [{ state: null }, 'invalid_request'],
  [{ code_challenge: null, code_challenge_method: null }, 'invalid_request'],
  [{ code_challenge_method: 'plain' }, 'invalid_request'],
  [{ scope: 'openid account:delete' }, 'invalid_scope'],
  [{ scope: 'sets:write' }, 'invalid_scope'],
])('a request with %j is refused with %s', async (changes, error) => {
  const { searchParams } = redirectOf(await asked(new App(catalogue, await register('public')), changes));
  expect([searchParams.get('error'), searchParams.get('code')]).toEqual([error, null]);
});

test('an app hears that a person has declined, and its own waits at any port of the loopback', async () => {
  const app = new App(catalogue, { ...own, redirectUri: 'http://127.0.0.1:50001/callback' });
  const to = await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope), 0, 'decline');
  expect(to.port).toBe('50001');
  expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: 'access_denied', state: app.state });
});

test('the pages ask again for each request, in the browser that began it, and take no form of another site', async () => {
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

test.each([
  [{ name: '' }, 422],
  [{ name: 'Shelf \u202e' }, 422],
  [{ redirect_uri: 'http://shelf.example/callback' }, 422],
  [{ redirect_uri: 'https://shelf.example/#here' }, 422],
  [{ redirect_uri: 'https://shelf.example/?code=1' }, 422],
  [{ redirect_uri: 'http://localhost:7000/', type: 'confidential' }, 422],
  [{ type: 'other' }, 422],
  [{ scopes: ['openid', 'account:delete'] }, 422],
  [{ redirect_uri: 'http://[::1]:7000/' }, 200],
])('the Apps pages answer an app with %j %i', async (changes, status) => {
  const visitor = new Visitor();
  const form = formTo(await visitor.openPage(`${await appsOf()}/new`), '/apps/new');
  const scopes = ['openid', 'sets:write'];
  const right = { name: 'Shelf', redirect_uri: 'https://shelf.example/', type: 'public', scopes };
  const seen = shownPageOf(await visitor.send(form, { ...right, ...changes }));
  expect([seen.status, seen.markup.includes('Client id')]).toEqual([status, status === 200]);
});

test('the Apps pages end one connection of their own account alone, and an app with all of its own', async () => {
  const account = 2;
  const one = await connect(catalogue, { scope, account });
  const other = await connect(catalogue, { scope, account });
  const visitor = new Visitor();
  const disconnects = (seen: SeenPage) =>
    htmlFormsOf(seen).filter(({ action }) => action.pathname.endsWith('/disconnect'));
  const [form, ...rest] = disconnects(await visitor.openPage(await appsOf(account)));
  if (form === undefined || rest.length !== 1) throw new Error('There are not two connections.');
  // Under another account's name there is no such connection.
  const foreign = new URL(form.action.href.replace(/account\/\d+/, 'account/2'));
  expect(shownPageOf(await visitor.send({ ...form, action: foreign }, {})).status).toBe(404);
  expect(disconnects(shownPageOf(await visitor.send(form, {})))).toHaveLength(1);
  const statuses = [await statusWith(one.accessToken), await statusWith(other.accessToken)];
  expect(statuses.sort()).toEqual([200, 401]);
  const identity = await register('public');
  const { accessToken } = await connect(catalogue, { scope, identity, account: 1 });
  await visitor.send(formTo(await visitor.openPage(await appsOf()), `${identity.clientId}/remove`), {});
  expect(await statusWith(accessToken)).toBe(401);
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
