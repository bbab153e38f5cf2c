import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlFormsOf, formTo, pagePath, shownPageOf, registerApp, Visitor } from '../support/sign-in.ts';
import { heading, person } from './account-person.ts';
import { App, connect, present, probe, register } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
let account: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ dataDir: folder.path });
  account = `${server.authUrl}/account`;
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

describe('registering an app', () => {
  const app = {
    name: 'Wall of frames',
    redirectUri: 'https://shelf.example/callback?from=catalogue',
    type: 'public',
    scopes: ['assets:write', 'offline_access'],
  } as const;
  const { redirectUri: redirect_uri, ...rest } = app;
  const good = { ...rest, redirect_uri };

  it.each([
    ['name', { name: '' }, 'Give the app a name'],
    ['name', { name: 'x'.repeat(61) }, '60 characters'],
    ['name', { name: 'shelf\u202egnp.exe' }, 'letters, digits, spaces'],
    ['redirect_uri', { redirect_uri: '' }, 'Enter the address'],
    ['redirect_uri', { redirect_uri: '/callback' }, 'complete web address'],
    ['redirect_uri', { redirect_uri: 'shelf://callback' }, 'complete web address'],
    ['redirect_uri', { redirect_uri: 'https:shelf.example' }, 'complete web address'],
    ['redirect_uri', { redirect_uri: 'https://shelf.example/a b' }, 'complete web address'],
    ['redirect_uri', { redirect_uri: `https://shelf.example/${'x'.repeat(2000)}` }, '2,000 characters'],
    ['redirect_uri', { redirect_uri: 'https://user:word@shelf.example/' }, 'user name'],
    ['redirect_uri', { redirect_uri: 'https://shelf.example/#here' }, 'from # on'],
    ['redirect_uri', { redirect_uri: 'https://shelf.example/#' }, 'from # on'],
    ['redirect_uri', { redirect_uri: 'https://shelf.example/?code=1' }, 'code'],
    ['redirect_uri', { redirect_uri: 'http://shelf.example/' }, 'Use https://'],
    ['redirect_uri', { redirect_uri: 'http://127.0.0.2/' }, 'Use https://'],
    ['redirect_uri', { redirect_uri: 'http://localhost.shelf.example/' }, 'Use https://'],
    [
      'redirect_uri',
      { redirect_uri: 'http://127.0.0.1:4000/', type: 'confidential' },
      'only for public apps',
    ],
    ['type', { type: 'other' }, 'one of the two'],
    ['scopes', { scopes: [] }, 'at least one'],
    ['scopes', { scopes: ['assets:write', 'assets:delete'] }, 'listed here'],
  ])('says in place what is wrong with the %s: %j', async (field, changes, words) => {
    const { visitor } = await person(server);
    const form = formTo(await visitor.openPage(`${account}/apps/new`), '/apps/new');
    const seen = shownPageOf(await visitor.send(form, { ...good, ...changes }));
    expect([seen.status, heading(seen)]).toEqual([422, 'Register an app']);
    const problem = new RegExp(`<p class="wrong" id="${field}-problem">([^<]*)`).exec(seen.markup)?.[1];
    expect(problem).toContain(words);
    const kept = formTo(seen, '/apps/new').fields;
    expect(kept.get('name')).toBe('name' in changes ? changes.name : good.name);
    expect((await visitor.openPage(`${account}/apps`)).markup).not.toContain(`${good.name}</a>`);
  });

  it.each([
    'http://localhost:4000/',
    'http://127.0.0.1/cb',
    'http://[::1]:4000/cb?a=1',
    'https://shelf.example',
  ])('takes %s for a public app, which then works with exactly that', async (redirectUri) => {
    const { visitor } = await person(server, 1);
    const issued = await registerApp(visitor, server.authUrl, { ...app, redirectUri });
    expect(issued.clientSecret).toBeNull();
    const identity = { ...issued, redirectUri };
    const { tokens } = await connect(server, {
      identity,
      visitor,
      account: server.accounts[1],
      scope: 'assets:write offline_access',
    });
    expect(tokens.status).toBe(200);
  });

  it('shows the secret of a confidential app once', async () => {
    const { visitor } = await person(server);
    const issued = await registerApp(visitor, server.authUrl, { ...app, type: 'confidential' });
    const secret = present(issued.clientSecret, 'secret');
    const identity = { ...issued, redirectUri: app.redirectUri };
    expect((await connect(server, { identity, visitor, scope: 'assets:write' })).tokens.status).toBe(200);
    const again = await visitor.openPage(`${account}/apps/${issued.clientId}`);
    expect(again.markup).not.toContain(secret);
    expect(again.markup).toContain('Shown once');
  });
});

describe('the Apps page', () => {
  it('belongs to its account', async () => {
    const identity = register(server, { name: 'Another person’s app' });
    const { visitor: owner } = await connect(server);
    const ofOwner = formTo(await owner.openPage(`${account}/apps`), '/disconnect').action;
    const disconnect = pagePath({ url: ofOwner });
    const { visitor, apps } = await person(server, 1);
    expect(apps.markup).not.toContain('Another person’s app');
    expect((await visitor.openPage(`${account}/apps/${identity.clientId}`)).status).toBe(404);
    const { action: signOut, fields: token } = formTo(apps, '/sign-out');
    const pages = signOut.pathname.replace(/\/sign-out$/, '');
    for (const target of [
      disconnect,
      `/account/apps/${identity.clientId}/remove`,
      '/account/apps/artwork-mcp/remove',
    ]) {
      const form = { action: new URL(target.replace('/account', pages), account), fields: token, markup: '' };
      expect(shownPageOf(await visitor.send(form, {})).status).toBe(404);
    }
    expect((await owner.openPage(`${account}/apps/${identity.clientId}`)).status).toBe(200);
    expect((await owner.openPage(`${account}/apps`)).markup).toContain(ofOwner.pathname);
  });

  it('is closed without a sign-in', async () => {
    for (const target of ['/apps', '/apps/new', '/apps/artwork-mcp']) {
      expect((await new Visitor().openPage(`${account}${target}`)).url.pathname).toBe('/account/sign-in');
    }
  });

  it('disconnects one connection: its tokens end, the session and the others stay', async () => {
    const first = await connect(server, { scope: 'offline_access groups:write' });
    const { visitor } = first;
    const second = await connect(server, { visitor, scope: 'offline_access relationships:write' });
    const apps = await visitor.openPage(`${account}/apps`);
    const forms = htmlFormsOf(apps).filter(({ action }) => action.pathname.endsWith('/disconnect'));
    const oldest = present(forms[1], 'the second newest connection');
    const done = shownPageOf(await visitor.send(oldest, {}));
    expect(done.markup).toContain('Disconnected.');
    expect((await probe(server.baseUrl, first.accessToken)).status).toBe(401);
    expect(await first.app.refresh(first.refreshToken)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    expect((await probe(server.baseUrl, second.accessToken)).status).toBe(200);
    expect((await second.app.refresh(second.refreshToken)).status).toBe(200);
    expect(shownPageOf(await visitor.send(oldest, {})).status).toBe(404);
  });

  it('removes an app and ends its connections', async () => {
    const identity = register(server, { name: 'Short-lived' });
    const guest = await connect(server, { identity, account: server.accounts[1] });
    const { visitor } = await person(server);
    const shown = await visitor.openPage(`${account}/apps/${identity.clientId}`);
    const done = shownPageOf(await visitor.send(formTo(shown, '/remove'), {}));
    expect(done.markup).toContain('The app is removed');
    expect(done.markup).not.toContain('Short-lived');
    expect((await probe(server.baseUrl, guest.accessToken)).status).toBe(401);
    expect(await guest.app.refresh(guest.refreshToken)).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
    const asked = await visitor.open(new App(server, identity).authorizationUrl('openid'));
    expect(shownPageOf(asked).status).toBe(400);
  });
});
