import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';
import { browserIsHere, openBrowser } from '../sandbox/account-browser.ts';
import { pageNames, samplePages } from '../curation/show/samples.ts';

if (!browserIsHere)
  process.stderr.write('No /usr/bin/chromium: the pages are not looked at in a real browser.\n');

const hostile = [
  '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>',
  '</bdi></title></figure><style>body{display:none}</style> " \' ` & &lt;',
  'a\u202egnp.exe\u2066\u200f שלום \u202dabc عربى\u0000\u001b[2J',
  `e${'\u0301'.repeat(300)} Z${'\u0334\u0489'.repeat(200)}`,
  'W'.repeat(5_000),
  'endless '.repeat(600),
];

describe.skipIf(!browserIsHere)('the pages in a browser', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let browser: Browser;
  beforeAll(async () => {
    folder = await temporaryFolder();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await folder.remove();
  });

  it.each(pageNames)(
    'the %s page shows hostile text as text, on a phone and a wide screen, light and dark',
    async (kind) => {
      const name = `${kind}-hostile`;
      const file = path.join(folder.path, `${name}.html`);
      await writeFile(file, (await samplePages(hostile.join(' ')))[kind]);
      expect(await inspectPage(browser, pathToFileURL(file).href, name, nothingMade)).toEqual([]);
    },
  );

  it('open a picture larger and close it again with the keyboard alone', async () => {
    const file = path.join(folder.path, 'keyboard.html');
    await writeFile(file, (await samplePages('Wexmoor')).gallery);
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(pathToFileURL(file).href);
    const link = page.locator('.cell figure > a').first();
    const small = await link.locator('img').boundingBox();
    await link.focus();
    await page.keyboard.press('Enter');
    const close = page.getByRole('link', { name: 'Close' });
    const large = await link.locator('img').boundingBox();
    expect(large?.width).toBeGreaterThan(small?.width ?? Number.POSITIVE_INFINITY);
    // The picture that was opened is what the keyboard is at; its link comes before the one that closes it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await close.evaluate((one) => one.matches(':focus-visible'))).toBe(true);
    await page.keyboard.press('Enter');
    expect(await close.count()).toBe(0);
    await page.close();
  });
});

/** What text would have made if it had become markup: elements, another title, or a page of another direction. */
async function nothingMade(page: Page): Promise<string[]> {
  const made = await page.evaluate<number>(
    "document.querySelectorAll('script, iframe, object, form, img:not([width])').length",
  );
  const title = await page.title();
  const policies = await page.evaluate<number>("document.querySelectorAll('meta[http-equiv]').length");
  return [
    ...(made === 0 ? [] : [`${made} elements that are none of ours`]),
    ...(title === 'taken' ? ['a script of a text ran'] : []),
    ...(policies === 1 ? [] : [`${policies} policies`]),
  ];
}

const pictures = path.join(import.meta.dirname, '../../test-output/pages');

const looks = [
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'wide-dark', width: 1440, height: 900, colorScheme: 'dark' },
] as const;

/**
 * Opens a page as a person does, on a phone and on a wide screen, light and dark, and keeps pictures of it.
 * @returns what is wrong with it, one line each: axe's findings, what its policy stopped, what it asked of the network,
 *   pictures that did not load, pixels that it is too wide, what scrolls sideways on a wide screen; and what `look` finds.
 */
async function inspectPage(
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
