import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../support/account.ts';
import { browserIsHere, inspect, openBrowser } from './account-browser.ts';
import { App, present, probe, register } from './oauth-app.ts';
import { type AuthorizationServer, startServer, temporaryFolder } from './oauth-server.ts';

if (!browserIsHere) {
  process.stderr.write(
    'No /usr/bin/chromium: the tests of the account pages in a real browser are skipped.\n',
  );
}

describe.skipIf(!browserIsHere)('the account pages in a browser', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: AuthorizationServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startServer({ dataDir: folder.path });
    browser = await openBrowser();
  });
  beforeEach(async () => {
    context = await browser.newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await folder.remove();
  });

  /** An app of the first account that waits at a loopback address for the browser to come back. */
  async function waitingApp(host: '127.0.0.1' | '::1') {
    const listener = createServer((_, response) => response.end('back at the app'));
    listener.listen({ host, port: 0 });
    await once(listener, 'listening');
    const address = listener.address();
    if (address === null || typeof address === 'string') throw new Error('The app has no port.');
    const origin = `http://${host === '::1' ? '[::1]' : host}:${address.port}`;
    const app = new App(server, register(server, { redirectUri: `${origin}/callback?a=b`, type: 'public' }));
    const arrival = new Promise<URL>((resolve) => {
      listener.once('request', (request: IncomingMessage) => {
        listener.close();
        resolve(new URL(request.url ?? '', origin));
      });
    });
    return { app, arrival };
  }

  /** Answers the sign-in page that is shown. */
  async function signIn(): Promise<void> {
    await page.getByLabel('Account name').fill(server.accounts[0].name);
    await page.getByLabel('Password').fill(server.accounts[0].password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('lead from an app’s request back to the app, with the keyboard alone', async () => {
    const { app, arrival } = await waitingApp('127.0.0.1');
    await page.goto(app.authorizationUrl(allScopes.join(' ')).href);
    expect(await inspect(page, 'sign-in')).toEqual([]);
    await page.keyboard.type(server.accounts[0].name);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await inspect(page, 'sign-in-refused')).toEqual([]);
    await page.keyboard.type(server.accounts[0].password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connect Poster shelf?' }).waitFor();
    expect(await inspect(page, 'consent')).toEqual([]);
    const approve = page.getByRole('button', { name: 'Approve' });
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab');
      if (await approve.evaluate((button) => button.matches(':focus-visible'))) break;
    }
    await page.keyboard.press('Enter');
    const tokens = await app.exchange(await arrival);
    expect((await probe(server.baseUrl, present(tokens.accessToken, 'access token'))).status).toBe(200);
  });

  it('lead back to an app on IPv6 loopback too', async () => {
    const { app, arrival } = await waitingApp('::1');
    await page.goto(app.authorizationUrl('assets:write').href);
    await signIn();
    await page.getByRole('button', { name: 'Decline' }).click();
    expect((await arrival).searchParams.get('error')).toBe('access_denied');
  });

  it('register an app, show its secret once, list what is connected and disconnect it', async () => {
    const { app, arrival } = await waitingApp('127.0.0.1');
    await page.goto(app.authorizationUrl('assets:write offline_access').href);
    await signIn();
    await page.getByRole('button', { name: 'Approve' }).click();
    await app.exchange(await arrival);

    await page.goto(`${server.authUrl}/account/apps`);
    await signIn();
    await page.getByRole('link', { name: 'Register an app' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Wall of frames');
    await page.getByLabel('Callback URL').fill('http://frames.example/callback');
    expect(await inspect(page, 'register')).toEqual([]);
    await page.getByRole('button', { name: 'Register app' }).click();
    await page.getByRole('alert').waitFor();
    expect(await inspect(page, 'register-refused')).toEqual([]);
    await page.getByLabel('Callback URL').fill('https://frames.example/callback?from=catalogue');
    await page.getByRole('radio', { name: 'Confidential' }).check();
    await page.getByRole('checkbox', { name: 'Add artwork' }).check();
    await page.getByRole('checkbox', { name: 'Stay connected' }).check();
    await page.getByRole('button', { name: 'Register app' }).click();
    await page.getByText('Copy the client secret now').waitFor();
    expect(await inspect(page, 'app-registered')).toEqual([]);
    await page.reload();
    await page.getByText('Shown once').waitFor();
    await page.getByText('Remove this app').click();
    expect(await inspect(page, 'app')).toEqual([]);

    await page.getByRole('link', { name: '← Apps' }).click();
    expect(await inspect(page, 'apps')).toEqual([]);
    await page.getByRole('button', { name: 'Disconnect Poster shelf' }).first().click();
    await page.getByRole('status').waitFor();
    expect(await inspect(page, 'apps-disconnected')).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('give another server of this machine a cookie that is worth nothing', async () => {
    const gained: string[] = [];
    const neighbour = createServer((request, response) => {
      gained.push(request.headers.cookie ?? '');
      const frame = `<iframe src="${server.authUrl}/account/apps"></iframe><img src="${server.authUrl}/account/apps">`;
      response.setHeader('content-type', 'text/html').end(frame);
    });
    neighbour.listen({ host: '127.0.0.1', port: 0 });
    await once(neighbour, 'listening');
    const address = neighbour.address();
    if (address === null || typeof address === 'string') throw new Error('The neighbour has no port.');
    await page.goto(`${server.authUrl}/account/apps`);
    await signIn();
    await page.getByRole('heading', { name: 'Apps', exact: true }).waitFor();
    await page.goto(`http://127.0.0.1:${address.port}/account/apps`);
    neighbour.close();
    const [cookie = ''] = gained;
    expect(cookie).toContain('catalogue_session');
    const replay = await fetch(`${server.authUrl}/account/apps`, { headers: { cookie }, redirect: 'manual' });
    expect([replay.status, replay.headers.get('location')]).toEqual([303, '/account/sign-in?next=%2Fapps']);
    // The person goes on where they were.
    await page.goBack();
    await page.getByRole('heading', { name: 'Apps', exact: true }).waitFor();
  });

  it('say what went wrong', async () => {
    await page.goto(`${server.authUrl}/api/auth/oauth2/authorize?client_id=nobody`);
    await page.getByText('Details for the maker').click();
    expect(await inspect(page, 'request-refused')).toEqual([]);
    await page.goto(`${server.authUrl}/account/nowhere`);
    expect(await inspect(page, 'no-such-page')).toEqual([]);
  });
});
