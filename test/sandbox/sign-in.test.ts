import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTicket, ticketParameter } from '../../src/sandbox/account/ticket.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { readCredentials } from '../support/credentials.ts';
import {
  formTo,
  htmlFormsOf,
  redirectOf,
  registerApp,
  shownPageOf,
  signIn,
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
  const people = await readCredentials(embedded.dataDir);
  server = { baseUrl, authUrl: new URL(baseUrl).origin, people };
});
afterAll(() => embedded.stop());

/** What a protected read answers to a token. */
async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.baseUrl}/me/relationships`, { headers })).status;
}

async function signedIn(person = 0): Promise<Visitor> {
  const visitor = new Visitor();
  const form = shownPageOf(await visitor.open(`${server.authUrl}/account/sign-in`));
  await signIn(visitor, form, present(server.people[person], 'person'));
  return visitor;
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
  return { ...(await registerApp(await signedIn(), server.authUrl, app)), redirectUri: app.redirectUri };
}

describe('the authorization server', () => {
  it.each(['oauth-authorization-server', 'openid-configuration'])(
    'says at %s where it answers',
    async (at) => {
      const answer = await fetch(`${server.authUrl}/api/auth/.well-known/${at}`);
      expect(await answer.json()).toMatchObject({
        issuer: `${server.authUrl}/api/auth`,
        authorization_endpoint: `${server.authUrl}/api/auth/oauth2/authorize`,
        token_endpoint: `${server.baseUrl}/api/auth/oauth2/token`,
        revocation_endpoint: `${server.baseUrl}/api/auth/oauth2/revoke`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      });
    },
  );

  it('connects a public app, and renews what it has', async () => {
    const { app, callback, tokens, accessToken, refreshToken } = await connect(server, { scope });
    expect(callback.searchParams.get('state')).toBe(app.state);
    expect(tokens).toMatchObject({ status: 200, tokenType: 'Bearer', expiresIn: 3_600, scope });
    const claims = JSON.parse(Buffer.from(tokens.idToken?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ nonce: app.nonce, sub: '1', name: server.people[0]?.name });
    expect(await statusWith(accessToken)).toBe(200);

    const renewed = await app.refresh(refreshToken);
    expect(renewed).toMatchObject({ status: 200, scope });
    expect(await statusWith(renewed.accessToken ?? '')).toBe(200);
    // Whoever presents a used one again may have stolen it.
    expect(await app.refresh(refreshToken)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await app.refresh(renewed.refreshToken ?? '')).toMatchObject({ error: 'invalid_grant' });
    expect(await statusWith(renewed.accessToken ?? '')).toBe(401);
  });

  it('takes no token whose time is over, and renews the connection', async () => {
    const { app, accessToken, refreshToken } = await connect(server, { scope });
    const passed = "UPDATE oauth_records SET expires_at = expires_at - 3600 WHERE model = 'AccessToken'";
    expect(embedded.sandbox.store.run(passed)).toBeGreaterThan(0);
    expect(await statusWith(accessToken)).toBe(401);
    expect(await statusWith((await app.refresh(refreshToken)).accessToken ?? '')).toBe(200);
  });

  it('gives nothing to renew with where offline_access is not granted, and takes the nonce without openid', async () => {
    const { tokens } = await connect(server, { scope: 'relationships:write' });
    expect(tokens).toMatchObject({ status: 200, refreshToken: undefined, idToken: undefined });
  });

  it('wants the secret of a confidential app, at every endpoint', async () => {
    const identity = await register();
    const withoutSecret = new App(server, { ...identity, clientSecret: null });
    const wrong = new App(server, { ...identity, clientSecret: 'guessed' });
    const { app, accessToken, refreshToken } = await connect(server, { scope, identity });
    for (const one of [withoutSecret, wrong]) {
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
    const callback = async (app: App) =>
      signInAndAnswerConsent(visitor, app.authorizationUrl(scope), present(server.people[0], 'person'));
    for (const [changes, error] of [
      [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:43917/other' }, 'invalid_grant'],
      [{ resource: null }, 'invalid_target'],
      [{ resource: `${server.baseUrl}/you` }, 'invalid_target'],
    ] as const) {
      const app = new App(server, own);
      expect(await app.exchange(await callback(app), changes)).toMatchObject({ status: 400, error });
    }
    const app = new App(server, own);
    const code = await callback(app);
    const tokens = await app.exchange(code);
    expect(await app.exchange(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await statusWith(present(tokens.accessToken, 'token'))).toBe(401);
  });

  it('answers at the registered callback alone', async () => {
    const redirectUri = 'http://localhost:7000/callback?a=b';
    const app = new App(server, await register({ type: 'public', redirectUri }));
    const others = [
      'http://localhost:7001/callback?a=b',
      'http://localhost:7000/callback',
      `${redirectUri}&c=d`,
    ];
    for (const other of [...others, 'http://127.0.0.1:7000/callback?a=b', 'https://evil.example/', null]) {
      const seen = shownPageOf(
        await new Visitor().open(app.authorizationUrl(scope, { redirect_uri: other })),
      );
      expect(seen.status, String(other)).toBe(400);
    }
    expect(shownPageOf(await new Visitor().open(app.authorizationUrl(scope))).status).toBe(200);
    // Its own app runs on the same machine, where another program may hold the port.
    const elsewhere = new App(server, { ...own, redirectUri: 'http://127.0.0.1:50001/callback' });
    expect(shownPageOf(await new Visitor().open(elsewhere.authorizationUrl(scope))).status).toBe(200);
  });

  it.each([
    [{ resource: null }, 'invalid_target'],
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
    const person = present(server.people[0], 'person');
    const to = await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(scope), person, 'decline');
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: 'access_denied', state: app.state });
  });
});

describe('signing in', () => {
  it('is asked for by each request of an app, and refused without the password', async () => {
    const [visitor, app] = [new Visitor(), new App(server, own)];
    const person = present(server.people[0], 'person');
    await signInAndAnswerConsent(visitor, app.authorizationUrl(scope), person);
    const again = shownPageOf(await visitor.open(app.authorizationUrl(scope)));
    const refused = shownPageOf(await signIn(visitor, again, { ...person, password: 'not-this-one' }));
    expect(refused.status).toBe(422);
    expect(htmlFormsOf(refused).some(({ markup }) => markup.includes('value="approve"'))).toBe(false);
  });

  it('counts for one request, in the browser that began it', async () => {
    const [visitor, person] = [new Visitor(), present(server.people[0], 'person')];
    const consentOf = async () =>
      shownPageOf(
        await signIn(
          visitor,
          shownPageOf(await visitor.open(new App(server, own).authorizationUrl(scope))),
          person,
        ),
      );
    const [first, second] = [await consentOf(), await consentOf()];
    expect((await new Visitor().openPage(first.url)).status).toBe(400);
    // Who has signed in for one request has not signed in for another.
    const moved = new URL(second.url);
    moved.search = first.url.search;
    expect(formTo(await visitor.openPage(moved), '/sign-in')).toBeDefined();
  });

  it('takes a ticket of the data folder once, in place of a password', async () => {
    const folder = await openFolder(embedded.dataDir);
    const ticket = drawTicket(folder);
    const past = ['1000000000', 'ab'.repeat(16)];
    const open = async (given: string) => {
      const visitor = new Visitor();
      const url = new App(server, own).authorizationUrl(scope, { [ticketParameter]: given });
      return { visitor, seen: shownPageOf(await visitor.open(url)) };
    };
    const choices = ({ seen }: Awaited<ReturnType<typeof open>>) =>
      seen.markup.match(/<button name="account"/g)?.length ?? 0;
    const [first, late] = [await open(ticket), await open(ticket)];
    expect(choices(first)).toBe(server.people.length);
    const consent = shownPageOf(await first.visitor.send(formTo(first.seen, '/sign-in'), { account: '2' }));
    expect(consent.markup).toContain('value="approve"');
    const refused = shownPageOf(await late.visitor.send(formTo(late.seen, '/sign-in'), { account: '2' }));
    expect(refused.status).toBe(422);
    expect(choices(await open(ticket))).toBe(0);
    expect(choices(await open([...past, folder.prove('sign-in', past)].join('.')))).toBe(0);
    expect(choices(await open(ticket.replace(/^\d/, '9')))).toBe(0);
  });

  it('gives a session that its own pages alone show', async () => {
    const visitor = await signedIn();
    const apps = await visitor.openPage(`${server.authUrl}/account/apps`);
    const cookie = visitor.cookiesFor(apps.url);
    expect(cookie).not.toBe('');
    expect(visitor.cookiesFor(new URL('/account/apps', server.authUrl))).toBe('');
    for (const [url, headers] of [
      [apps.url, {}],
      [new URL(`/account/${'A'.repeat(43)}/apps`, server.authUrl), { cookie }],
    ] as const) {
      const answer = await fetch(url, { headers, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account/sign-in']);
    }
    await visitor.send(formTo(apps, '/sign-out'), {});
    expect(visitor.cookiesFor(apps.url)).toBe('');
  });

  it('shows pages that no other site can frame, script, or send forms to', async () => {
    const { headers, url } = await new Visitor().openPage(`${server.authUrl}/account/sign-in`);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    const person = present(server.people[0], 'person');
    const sent = { method: 'POST', body: new URLSearchParams({ ...person }), redirect: 'manual' } as const;
    const answer = await fetch(url, { ...sent, headers: { origin: 'https://evil.example' } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });
});

describe('the Apps area', () => {
  const scopes = ['openid', 'sets:write'];
  it.each([
    ['name', { name: '' }],
    ['name', { name: 'Shelf \u202e' }],
    ['name', { name: 'a'.repeat(61) }],
    ['redirectUri', { redirect_uri: 'shelf.example/callback' }],
    ['redirectUri', { redirect_uri: 'http://shelf.example/callback' }],
    ['redirectUri', { redirect_uri: 'https://me:word@shelf.example/' }],
    ['redirectUri', { redirect_uri: 'https://shelf.example/#here' }],
    ['redirectUri', { redirect_uri: 'https://shelf.example/?code=1' }],
    ['redirectUri', { redirect_uri: 'http://localhost:7000/', type: 'confidential' }],
    ['type', { type: 'other' }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['openid', 'account:delete'] }],
  ])('does not register an app with a wrong %s: %j', async (field, changes) => {
    const visitor = await signedIn();
    const form = formTo(await visitor.openPage(`${server.authUrl}/account/apps/new`), '/apps/new');
    const right = { name: 'Shelf', redirect_uri: 'https://shelf.example/', type: 'public', scopes };
    const seen = shownPageOf(await visitor.send(form, { ...right, ...changes }));
    expect([seen.status, seen.markup.match(/id="\w+-wrong"/g)]).toEqual([422, [`id="${field}-wrong"`]]);
  });

  it('shows the secret of an app once, and the app to its owner alone', async () => {
    const { clientId, clientSecret } = await register();
    const owner = await (await signedIn()).openPage(`${server.authUrl}/account/apps/${clientId}`);
    expect(owner.status).toBe(200);
    expect(owner.markup).not.toContain(present(clientSecret, 'secret'));
    const other = await (await signedIn(1)).openPage(`${server.authUrl}/account/apps/${clientId}`);
    expect(other.status).toBe(404);
  });

  it('ends one connection, and leaves the others and the session', async () => {
    const person = 2;
    const [first, second] = [
      await connect(server, { scope, person }),
      await connect(server, { scope, person }),
    ];
    const visitor = await signedIn(person);
    const apps = await visitor.openPage(`${server.authUrl}/account/apps`);
    const forms = htmlFormsOf(apps).filter(({ action }) => action.pathname.endsWith('/disconnect'));
    expect(forms).toHaveLength(2);
    const stranger = await signedIn(1);
    const theirs = await stranger.openPage(`${server.authUrl}/account/apps`);
    const foreign = new URL(present(forms[0], 'form').action);
    foreign.pathname = foreign.pathname.replace(
      /^\/account\/[\w-]+/,
      theirs.url.pathname.replace(/\/apps$/, ''),
    );
    const refused = await stranger.send({ action: foreign, fields: new URLSearchParams(), markup: '' }, {});
    expect(shownPageOf(refused).status).toBe(404);

    const after = shownPageOf(await visitor.send(present(forms[0], 'form'), {}));
    expect(htmlFormsOf(after).filter(({ action }) => action.pathname.endsWith('/disconnect'))).toHaveLength(
      1,
    );
    const statuses = [await statusWith(first.accessToken), await statusWith(second.accessToken)];
    expect(statuses.sort()).toEqual([200, 401]);
    const renewals = [
      await first.app.refresh(first.refreshToken),
      await second.app.refresh(second.refreshToken),
    ];
    expect(renewals.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('removes an app with all its connections', async () => {
    const identity = await register({ type: 'public' });
    const { app, accessToken, refreshToken } = await connect(server, { scope, identity, person: 1 });
    const visitor = await signedIn();
    const shown = await visitor.openPage(`${server.authUrl}/account/apps/${identity.clientId}`);
    await visitor.send(formTo(shown, '/remove'), {});
    expect(await statusWith(accessToken)).toBe(401);
    expect(await app.refresh(refreshToken)).toMatchObject({ status: 401, error: 'invalid_client' });
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
