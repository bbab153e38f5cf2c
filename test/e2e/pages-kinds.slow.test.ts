import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { browserIsHere, inspectPage, openBrowser } from '../curation/show/looks.ts';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
import { fillFolder } from '../support/filled.ts';
import { findShow } from '../support/plans.ts';
import { temporaryFolder } from '../support/temporary.ts';

let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let showId: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  await fillFolder(dataFolder(home));
  server = await startServer({ ARTWORK_HOME: home, ARTWORK_UPLOAD_ROOTS: folder.path });
  ({ showId } = await findShow(server, 'Breaking Bad'));
});
afterAll(async () => {
  await server.stop();
  await stopSandbox({ home: path.join(folder.path, 'home') });
  await folder.remove();
});

const paged = z.looseObject({ page: z.string(), data: z.array(z.looseObject({})) });

function pageOf(result: CallToolResult): string {
  return paged.parse(toldBy(result)).page;
}

/** Title cards of the first season but its fourth, two of them for the second episode, and what is no picture. */
async function folderOfCards(): Promise<string> {
  const cards = path.join(folder.path, 'cards');
  await mkdir(cards);
  const draw = (name: string, width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toFile(path.join(cards, name));
  for (const number of [1, 2, 3, 5, 6, 7]) {
    await draw(`Breaking Bad - S01E0${number}.png`, 1920, 1080, `rgb(${number * 30},60,90)`);
  }
  await draw('Breaking Bad S01E02 <b>alternative.png', 1920, 1080, '#884422');
  await draw('Breaking Bad - S02E01.png', 800, 1200, '#224488');
  await writeFile(path.join(cards, 'notes.txt'), 'no picture');
  return cards;
}

describe.skipIf(!browserIsHere)('pages of real answers', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const look = (page: string, name: string, more?: (page: Page) => Promise<string[]>) =>
    inspectPage(browser, page, `real-${name}`, more);

  it('show a plan: what to decide, rivals side by side, each file in its place, and the gaps', async () => {
    const args = { folder: await folderOfCards(), entryTargetKind: 'show', entryTargetId: showId, limit: 2 };
    const answer = await server.call('plan_set', { ...args, page: true });
    const page = pageOf(answer);
    const found = await look(page, 'plan', async (opened) => {
      const text = await opened.locator('main').innerText();
      const wanted = [
        'To decide',
        'beside 1 that has its place now',
        'has this place now',
        '<b>alternative',
        'Season 1',
        'missing',
        'Left out',
      ];
      return wanted.filter((words) => !text.includes(words)).map((words) => `lacks ${words}`);
    });
    expect(found).toEqual([]);
    // The page holds the whole plan: the next page of the answer has no other.
    const { nextCursor } = z.looseObject({ nextCursor: z.string() }).parse(answer.structuredContent);
    const next = await server.call('plan_set', { ...args, page: true, cursor: nextCursor });
    expect(next.structuredContent).not.toHaveProperty('page');
  });

  it('show changes before and after', async () => {
    const args = { since: '2026-01-01', slot: 'logo', limit: 3, page: true };
    const page = pageOf(await server.call('list_changes', args));
    const found = await look(page, 'changes', async (opened) =>
      (await opened.locator('.change .picture img').count()) > 0 ? [] : ['no pictures'],
    );
    expect(found).toEqual([]);
  });

  it('show an audit of all Sets of a target', async () => {
    const args = { targetKind: 'show', targetId: showId, page: true };
    const page = pageOf(await server.call('audit_sets', args));
    const found = await look(page, 'audit', async (opened) => {
      const text = await opened.locator('main').innerText();
      return ['Season 3', 'Nothing to mend'].filter((words) => !text.includes(words));
    });
    expect(found).toEqual([]);
  });

  it('show a gallery with its gaps, and the contact sheet beside it', async () => {
    const sets = z
      .looseObject({
        data: z.looseObject({ sets: z.array(z.looseObject({ id: z.int(), title: z.string() })) }),
      })
      .parse(
        (await server.call('get_entity', { kind: 'show', id: showId, include: ['sets'] })).structuredContent,
      );
    const id = sets.data.sets.find(({ title }) => title.includes('Azulejos'))?.id;
    const result = await server.call('view_artwork', {
      items: [{ kind: 'show_set', id }],
      size: 96,
      page: true,
    });
    const page = pageOf(result);
    const found = await look(page, 'gallery', async (opened) => {
      const gaps = await opened.locator('.hole', { hasText: 'missing' }).count();
      return gaps === 13 ? [] : [`${gaps} gaps`];
    });
    expect(found).toEqual([]);
    const sheet = await readFile(fileURLToPath(page).replace(/html$/, 'png'));
    expect((await sharp(sheet).metadata()).format).toBe('png');
    // The sheet of the answer: one page of 24, in which what follows one another is one gap.
    const image = result.content.find((block) => block.type === 'image');
    expect(image).toMatchObject({ mimeType: 'image/jpeg' });
  });
});
