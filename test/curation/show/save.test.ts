import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPageName, pageOwner, readSavedPage, savePage } from '../../../src/curation/show/save.ts';
import { temporaryFolder } from '../../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const owner = pageOwner('default', null);
const day = 24 * 60 * 60_000;
const now = new Date('2026-11-22T09:30:00Z');

async function home(name: string): Promise<string> {
  const made = path.join(folder.path, name);
  await mkdir(made, { mode: 0o700 });
  return made;
}

describe('savePage', () => {
  it('writes a page and its sheet for their user alone, and reads the page again by its name', async () => {
    const own = await home('one');
    const name = newPageName('gallery', now, owner);
    expect(name).toMatch(/^gallery-20261122-093000-[0-9a-f]{8}-[0-9a-f]{8}$/);
    const { uri } = await savePage(own, name, '<!doctype html>é', { png: Buffer.from('png') }, now);
    const file = fileURLToPath(uri);
    expect(await readFile(file, 'utf8')).toBe('<!doctype html>é');
    expect(await readSavedPage(own, name, [owner])).toBe('<!doctype html>é');
    expect((await readdir(path.dirname(file))).sort()).toEqual([`${name}.html`, `${name}.png`]);
    if (process.platform !== 'win32') {
      for (const one of await readdir(path.dirname(file))) {
        expect((await stat(path.join(path.dirname(file), one))).mode & 0o777).toBe(0o600);
      }
      expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    }
  });

  it('takes away what is older than a week, and nothing that has no name of its own kind', async () => {
    const own = await home('old');
    const old = newPageName('plan', now, owner);
    const young = newPageName('gallery', now, owner);
    await savePage(own, old, 'old', { png: Buffer.of(1) }, now);
    await savePage(own, young, 'young', null, now);
    const pages = path.join(own, 'pages');
    for (const kept of ['notes.txt', 'plan-2026.html', 'my gallery.html'])
      await writeFile(path.join(pages, kept), '');
    const draft = '.artwork-mcp-4194297-01234567-89ab-4cde-8f01-23456789abcd.part';
    await writeFile(path.join(pages, draft), '');
    const dated = (name: string, ms: number) => utimes(path.join(pages, name), new Date(ms), new Date(ms));
    for (const name of await readdir(pages)) await dated(name, now.getTime() - 8 * day);
    await dated(`${young}.html`, now.getTime() - 6 * day);
    await savePage(own, newPageName('plan', now, owner), 'new', null, now);
    const left = await readdir(pages);
    expect(left).not.toContain(`${old}.html`);
    expect(left).not.toContain(`${old}.png`);
    expect(left).not.toContain(draft);
    expect(left).toEqual(
      expect.arrayContaining(['notes.txt', 'plan-2026.html', 'my gallery.html', `${young}.html`]),
    );
  });
});

describe('readPage', () => {
  it.each([
    '../secret',
    'gallery',
    'gallery-20261122-093000-xyz',
    'secret-20261122-093000-00000000-00000000',
    '',
  ])('reads nothing by the name %j', async (name) => {
    expect(await readSavedPage(folder.path, name, [owner])).toBeNull();
  });

  it('of another user, or of another account of the same one, is none', async () => {
    const own = await home('owners');
    const ada = pageOwner('default', 'ada');
    const name = newPageName('gallery', now, ada);
    await savePage(own, name, 'page', null, now);
    expect(await readSavedPage(own, name, [ada, owner])).toBe('page');
    for (const other of [pageOwner('default', 'ben'), pageOwner('other', 'ada')])
      expect(await readSavedPage(own, name, [other, pageOwner('other', null)])).toBeNull();
  });

  it('follows no link', async () => {
    const own = await home('links');
    const name = newPageName('plan', now, owner);
    await savePage(own, name, 'page', null, now);
    const link = newPageName('plan', now, owner);
    await symlink('/etc/hostname', path.join(own, 'pages', `${link}.html`));
    expect(await readSavedPage(own, link, [owner])).toBeNull();
    expect(await readSavedPage(own, newPageName('plan', now, owner), [owner])).toBeNull();
  });
});
