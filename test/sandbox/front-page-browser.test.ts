import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueMounts } from '../../src/sandbox/mounts.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import { fillFolder } from '../support/filled.ts';
import { browserIsHere, inspect, openBrowser } from './account-browser.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe.skipIf(!browserIsHere)('the front page in a browser', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let sandbox: Sandbox;
  let browser: Browser;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await fillFolder(folder.path);
    sandbox = await serveSandbox({ dataDir: folder.path, port: 0, mounts: catalogueMounts() });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
    await folder.remove();
  });

  it('is accessible, fits the screen, keeps its style under its policy, and leads on', async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${sandbox.port}/`);
      expect(await page.title()).toBe('Embedded artwork catalogue');
      expect(await inspect(page, `front-page-${host}`)).toEqual([]);
      const isStyled = await page.evaluate<boolean>(
        "getComputedStyle(document.querySelector('.card')).borderTopStyle === 'solid'",
      );
      expect(isStyled).toBe(true);
    }
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: 'Sign in and manage your Apps' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
