import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appDocument, pagePart } from '../../src/curation/show/app.ts';
import type { Page as ArtworkPage } from '../../src/curation/show/page.ts';
import { pageOwner, savePage } from '../../src/curation/show/save.ts';
import { picture } from '../curation/show/service.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { browserIsHere, openBrowser } from './account-browser.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let browser: Browser;
beforeAll(async () => {
  [folder, browser] = await Promise.all([temporaryFolder(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await folder.remove();
});

const owner = pageOwner('default', null);

/** Everything that a page can hold: long words, other directions, gaps, sentences, what was not read, lists. */
const pageOf = (text: string): ArtworkPage => ({
  page: 'gallery',
  ...{ kind: 'Show Set', title: `مسلسل <b>Firefly</b> ${text}`, facts: [text, 'English'] },
  notes: ['It has no posters.'],
  groups: [
    {
      heading: 'To decide',
      note: '2 files',
      rows: [
        [
          { picture: 'wide', label: text, question: `Which of them? ${text}`, slot: 'titlecard' },
          {
            picture: 'wide',
            label: 'b.png',
            warnings: ['It is damaged.', 'Small.'],
            slot: 'titlecard',
          },
        ],
      ],
    },
    {
      heading: 'Season 1',
      tally: { name: 'Title cards', has: 2, of: 4 },
      rows: [
        [
          { picture: 'tall', label: 'Poster', slot: 'poster' },
          { picture: 'unread', label: 'Backdrop', slot: 'backdrop' },
        ],
        [
          { picture: 'wide', label: 'S01E01', title: text, slot: 'titlecard' },
          { gap: 'missing', label: 'S01E02', title: 'The Train Job', slot: 'titlecard' },
          { gap: 'not out yet', label: 'S01E03', slot: 'titlecard' },
          { picture: 'strip', label: 'Logo', slot: 'logo' },
        ],
      ],
    },
  ],
});
const sample = pageOf('A description.');

const hostile = [
  '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>',
  '</bdi></title></figure><style>body{display:none}</style> " \' ` & &lt;',
  'a\u202egnp.exe\u2066\u200f שלום \u202dabc عربى\u0000\u001b[2J',
  `e${'\u0301'.repeat(300)} Z${'\u0334\u0489'.repeat(200)}`,
  'W'.repeat(5_000),
  'endless '.repeat(600),
];

async function saved(page: ArtworkPage): Promise<string> {
  const sizes = {
    ...{ wide: { width: 640, height: 360 }, tall: { width: 400, height: 600 } },
    strip: { width: 900, height: 60 },
  };
  const { uri } = await savePage(page, {
    home: path.join(folder.path, 'home'),
    owner: async () => owner,
    read: async (name) => {
      if (name === 'unread') return { bytes: Buffer.from('no picture'), frame: 0 };
      const size = z.enum(['wide', 'tall', 'strip']).parse(name);
      return { bytes: await picture(sizes[size].width, sizes[size].height), frame: 0 };
    },
    hasTime: () => true,
    progress: async () => {},
  });
  return uri;
}

describe.skipIf(!browserIsHere)('a page in a browser', () => {
  it('can be read by everybody, at two widths, light and dark', async () => {
    const look = async (page: Page) => {
      const main = await page.locator('body').innerText();
      const lacks = ['<b>Firefly</b>', 'not out yet', 'Which of them?'].filter(
        (words) => !main.includes(words),
      );
      return [...lacks, ...(await nothingMade(page))];
    };
    const taken = pageOf(hostile.join(' '));
    expect(await inspectPage(browser, await saved(taken), 'hostile', look)).toEqual([]);
    expect(await inspectPage(browser, await saved(sample), 'one', look)).toEqual([]);
  });

  it.each([
    [390, 'light'],
    [1440, 'dark'],
  ] as const)('is shown by a host of MCP Apps, %d pixels wide and %s', async (width, theme) => {
    const uri = await saved(sample);
    const { page, wrong } = await openInHost({ page: uri }, width, theme);
    const frame = page.frameLocator('iframe');
    await frame.locator('h1').waitFor();
    expect(await frame.locator('.cell img').count()).toBe(5);
    await expect
      .poll(() => page.evaluate('document.querySelector("iframe").clientHeight'))
      .toBeGreaterThan(400);
    expect(await frame.locator('html').getAttribute('data-theme')).toBe(theme);
    const inner = page.frames()[1];
    await inner?.evaluate(axe.source);
    const found = await inner?.evaluate<AxeResults>('axe.run()');
    expect(found?.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(wrong).toEqual([]);
    await page.screenshot({ path: `test-output/pages/app-${width}-${theme}.png`, fullPage: true });
    await page.close();
  });

  it('is replaced in such a host by the pictures of the answer where there is none', async () => {
    const { page, wrong } = await openInHost({}, 800, 'light');
    await page.frameLocator('iframe').locator('img').waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  /** Opens the view of an answer as a host does. @returns the page, and what went wrong in it */
  async function openInHost(told: object, width: number, theme: 'light' | 'dark') {
    const { outputFiles } = await build({
      entryPoints: [path.resolve(import.meta.dirname, '../curation/show/app-host.js')],
      ...{ bundle: true, write: false, format: 'iife' },
    });
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const wrong: string[] = [];
    // What a policy stops is an error; the host's own library tells of every message.
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|about|blob):/.test(request.url())) wrong.push(`asks for ${request.url()}`);
    });
    await page.exposeFunction('readResource', async (uri: string) => {
      const [, name = '', part] = /page\/([^/]+)\/(\d+)$/.exec(uri) ?? [];
      const text = await pagePart(path.join(folder.path, 'home'), name, Number(part), [owner]);
      return { contents: [{ uri, text }] };
    });
    await page.setContent('<!doctype html><html lang="en"><title>Host</title><body><main></main>');
    await page.evaluate(outputFiles[0]?.text ?? '');
    const data = (await picture(60, 40)).toString('base64');
    const content = [
      { type: 'text', text: JSON.stringify(told) },
      { type: 'image', mimeType: 'image/png', data },
    ];
    const given = {
      ...{ html: appDocument(), args: {}, result: { content }, capabilities: { serverResources: {} } },
      context: { theme, availableDisplayModes: ['inline'] },
    };
    await page.evaluate((all) => Reflect.get(globalThis, 'openApp')(all), given);
    return { page, wrong };
  }
});

it('is read by its owner alone, in parts that are cut between characters', async () => {
  const file = fileURLToPath(await saved(sample));
  const name = path.basename(file, '.html');
  const home = path.join(folder.path, 'home');
  await writeFile(file, `x${'😀'.repeat(700_000)}`);
  const parts = await Promise.all([1, 2, 3].map((part) => pagePart(home, name, part, [owner])));
  for (const part of parts) expect(part).not.toMatch(/\p{Cs}/u);
  const whole = parts.map((part) => part?.replace(/^\d\/3\n/, '')).join('');
  expect(whole).toBe(await readFile(file, 'utf8'));
  expect(await pagePart(home, name, 4, [owner])).toBeNull();
  expect(await pagePart(home, name, 1, [pageOwner('default', 'ada')])).toBeNull();
  for (const other of ['../store/key', `${name}.html`, '', 'gallery']) {
    expect(await pagePart(home, other, 1, [owner])).toBeNull();
  }
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
