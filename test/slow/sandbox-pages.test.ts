import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTicket } from '../../src/sandbox/account/ticket.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { browserIsHere, inspect, openBrowser } from '../sandbox/account-browser.ts';
import { type Embedded, startEmbedded } from '../sandbox/embedded.ts';
import { App, own } from '../sandbox/oauth-app.ts';
import { allScopes } from '../support/account.ts';
import { readCredentials } from '../support/credentials.ts';

if (!browserIsHere) process.stderr.write('No /usr/bin/chromium: the pages are not opened in a browser.\n');

describe.skipIf(!browserIsHere)('the pages of the embedded catalogue, in a browser', () => {
  let embedded: Embedded;
  let browser: Browser;
  let page: Page;
  let person: { readonly name: string; readonly password: string };
  beforeAll(async () => {
    embedded = await startEmbedded();
    [person = { name: '', password: '' }] = await readCredentials(embedded.dataDir);
    browser = await openBrowser();
    page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  });
  afterAll(async () => {
    await browser.close();
    await embedded.stop();
  });

  /** The catalogue's own app, which waits at a loopback address for the browser to come back. */
  async function waitingApp(host: '127.0.0.1' | '::1') {
    const listener = createServer((_, response) => response.end('back at the app'));
    listener.listen({ host, port: 0 });
    await once(listener, 'listening');
    const address = listener.address();
    if (address === null || typeof address === 'string') throw new Error('The app has no port.');
    const redirectUri = `http://${host === '::1' ? '[::1]' : host}:${address.port}/callback`;
    const arrival = new Promise<URL>((resolve) => {
      listener.once('request', (request: IncomingMessage) => {
        listener.close();
        resolve(new URL(request.url ?? '', redirectUri));
      });
    });
    return { redirectUri, arrival };
  }

  function server() {
    const { baseUrl } = embedded.sandbox;
    return { baseUrl, authUrl: new URL(baseUrl).origin };
  }

  it('lead from an app’s request back to the app, with the keyboard alone', async () => {
    const { redirectUri, arrival } = await waitingApp('127.0.0.1');
    const app = new App(server(), { ...own, redirectUri });
    await page.goto(app.authorizationUrl(allScopes.join(' ')).href);
    expect(await inspect(page, 'sign-in')).toEqual([]);
    await page.keyboard.type(person.name);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await inspect(page, 'sign-in-refused')).toEqual([]);
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    const approve = page.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    expect(await inspect(page, 'consent')).toEqual([]);
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab');
      if (await approve.evaluate((button) => button.matches(':focus-visible'))) break;
    }
    await page.keyboard.press('Enter');
    expect(await app.exchange(await arrival)).toMatchObject({ status: 200 });
  });

  it('let a person choose an account by a ticket, and decline', async () => {
    const ticket = drawTicket(await openFolder(embedded.dataDir));
    const { redirectUri, arrival } = await waitingApp('127.0.0.1');
    await page.goto(new App(server(), { ...own, redirectUri }).authorizationUrl('openid', { ticket }).href);
    expect(await inspect(page, 'choose')).toEqual([]);
    await page.getByRole('button', { name: 'kumo_iro' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    expect((await arrival).searchParams.get('error')).toBe('access_denied');
  });

  it('register an app, connect it by an IPv6 callback, and remove it', async () => {
    const { redirectUri, arrival } = await waitingApp('::1');
    await page.goto(`${server().authUrl}/account/apps/new`);
    await page.getByLabel('Account name').fill(person.name);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Poster shelf');
    await page.getByLabel('Callback URL').fill('http://shelf.example/');
    await page.getByRole('button', { name: 'Register' }).click();
    expect(await inspect(page, 'register-refused')).toEqual([]);
    await page.getByLabel('Callback URL').fill(redirectUri);
    await page.getByRole('checkbox', { name: 'Manage your Sets' }).check();
    await page.getByRole('button', { name: 'Register' }).click();
    const clientId = await page.locator('dd code').first().innerText();
    expect(await inspect(page, 'registered')).toEqual([]);
    const apps = page.url().replace(/\/new$/, '');

    const app = new App(server(), { clientId, clientSecret: null, redirectUri });
    await page.goto(app.authorizationUrl('sets:write').href);
    await page.getByLabel('Account name').fill(person.name);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    const { accessToken } = await app.exchange(await arrival);

    await page.goto(apps);
    expect(await inspect(page, 'apps')).toEqual([]);
    await page.getByRole('link', { name: 'Poster shelf' }).click();
    await page.getByText('Remove this app').click();
    await page.getByRole('button', { name: 'Remove Poster shelf' }).click();
    await page.getByRole('status').waitFor();
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await fetch(`${server().baseUrl}/me/sets/1`, { headers })).status).toBe(401);
  });
});
