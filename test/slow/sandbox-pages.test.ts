import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Catalogue, startCatalogue } from '../contract/catalogue.ts';
import { App, own } from '../contract/oauth-app.ts';
import { allScopes } from '../support/account.ts';
import { browserIsHere, inspect, openBrowser } from './account-browser.ts';

if (!browserIsHere) process.stderr.write('No /usr/bin/chromium: the pages are not opened in a browser.\n');

describe.skipIf(!browserIsHere)('the pages of the embedded catalogue, in a browser', () => {
  let catalogue: Catalogue;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    catalogue = await startCatalogue();
    browser = await openBrowser();
    page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  });
  afterAll(async () => {
    await browser.close();
    await catalogue.stop();
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

  async function tabTo(control: Locator): Promise<void> {
    for (let step = 0; step < 15; step++) {
      await page.keyboard.press('Tab');
      if (await control.evaluate((element) => element.matches(':focus-visible'))) return;
    }
    throw new Error('The keyboard does not lead there.');
  }

  it('lead from an app’s request back to the app, with the keyboard alone', async () => {
    const { redirectUri, arrival } = await waitingApp('127.0.0.1');
    const app = new App(catalogue, { ...own, redirectUri });
    await page.goto(app.authorizationUrl(allScopes.join(' ')).href);
    expect(await inspect(page, 'choose')).toEqual([]);
    const account = page.getByRole('link', { name: 'kumo_iro' });
    await tabTo(account);
    await page.keyboard.press('Enter');
    const approve = page.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    expect(await inspect(page, 'consent')).toEqual([]);
    await tabTo(approve);
    await page.keyboard.press('Enter');
    expect(await app.exchange(await arrival)).toMatchObject({ status: 200 });
  });

  it('register an app, connect it by an IPv6 callback, and remove it', async () => {
    const { redirectUri, arrival } = await waitingApp('::1');
    await page.goto(new URL('/account/apps', catalogue.baseUrl).href);
    await page.getByRole('link', { name: 'saltprint' }).click();
    await page.getByRole('link', { name: 'Register an app' }).click();
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
    const app = new App(catalogue, { clientId, clientSecret: null, redirectUri });
    await page.goto(app.authorizationUrl('sets:write').href);
    await page.getByRole('link', { name: 'saltprint' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await app.exchange(await arrival)).toMatchObject({ status: 200 });
    await page.goto(apps);
    await page.getByRole('button', { name: 'Disconnect Poster shelf' }).waitFor();
    expect(await inspect(page, 'apps')).toEqual([]);
    await page.getByRole('button', { name: 'Remove Poster shelf' }).click();
    await page.getByText('You have registered none').waitFor();
    await page.getByText('No app is connected').waitFor();
    await page.goto(new URL('/', catalogue.baseUrl).href);
    expect(await inspect(page, 'front')).toEqual([]);
  });
});
