import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  formTo,
  htmlFormsOf,
  pagePath,
  redirectOf,
  registerApp,
  shownPageOf,
  signIn,
  Visitor,
} from '../support/sign-in.ts';
import { person } from './account-person.ts';
import { App, own } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

// Browsers send a cookie to every port of its host. So another server of this machine gets all that stands at the path
// of its pages, and can send it here itself, with whatever headers it likes.
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: AuthorizationServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer({ dataDir: folder.path });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

/** The cookies that the browser of a visitor gives away to a page of another port, at any path that can be guessed. */
function loot(visitor: Visitor): string {
  const paths = ['/', '/account', '/account/apps', '/account/requests', '/api/auth/oauth2/authorize', '/me'];
  const cookies = paths.flatMap((path) => visitor.cookiesFor(new URL(path, server.authUrl)).split('; '));
  return [...new Set(cookies)].join('; ');
}

const seen = async (url: string, cookie: string, body?: URLSearchParams) => {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie, accept: 'text/html' },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  const location = response.headers.get('location') ?? '';
  return { status: response.status, location, markup: await response.text(), headers: response.headers };
};

describe('another server of this machine, with the cookies of a person who is signed in,', () => {
  it('sees nothing of the account', async () => {
    const { visitor } = await person(server);
    const cookie = loot(visitor);
    expect(cookie).toContain('catalogue_session');
    for (const path of ['', '/apps', '/apps/new', `/apps/${own.clientId}`, '/sign-in', '/requests/x']) {
      const got = await seen(`${server.authUrl}/account${path}`, cookie);
      expect(got.markup).not.toContain(server.accounts[0].name);
      expect(got.location === '' || /\/account\/(sign-in|apps$)/.test(got.location)).toBe(true);
    }
    for (const key of ['x'.repeat(43), 'apps']) {
      const got = await seen(`${server.authUrl}/account/${key}/apps`, cookie);
      expect(got.markup).not.toContain(server.accounts[0].name);
    }
  });

  it('can neither register, remove nor disconnect an app, nor sign the person out', async () => {
    const { visitor } = await person(server);
    const { clientId } = await registerApp(visitor, server.authUrl, {
      name: 'Poster shelf',
      redirectUri: 'https://app.example/callback',
      type: 'public',
      scopes: ['openid'],
    });
    const cookie = loot(visitor);
    const token = formTo(
      { ...(await new Visitor().openPage(`${server.authUrl}/account/sign-in`)) },
      '/sign-in',
    ).fields.get('form_token');
    const posts = ['/apps/new', `/apps/${clientId}/remove`, '/connections/x/disconnect', '/sign-out'];
    for (const path of posts) {
      const body = new URLSearchParams({ form_token: token ?? '' });
      const got = await seen(`${server.authUrl}/account${path}`, cookie, body);
      expect([got.status, got.location]).toEqual([303, '/account/sign-in']);
    }
    const apps = await visitor.openPage(`${server.authUrl}/account/apps`);
    expect(pagePath(apps)).toBe('/account/apps');
    expect(apps.markup).toContain('Poster shelf');
  });

  it('can approve no app’s request', async () => {
    const { visitor } = await person(server);
    const cookie = loot(visitor);
    const app = new App(server, own);
    const begun = await seen(app.authorizationUrl('openid assets:write').href, cookie);
    expect(begun.location).toMatch(/^\/account\/requests\//);
    const cookies = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
    const all = [cookie, ...cookies].join('; ');
    const asked = await seen(server.authUrl + begun.location, all);
    expect(asked.location).toMatch(/^\/account\/sign-in\?/);
    expect(asked.markup).not.toContain('approve');
    const body = new URLSearchParams({ decision: 'approve', form_token: 'x' });
    expect((await seen(server.authUrl + begun.location, all, body)).status).toBe(403);
  });

  it('is given no cookie of a request that waits for the person', async () => {
    const visitor = new Visitor();
    const asked = await visitor.openPage(new App(server, own).authorizationUrl('openid'));
    const consent = shownPageOf(await signIn(visitor, asked, server.accounts[0]));
    expect(consent.markup).toContain('value="approve"');
    expect(loot(visitor)).not.toMatch(/catalogue_(request|resume)_/);
    const form = htmlFormsOf(consent).find(({ markup }) => markup.includes('value="approve"'));
    if (form === undefined) throw new Error('no form');
    expect(redirectOf(await visitor.send(form, { decision: 'approve' })).searchParams.has('code')).toBe(true);
  });
});
