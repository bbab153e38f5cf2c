import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { browserIsHere, openBrowser } from '../sandbox/account-browser.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

const mimeType = 'text/html;profile=mcp-app';
const uri = 'ui://artwork-mcp/page';
const named = z.looseObject({
  name: z.string(),
  _meta: z.looseObject({ ui: z.unknown().optional() }).optional(),
});

let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let args: Record<string, unknown>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await fillFolder(dataFolder(folder.path));
  server = await startServer({ ARTWORK_HOME: folder.path }, (client) =>
    client.registerCapabilities({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } } }),
  );
  const feed = await server.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 1 });
  const { data } = z
    .looseObject({ data: z.array(z.looseObject({ setId: z.int() })) })
    .parse(feed.structuredContent);
  args = { items: [{ kind: 'movie_set', id: data[0]?.setId }] };
});
afterAll(async () => {
  await server.stop();
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

it('is offered to hosts that show MCP Apps alone', async () => {
  const { tools } = await server.client.listTools();
  const offered = tools.map((tool) => named.parse(tool)).filter(({ _meta }) => _meta?.ui !== undefined);
  expect(offered.map(({ name }) => name)).toEqual(expect.arrayContaining(['view_artwork', 'plan_set']));
  const { resources } = await server.client.listResources();
  expect(resources).toMatchObject([{ uri, mimeType }]);

  const other = await startServer({ ARTWORK_HOME: folder.path });
  const { tools: plain } = await other.client.listTools();
  expect(JSON.stringify(plain)).not.toContain('ui://');
  expect((await other.client.listResources()).resources).toEqual([]);
  await other.stop();
});

it('reads no file but pages', async () => {
  for (const name of ['../store/key', '%2e%2e', 'gallery-20261122-000000-00000000', 'gallery', '']) {
    await expect(server.client.readResource({ uri: `${uri}/${name}/1` })).rejects.toThrow('no such page');
  }
});

describe.skipIf(!browserIsHere)('in a host of MCP Apps', () => {
  let browser: Browser;
  let host: string;
  beforeAll(async () => {
    browser = await openBrowser();
    const { outputFiles } = await build({
      entryPoints: [path.resolve(import.meta.dirname, '../curation/show/app-host.js')],
      bundle: true,
      write: false,
      format: 'iife',
    });
    host = outputFiles[0]?.text ?? '';
  });
  afterAll(() => browser.close());

  /** Opens the view of an answer as a host does. @returns the page, and what went wrong in it */
  async function open(
    asked: Record<string, unknown>,
    options: { width: number; theme: 'light' | 'dark'; capabilities: object },
  ): Promise<{ page: Page; wrong: string[]; read: string[] }> {
    const result = await server.call('view_artwork', asked);
    const view = await server.client.readResource({ uri });
    const page = await browser.newPage({ viewport: { width: options.width, height: 800 } });
    const wrong: string[] = [];
    const read: string[] = [];
    // What a policy stops is an error; the host's own library tells of every message.
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|about|blob):/.test(request.url())) wrong.push(`asks for ${request.url()}`);
    });
    await page.exposeFunction('readResource', (wanted: string) => {
      read.push(wanted);
      return server.client.readResource({ uri: wanted });
    });
    await page.setContent('<!doctype html><html lang="en"><title>Host</title><body><main></main>');
    await page.evaluate(host);
    const given = {
      html: z.object({ text: z.string() }).parse(view.contents[0]).text,
      args: asked,
      result,
      capabilities: options.capabilities,
      context: { theme: options.theme, availableDisplayModes: ['inline', 'fullscreen'] },
    };
    await page.evaluate((all) => Reflect.get(globalThis, 'openApp')(all), given);
    return { page, wrong, read };
  }

  it.each([
    [390, 'light'],
    [1440, 'dark'],
  ] as const)('shows the page of an answer, %d pixels wide and %s', async (width, theme) => {
    const capabilities = { serverResources: {} };
    const { page, wrong, read } = await open({ ...args, page: true }, { width, theme, capabilities });
    const frame = page.frameLocator('iframe');
    await frame.locator('h1').waitFor();
    expect(await frame.locator('.picture img').count()).toBeGreaterThan(0);
    expect(read.length).toBeGreaterThan(0);
    // The frame grows to what it shows, and its colours follow the host.
    await expect
      .poll(() => page.evaluate('document.querySelector("iframe").clientHeight'))
      .toBeGreaterThan(400);
    expect(await frame.locator('html').getAttribute('data-theme')).toBe(theme);
    await page.screenshot({ path: `test-output/pages/app-${width}-${theme}.png`, fullPage: true });
    const inner = page.frames()[1];
    await inner?.evaluate(axe.source);
    const found = await inner?.evaluate<AxeResults>('axe.run()');
    expect(found?.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await inner?.evaluate<number>(excess)).toBeLessThanOrEqual(0);
    await page.evaluate("bridge.setHostContext({ theme: 'light' })");
    await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('light');
    // It answers before it is taken away, and can be asked for a larger view.
    expect(await page.evaluate('bridge.teardownResource({})')).toEqual({});
    await frame.getByRole('button', { name: 'Open large' }).click();
    expect(wrong).toEqual([]);
    await page.close();
  });

  it('shows the contact sheet where there is no page, or where the host reads no resources', async () => {
    for (const asked of [args, { ...args, page: true }]) {
      const { page, wrong, read } = await open(asked, { width: 800, theme: 'light', capabilities: {} });
      const sheet = page.frameLocator('iframe').locator('img.sheet');
      await sheet.waitFor();
      expect(await sheet.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBeGreaterThan(100);
      expect([wrong, read]).toEqual([[], []]);
      await page.close();
    }
  });
});
