import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { browserIsHere, inspectPage, openBrowser } from './looks.ts';
import { pageNames, samplePages } from './samples.ts';

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

const texts = {
  'an ordinary text': 'The Sixty-Two Doors of Wexmoor',
  '10,000 hostile characters': hostile.join(' '),
};

const cases = pageNames.flatMap((kind) =>
  Object.entries(texts).map(([what, text]) => [kind, what, text] as const),
);

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

  it.each(cases)(
    'the %s page shows %s as text, on a phone and a wide screen, light and dark',
    async (kind, _, text) => {
      const name = `${kind}-${text.length}`;
      const file = path.join(folder.path, `${name}.html`);
      await writeFile(file, (await samplePages(text))[kind]);
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
