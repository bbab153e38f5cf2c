import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';

export { browserIsHere, openBrowser } from '../../sandbox/account-browser.ts';

const pictures = path.join(import.meta.dirname, '../../../test-output/pages');

const looks = [
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark' },
  { name: 'wide-light', width: 1200, height: 900, colorScheme: 'light' },
  { name: 'wide-dark', width: 1440, height: 900, colorScheme: 'dark' },
] as const;

/**
 * Opens a page as a person does, on a phone and on a wide screen, light and dark, and keeps pictures of it.
 * @returns what is wrong with it, one line each: axe's findings, what its policy stopped, what it asked of the network,
 *   pictures that did not load, pixels that it is too wide, what scrolls sideways on a wide screen; and what `look` finds.
 */
export async function inspectPage(
  browser: Browser,
  address: string,
  name: string,
  look: (page: Page) => Promise<string[]> = async () => [],
): Promise<string[]> {
  await mkdir(pictures, { recursive: true });
  const found: string[] = [];
  for (const { name: how, colorScheme, ...viewport } of looks) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const tell = (what: string) => found.push(`${how}: ${what}`);
    page.on('console', (message) => tell(message.text()));
    page.on('pageerror', (error) => tell(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (url !== address && !url.startsWith('data:')) tell(`asks for ${url}`);
    });
    await page.goto(address);
    const unseen = await page.evaluate<number>(
      'Promise.all([...document.images].map((one) => one.decode().then(() => 0, () => 1))).then((all) => all.reduce((sum, one) => sum + one, 0))',
    );
    if (unseen > 0) tell(`${unseen} pictures did not load`);
    const excess = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (excess > 0) tell(`${excess} px too wide`);
    const scrolled = await page.evaluate<string[]>(
      "[...document.querySelectorAll('body *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)).map((one) => one.outerHTML.slice(0, 80))",
    );
    // A finger moves along a line, a mouse has to look for the bar.
    if (viewport.width > 1_000) for (const one of scrolled) tell(`scrolls sideways: ${one}`);
    await page.screenshot({ path: path.join(pictures, `${name}-${how}.png`), fullPage: true });
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    for (const { id, nodes } of violations) {
      for (const node of nodes) tell(`${id}: ${node.html.slice(0, 300)}`);
    }
    for (const what of await look(page)) tell(what);
    await context.close();
  }
  return found;
}
