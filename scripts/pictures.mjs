// Makes the pictures of the README from the real thing: a conversation with the built server beside an embedded
// catalogue, the contact sheet and the page that it answers with. `npm run pictures`; needs Chromium.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = path.join(root, 'docs/pictures');
const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
];

const home = await mkdtemp(path.join(tmpdir(), 'artwork-pictures-'));
const catalogue = await startCatalogue(path.join(home, 'catalogue'));
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [path.join(root, 'dist/cli.js')],
  env: {
    PATH: process.env.PATH ?? '',
    ARTWORK_HOME: path.join(home, 'data'),
    ARTWORK_BASE_URL: catalogue.address,
    ARTWORK_CLIENT_ID: 'artwork-mcp',
    ARTWORK_LOG_LEVEL: 'error',
  },
});
const client = new Client({ name: 'pictures', version: '1.0.0' });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: browserArguments });
try {
  await client.connect(transport);
  const conversation = await converse();
  await mkdir(pictures, { recursive: true });
  const html = path.join(home, 'conversation.html');
  await writeFile(html, drawConversation(conversation));
  await takePicture(`file://${html}`, 'conversation.png', { width: 760, height: 600 }, true);
  await takePicture(conversation.page, 'page.png', { width: 1100, height: 760 }, false);
} finally {
  await browser.close();
  await client.close();
  catalogue.end();
  await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** The calls that a model makes for the question, and what came back. */
async function converse() {
  const show = await findShow('Breaking Bad');
  const audit = { targetKind: 'show', targetId: show.id };
  const audited = await call('audit_sets', audit);
  const set = audited.structuredContent.data.find(({ codes }) => codes !== undefined);
  if (set === undefined) throw new Error('No Set of this show lacks anything.');
  const view = { items: [{ kind: set.kind, id: set.id, slot: 'titlecard' }] };
  const sheet = (await viewWhole(view)).content.find(({ type }) => type === 'image');
  const gallery = await call('get_set', { kind: set.kind, id: set.id, page: true });
  const [page] = JSON.stringify(gallery.content).match(/file:\/\/[^"\\]+\.html/) ?? [];
  if (sheet === undefined || page === undefined) throw new Error('There is no contact sheet, or no page.');
  return {
    set,
    page,
    sheet: Buffer.from(sheet.data, 'base64'),
    calls: [
      { name: 'find_titles', args: { query: 'Breaking Bad', kind: 'show' }, answer: show },
      { name: 'audit_sets', args: audit, answer: { title: set.title, by: set.by, says: set.says } },
      { name: 'view_artwork', args: view, answer: null },
    ],
  };
}

/**
 * The catalogue draws each picture when it is first asked for, so that a call on a busy machine may end before all are
 * shown: its `next` is the call that goes on.
 */
async function viewWhole(args) {
  for (let calls = 0; calls < 5; calls += 1) {
    const result = await call('view_artwork', args);
    const { data, next } = JSON.parse(result.content.find(({ type }) => type === 'text').text);
    if (next === undefined && data.every(({ error }) => error === undefined)) return result;
  }
  throw new Error('Some pictures were not shown in five calls.');
}

/** The catalogue is read in the background from the first search on; the same search finds more a little later. */
async function findShow(query) {
  for (;;) {
    const { structuredContent } = await call('find_titles', { query, kind: 'show', limit: 1 });
    const [hit] = structuredContent.data;
    if (hit?.title === query) return { kind: hit.kind, id: hit.id, title: hit.title, tool: hit.tool };
    if (structuredContent.index.complete) throw new Error(`The catalogue has no ${query}.`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result;
}

async function takePicture(address, name, viewport, isWhole) {
  const page = await browser.newPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light' });
  await page.goto(address);
  const png = await page.screenshot({ fullPage: isWhole });
  await page.close();
  const file = path.join(pictures, name);
  await sharp(png).png({ palette: true, quality: 90, effort: 10 }).toFile(file);
}

function drawConversation({ set, calls, sheet }) {
  const bubbles = calls.map(
    ({ name, args, answer }) =>
      `<div class="call"><b>${name}</b> <code>${escapeHtml(JSON.stringify(args))}</code>${
        answer === null ? '' : `<pre>${escapeHtml(JSON.stringify(answer))}</pre>`
      }</div>`,
  );
  return `<!doctype html><meta charset="utf-8"><style>
body { font: 16px/1.45 "DejaVu Sans", sans-serif; margin: 0; padding: 28px; background: #f6f4ef; color: #22201c; }
.asked { margin: 0 0 18px 160px; padding: 12px 16px; border-radius: 16px 16px 4px 16px; background: #2f5d50; color: #fff; }
.call { margin: 0 0 12px; padding: 10px 14px; border-radius: 10px; background: #fff; border: 1px solid #ddd6c8; font-size: 13px; }
code, pre { font: 12px/1.5 "DejaVu Sans Mono", monospace; color: #5b5548; white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0 0; }
img { display: block; box-sizing: border-box; width: 100%; border-radius: 10px; border: 1px solid #ddd6c8; }
</style>
<div class="asked">Which title cards does the Set “${escapeHtml(set.title)}” lack?</div>
${bubbles.join('\n')}
<img alt="" src="data:image/jpeg;base64,${sheet.toString('base64')}">`;
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A catalogue in the foreground, which ends with this script. */
async function startCatalogue(folder) {
  const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'sandbox', '--data', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({ input: child.stderr });
  const address = await new Promise((resolve, reject) => {
    lines.on('line', (line) => resolve(line.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]));
    lines.on('close', () => reject(new Error('The catalogue ended before it said its address.')));
  });
  return { address, end: () => child.kill() };
}
