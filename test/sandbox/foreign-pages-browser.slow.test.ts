import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueMounts } from '../../src/sandbox/mounts.ts';
import { helloPath } from '../../src/sandbox/process/handshake.ts';
import { ensureIdentity } from '../../src/sandbox/process/identity.ts';
import { createRequestGuard, type RequestGuard } from '../../src/sandbox/process/request-guard.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { browserIsHere, openBrowser } from './account-browser.ts';

if (!browserIsHere) {
  process.stderr.write('No /usr/bin/chromium: the tests of foreign pages in a real browser are skipped.\n');
}

/** Whatever a page can have its browser send. Each resolves whether or not the browser allows it. */
const ways: Readonly<Record<string, (address: string) => string>> = {
  image: (address) =>
    `new Promise((end) => { const one = new Image(); one.onload = one.onerror = end; one.src = '${address}'; })`,
  script: (address) =>
    `new Promise((end) => { const one = document.createElement('script'); one.onload = one.onerror = end; one.src = '${address}'; document.body.append(one); })`,
  style: (address) =>
    `new Promise((end) => { const one = document.createElement('link'); one.rel = 'stylesheet'; one.onload = one.onerror = end; one.href = '${address}'; document.head.append(one); })`,
  prefetch: (address) =>
    `new Promise((end) => { const one = document.createElement('link'); one.rel = 'prefetch'; one.onload = one.onerror = end; one.href = '${address}'; document.head.append(one); setTimeout(end, 500); })`,
  frame: (address) =>
    `new Promise((end) => { const one = document.createElement('iframe'); one.onload = one.onerror = end; one.src = '${address}'; document.body.append(one); })`,
  'form in a frame without an origin': (address) =>
    `new Promise((end) => { const one = document.createElement('iframe'); one.sandbox = 'allow-forms allow-scripts'; one.srcdoc = '<form method=post action="${address}"></form><script>document.forms[0].submit()</script>'; document.body.append(one); setTimeout(end, 500); })`,
  fetch: (address) => `fetch('${address}').catch(() => null)`,
  'blind fetch': (address) =>
    `fetch('${address}', { mode: 'no-cors', credentials: 'include' }).catch(() => null)`,
  'blind post': (address) =>
    `fetch('${address}', { method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams('a=b') }).catch(() => null)`,
  'fetch with a header': (address) =>
    `fetch('${address}', { headers: { 'x-sandbox-proof': 'x' } }).catch(() => null)`,
  beacon: (address) =>
    `(navigator.sendBeacon('${address}', 'a=b'), new Promise((end) => setTimeout(end, 300)))`,
  events: (address) =>
    `new Promise((end) => { const one = new EventSource('${address}'); one.onerror = () => { one.close(); end(); }; })`,
  socket: (address) =>
    `new Promise((end) => { const one = new WebSocket('${address.replace('http', 'ws')}'); one.onerror = one.onclose = end; })`,
};

describe.skipIf(!browserIsHere)('a page of another port, in a browser', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let sandbox: Sandbox;
  let guard: RequestGuard;
  let browser: Browser;
  let neighbour: Server;
  let page: string;
  const statuses: number[] = [];
  beforeAll(async () => {
    folder = await temporaryFolder();
    guard = createRequestGuard(await ensureIdentity(folder.path), () => undefined);
    sandbox = await serveSandbox({
      dataDir: folder.path,
      port: 0,
      mounts: [guard.mount, ...catalogueMounts()],
    });
    neighbour = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>here</p>'),
    );
    neighbour.listen({ host: '127.0.0.1', port: 0 });
    await once(neighbour, 'listening');
    const address = neighbour.address();
    if (address === null || typeof address === 'string') throw new Error('The neighbour has no port.');
    page = `http://127.0.0.1:${address.port}/`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    neighbour.closeAllConnections();
    neighbour.close();
    await sandbox.close();
    await folder.remove();
  });

  it('is refused whatever way it takes', async () => {
    const context = await browser.newContext();
    const tab = await context.newPage();
    tab.on('response', (response) => {
      if (response.url().startsWith(sandbox.origin)) statuses.push(response.status());
    });
    const paths = [
      `${helloPath}?nonce=${'0'.repeat(64)}&join=1&keep=1`,
      '/account/sign-in',
      '/episodes',
      '/me/groups',
      '/api/auth/oauth2/token',
    ];
    await tab.goto(page);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const start = performance.now();
    for (const path of paths) {
      for (const [name, way] of Object.entries(ways)) {
        await tab.evaluate<unknown>(`${way(sandbox.origin + path)}.then(() => null)`);
        const idle = guard.idleMs();
        expect([name, path, idle <= performance.now() - start]).toEqual([name, path, false]);
      }
    }
    // Chromium shows a page no status of what it may not read; what it shows is the refusal.
    expect(new Set(statuses)).toEqual(new Set([403]));
    await context.close();
  });
});
