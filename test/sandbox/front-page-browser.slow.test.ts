import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxUnderTest, startSandbox } from '../support/sandbox.ts';
import { browserIsHere, inspect, openBrowser } from './account-browser.ts';

describe.skipIf(!browserIsHere)('the front page in a browser', () => {
  let sandbox: SandboxUnderTest;
  let browser: Browser;
  beforeAll(async () => {
    sandbox = await startSandbox();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
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
