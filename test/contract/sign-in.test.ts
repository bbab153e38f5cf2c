import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { App, type AppIdentity, connect, own } from './oauth-app.ts';
import { type Perform, testScenarios } from './scenarios.ts';

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
const approved = (app: App) => signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope));

const perform: Perform = async ({ verb, path, body }) => {
  const changes: Record<string, string> = Object(body);
  switch (verb) {
    case 'REGISTER': {
      const visitor = new Visitor();
      const form = formTo(await visitor.openPage(`${await appsOf()}/new`), '/apps/new');
      const scopes = ['openid', 'sets:write'];
      const right = { name: 'Shelf', redirect_uri: 'https://shelf.example/', type: 'public', scopes };
      const seen = shownPageOf(await visitor.send(form, { ...right, ...changes }));
      expect(seen.markup.includes('Client id')).toBe(seen.status === 200);
      return { is: String(seen.status) };
    }
    case 'CALLBACK': {
      const app = new App(catalogue, await register('public', 'http://localhost:7000/callback?a=b'));
      const seen = await asked(app, { redirect_uri: path === 'null' ? null : path });
      return { is: String(shownPageOf(seen).status) };
    }
    case 'AUTHORIZE': {
      const app = new App(catalogue, await register('public'));
      const { searchParams } = redirectOf(await asked(app, changes));
      expect(searchParams.has('code')).toBe(false);
      return { is: String(searchParams.get('error')) };
    }
    case 'EXCHANGE': {
      const app = new App(catalogue);
      const { status, error } = await app.exchange(await approved(app), changes);
      return { is: [status, error ?? []].flat().join(' ') };
    }
    case 'PAGE': {
      // `fetch` sets some of these headers itself.
      const { method = 'GET', ...headers } = changes;
      const sent = request(`${catalogue.baseUrl}/episodes`, { headers, method, agent: false }).end();
      const [answer] = await once(sent, 'response');
      answer.resume();
      return { is: String(answer.statusCode) };
    }
    default:
      throw new Error(`Nothing is called ${verb}.`);
  }
};
testScenarios('authentication.txt', { xs: 'x'.repeat(43) }, perform);

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

test('a code that comes a second time ends what the first brought', async () => {
  const app = new App(catalogue);
  const code = await approved(app);
  const { access_token } = await app.exchange(code);
  expect(await app.exchange(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await statusWith(access_token)).toBe(401);
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
