import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type EmbeddedPicture,
  openThumbnails,
  thumbnailsKeptForMs,
} from '../../../src/curation/show/embed.ts';
import { isStoreError } from '../../../src/storage/store-error.ts';
import { temporaryFolder } from '../../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const origin = 'https://catalogue.example/api';
const picture = (text: string): EmbeddedPicture => ({
  dataUri: `data:image/webp;base64,${Buffer.from(text).toString('base64')}`,
  width: 40,
  height: 60,
  transparent: false,
  original: { width: 400, height: 600 },
});
const home = (name: string) => path.join(folder.path, name);
const folderIn = (name: string) => path.join(home(name), 'pages', 'thumbnails');

it('gives back what was kept of the same picture, service and size alone', async () => {
  const kept = await openThumbnails(home('one'), origin, Date.now());
  expect(await kept.find('/a/1.webp', 400)).toBeNull();
  await kept.keep('/a/1.webp', 400, picture('one'));
  expect(await (await openThumbnails(home('one'), origin, Date.now())).find('/a/1.webp', 400)).toEqual(
    picture('one'),
  );
  expect(await kept.find('/a/1.webp', 720)).toBeNull();
  expect(await kept.find('/a/2.webp', 400)).toBeNull();
  const elsewhere = await openThumbnails(home('one'), 'https://other.example', Date.now());
  expect(await elsewhere.find('/a/1.webp', 400)).toBeNull();
  for (const name of await readdir(folderIn('one'))) {
    expect(name).toMatch(/^[0-9a-f]{64}\.thumbnail$/);
    if (process.platform !== 'win32')
      expect((await stat(path.join(folderIn('one'), name))).mode & 0o777).toBe(0o600);
  }
});

it('takes what was changed on the disk for none', async () => {
  const kept = await openThumbnails(home('changed'), origin, Date.now());
  await kept.keep('/a/1.webp', 400, picture('one'));
  const [name = ''] = await readdir(folderIn('changed'));
  const file = path.join(folderIn('changed'), name);
  const content = await readFile(file, 'utf8');
  for (const other of [content.replace(/one$/, 'two'), content.slice(0, 20), '']) {
    await writeFile(file, other);
    expect(await kept.find('/a/1.webp', 400)).toBeNull();
  }
});

it('takes away what is a day old, and the oldest of too much; never what has no name of ours', async () => {
  const now = Date.now();
  const kept = await openThumbnails(home('swept'), origin, now);
  for (const at of [1, 2, 3]) await kept.keep(`/a/${at}.webp`, 400, picture('x'.repeat(1000)));
  await writeFile(path.join(folderIn('swept'), 'mine.txt'), 'kept');
  const names = (await readdir(folderIn('swept'))).filter((name) => name !== 'mine.txt');
  for (const [at, name] of names.entries()) {
    const seconds = (now - at * 60_000) / 1000;
    await utimes(path.join(folderIn('swept'), name), seconds, seconds);
  }
  await openThumbnails(home('swept'), origin, now, 2_600);
  expect((await readdir(folderIn('swept'))).sort()).toEqual([...names.slice(0, 2), 'mine.txt'].sort());
  await openThumbnails(home('swept'), origin, now + 2 * thumbnailsKeptForMs);
  expect(await readdir(folderIn('swept'))).toEqual(['mine.txt']);
});

it('refuses a link in the place of its folder', async () => {
  await mkdir(path.join(home('linked'), 'pages'), { recursive: true, mode: 0o700 });
  await mkdir(home('elsewhere'));
  await symlink(home('elsewhere'), folderIn('linked'));
  const refused = await openThumbnails(home('linked'), origin, Date.now()).catch((error: unknown) => error);
  expect(isStoreError(refused, 'home_not_private')).toBe(true);
});
