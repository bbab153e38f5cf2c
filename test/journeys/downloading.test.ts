import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { dig, listAt, type Person, startVisitor, visitor } from '../support/person.ts';
import { runCli } from '../support/run-cli.ts';
import {
  artwork,
  drawing,
  type SetService,
  sends,
  showSet,
  startSetService,
} from '../support/set-service.ts';

/** A service and a server for the journeys that need no library of their own: each has a Set to itself. */
let common: { readonly service: SetService; readonly me: Awaited<ReturnType<typeof startVisitor>> };
beforeAll(async () => {
  const service = await startSetService();
  common = { service, me: await startVisitor(service.baseUrl) };
});
afterAll(async () => {
  await common.me.leave();
  await common.service.close();
});

async function before(): Promise<{ service: SetService; me: Person }> {
  const service = await startSetService();
  onTestFinished(() => service.close());
  service.feeds.set('sets', [told(99, 5)]);
  service.feeds.set('assets', []);
  return { service, me: await visitor(service.baseUrl) };
}

/** A change of a show Set, so many days ago. */
const told = (setId: number, daysAgo: number) => ({
  ...{ setId, kind: 'show_set', changeType: 'updated' },
  changedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
});

async function plant(service: SetService, id: number, cards: readonly number[], dateUpdated?: string) {
  for (const number of [...cards, 900]) service.pictures.set(artwork(number), sends(await drawing(number)));
  const set = showSet(id, `Show ${id}`, cards.map(artwork), dateUpdated === undefined ? {} : { dateUpdated });
  const { show } = set;
  service.sets.set(`/show-set/${id}`, { ...set, show: { ...show, poster: artwork(900) } });
}

/** Every file below a folder, by its path there. */
async function files(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((one) => one.isFile())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
    .sort();
}

/** A folder below the library, and what a layout writes into it. */
const layouts: readonly (readonly [string, string, readonly string[]])[] = [
  ['kometa', 'assets', ['S01E01.png', 'S01E02.png', 'poster.png']],
  ['plex', 'plex', ['Season 01/Show 7 S01E02.png', 'poster.png']],
  ['jellyfin', 'jellyfin', ['Season 01/Show 7 S01E02-thumb.png', 'poster.png']],
  ['kodi', 'kodi', ['Season 01/Show 7 S01E02-thumb.png', 'poster.png']],
];

it('a Set goes where each media server looks for it', async () => {
  const { service, me } = await before();
  await plant(service, 7, [1, 2]);
  for (const [layout, folder, expected] of layouts) {
    const at = (name: string) => path.join(me.downloads, folder, 'Show 7 (2008)', name);
    if (layout !== 'kometa') {
      await mkdir(at('Season 01'), { recursive: true });
      await writeFile(at('Season 01/Show 7 S01E02.mkv'), '');
    }
    const [there, asked] = [await files(me.downloads), { ...service.asked() }];
    const args = { kind: 'show_set', id: 7, layout, folder };
    const dry = await me.call('download_set', { ...args, dryRun: true });
    expect(await files(me.downloads)).toEqual(there);
    expect(service.asked()).toEqual(asked);

    expect(dry.next).toMatchObject({ tool: 'download_set', arguments: args });
    expect(dig(dry, 'data', 'keptUpToDateBy')).toBeUndefined();
    const done = await me.follow(dry);
    // The tool of a conversation, and the command that a person puts into a scheduler.
    expect(dig(done, 'data', 'keptUpToDateBy')).toEqual({
      tool: 'update_downloads',
      command: expect.stringMatching(/ update$/),
      why: expect.any(String),
    });
    expect([layout, dig(done, 'data', 'counts', 'written')]).toEqual([layout, expected.length]);
    // What is there or new of a work is its folder.
    const folderIs = layout === 'kometa' ? 'new' : 'there';
    expect(listAt(done, 'data', 'works')).toMatchObject([{ folderIs, folder: expect.any(String) }]);
    expect((await files(at('.'))).filter((name) => name.endsWith('.png'))).toEqual(expected);
    expect(await readFile(at('poster.png'))).toEqual(await drawing(900));

    const fetched = { ...service.asked() };
    expect(dig(await me.call('download_set', args), 'data', 'counts')).toMatchObject({
      present: expected.length,
    });
    expect(service.asked()).toEqual(fetched);
  }
});

it('files that another program wrote, or that a person has changed, stay as they are', async () => {
  const { service, me } = common;
  await plant(service, 17, [1, 2]);
  const at = (name: string) => path.join(me.downloads, 'Show 17 (2008)', name);
  await mkdir(at('.'), { recursive: true });
  await writeFile(at('poster.jpg'), 'of another program');
  const args = { kind: 'show_set', id: 17, layout: 'kometa' };
  await me.call('download_set', args);
  expect(await readFile(at('poster.jpg'), 'utf8')).toBe('of another program');
  await writeFile(at('S01E01.png'), 'changed by hand');
  await plant(service, 17, [11, 12], '2026-11-20T00:00:00Z');
  await me.call('download_set', args);
  expect(await readFile(at('S01E01.png'), 'utf8')).toBe('changed by hand');
  expect(await readFile(at('S01E02.png'))).toEqual(await drawing(12));
});

it('updates bring what changed since, by the tool and by the command, and ask little where nothing did', async () => {
  const { service, me } = await before();
  for (const id of [7, 8, 9]) await plant(service, id, [id * 10, id * 10 + 1]);
  for (const id of [7, 8, 9]) await me.call('download_set', { kind: 'show_set', id, layout: 'kometa' });
  const card = (id: number, number: number) =>
    path.join(me.downloads, `Show ${id} (2008)/S01E0${number}.png`);
  // The clock of whoever wrote this one is ahead.
  service.feeds.set('sets', [told(98, -0.8), told(99, 5)]);
  await me.call('update_downloads');
  service.requests.splice(0);
  expect(dig(await me.call('update_downloads'), 'data', 'undone')).toBe(0);
  expect(service.requests.length).toBeLessThanOrEqual(4);

  await plant(service, 8, [180, 81], new Date().toISOString());
  service.feeds.set('sets', [told(8, 0), told(99, 5)]);
  const dry = await me.call('update_downloads', { dryRun: true });
  expect(await readFile(card(8, 1))).toEqual(await drawing(80));
  expect(dry.isError).toBe(false);
  const ran = await runCli(['update', '--json'], { ...me.env });
  expect(ran.code).toBe(0);
  expect(await readFile(card(8, 1))).toEqual(await drawing(180));
  expect(await readFile(card(7, 1))).toEqual(await drawing(70));

  // Gone from the service: what is here stays, and the run says that something was left undone.
  service.sets.delete('/show-set/9');
  service.feeds.set('sets', [told(9, 0), told(8, 0), told(99, 5)]);
  await me.call('update_downloads');
  expect(await readFile(card(9, 1))).toEqual(await drawing(90));
});

it('where two Sets have a picture for one file, updates keep to the one that was asked for last', async () => {
  const { service, me } = common;
  const folder = path.join(me.downloads, 'Show 57 (2008)');
  const offer = async (id: number, cards: readonly number[]) => {
    await plant(service, id, cards);
    // One Set has a JPEG file where the other has a PNG file.
    service.pictures.set(artwork(61), sends(await drawing(61, 'jpeg')));
    service.sets.set(`/show-set/${id}`, showSet(id, 'Show 57', cards.map(artwork)));
  };
  const get = (id: number) => me.call('download_set', { kind: 'show_set', id, layout: 'kometa' });
  const update = async (...ids: readonly number[]) => {
    service.feeds.set('sets', [...ids.map((id) => told(id, 0)), told(99, 5)]);
    service.feeds.set('assets', []);
    await me.call('update_downloads');
  };
  const shown = async () => {
    const names = await files(folder);
    const pictures = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
    const cards = [51, 52, 53, 54, 55, 61, 62, 63, 64, 66];
    const known = await Promise.all(cards.map((one) => drawing(one, one === 61 ? 'jpeg' : 'png')));
    return pictures.map((one) => cards[known.findIndex((other) => other.equals(one))]);
  };
  await offer(57, [51, 52]);
  await offer(58, [61, 62]);
  await get(57);
  await get(58);
  await update(57);
  expect(await shown()).toEqual([61, 62]);

  // A new episode in both, whichever is read first.
  await offer(57, [51, 52, 53]);
  await offer(58, [61, 62, 63]);
  await update(57, 58);
  await offer(57, [51, 52, 53, 54]);
  await update(57);
  expect(await shown()).toEqual([61, 62, 63, 54]);
  await offer(58, [61, 62, 63, 64]);
  await update(57, 58);
  expect(await shown()).toEqual([61, 62, 63, 64]);

  await rm(path.join(folder, 'S01E01.jpg'));
  await update(57);
  expect(await shown()).toEqual([62, 63, 64]);
  await update(58);
  expect(await shown()).toEqual([61, 62, 63, 64]);

  await get(57);
  await offer(58, [66, 62, 63, 64]);
  await update(58);
  expect(await shown()).toEqual([51, 52, 53, 54]);
  await offer(57, [55, 52, 53, 54]);
  await update(57, 58);
  expect(await shown()).toEqual([55, 52, 53, 54]);
});

it('an update of two thousand Sets, of which one changed, asks for that one', async () => {
  const { service, me } = await before();
  await plant(service, 7, [1]);
  await me.call('download_set', { kind: 'show_set', id: 7, layout: 'original' });
  const folder = path.join(me.home, 'downloads');
  const [name = ''] = (await files(folder)).filter((one) => one.endsWith('.json'));
  const manifest = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
  const [kept] = Object.values<object>(manifest.downloads);
  const many = Array.from({ length: 2_000 }, (_, at) => {
    const id = 10_000 + at;
    return [`copy ${at}`, { ...kept, id, subjects: [`show_set ${id}`] }];
  });
  const downloads = Object.fromEntries([...Object.entries(manifest.downloads), ...many]);
  await writeFile(path.join(folder, name), `${JSON.stringify({ ...manifest, downloads })}\n`);
  await plant(service, 7, [2], new Date().toISOString());
  service.feeds.set('sets', [told(7, 0), told(99, 5)]);
  service.requests.splice(0);
  const done = await me.call('update_downloads');
  expect(dig(done, 'data')).toMatchObject({ downloads: 2_001, counts: { unchanged: 2_000, updated: 1 } });
  expect(service.requests.length).toBeLessThan(10);
});

it('a download that was killed goes on with what is missing, and nothing half-written stays', async () => {
  const { service, me } = await before();
  await plant(service, 7, [1, 2, 3, 4]);
  // The third card never ends.
  service.pictures.set(
    artwork(3),
    (response) => void response.writeHead(200, { 'content-length': 5_000 }).write('x'),
  );
  const args = { kind: 'show_set', id: 7, layout: 'kometa' };
  const never = me.call('download_set', args).catch(() => null);
  await expect.poll(() => service.asked()[artwork(3)]).toBe(1);
  await me.kill();
  await never;
  service.pictures.set(artwork(3), sends(await drawing(3)));
  const later = await me.again();
  await later.call('download_set', args);
  const names = (await files(path.join(me.downloads, 'Show 7 (2008)'))).filter(
    (name) => !name.startsWith('.'),
  );
  expect(names).toEqual(['S01E01.png', 'S01E02.png', 'S01E03.png', 'S01E04.png', 'poster.png']);
  for (const number of [1, 2, 3, 4])
    expect(await readFile(path.join(me.downloads, `Show 7 (2008)/S01E0${number}.png`))).toEqual(
      await drawing(number),
    );
});

it('is refused without a folder to write below, and outside of it', async () => {
  const { service, me } = common;
  await plant(service, 27, [1]);
  const closed = await me.again({ ARTWORK_DOWNLOAD_ROOT: '' });
  const args = { kind: 'show_set', id: 27, layout: 'original' };
  expect((await closed.call('download_set', args)).isError).toBe(true);
  expect((await me.call('download_set', { ...args, folder: '../beside' })).isError).toBe(true);
  expect(await files(path.dirname(me.downloads))).not.toContain('beside');
  const read = await me.again({ ARTWORK_READ_ONLY: '1' });
  expect(listAt(await read.call('download_set', args), 'data', 'files').length).toBeGreaterThan(0);
});

it('files of other programs are replaced once a dry run has named them, and are kept', async () => {
  const { service, me } = common;
  await plant(service, 37, [1]);
  const at = (name: string) => path.join(me.downloads, 'Show 37 (2008)', name);
  await mkdir(at('.'), { recursive: true });
  await writeFile(at('poster.jpg'), 'of another program');
  await writeFile(at('Poster.webp'), 'of a third program');
  const args = { kind: 'show_set', id: 37, layout: 'kometa', takeOver: true };
  const unnamed = await me.call('download_set', args);
  expect(await readFile(at('poster.jpg'), 'utf8')).toBe('of another program');
  const dry = await me.follow(unnamed);
  const others = listAt(dry, 'data', 'files').flatMap((row) => dig(row, 'others') ?? []);
  expect(others.sort()).toEqual(['Poster.webp', 'poster.jpg']);
  // What was changed since it was named is not what the person has agreed to.
  await writeFile(at('poster.jpg'), 'of another program, later');
  const again = await me.follow(await me.follow(dry));
  expect(await readFile(at('poster.jpg'), 'utf8')).toBe('of another program, later');
  const done = await me.follow(again);
  expect((await files(at('.'))).filter((name) => /^poster/i.test(name))).toEqual(['poster.png']);
  expect(await readFile(at('poster.png'))).toEqual(await drawing(900));
  const kept = listAt(done, 'data', 'files').flatMap((row) => Object(row).keptAt ?? []);
  expect(kept.every((file) => file.startsWith(path.join(me.home, 'replaced')))).toBe(true);
  const texts = await Promise.all(kept.map((file) => readFile(file, 'utf8')));
  expect(texts.sort()).toEqual(['of a third program', 'of another program, later']);
  expect(dig(await me.call('download_set', args), 'data', 'counts')).toEqual({ present: 2 });
});

it('a picture in a type that the reader can’t read is converted, and that is said before', async () => {
  const { service, me } = await before();
  await plant(service, 7, [1, 2]);
  const webp = artwork(900).replace('png', 'webp');
  service.pictures.set(webp, sends(await drawing(5, 'webp')));
  const clear = await sharp({ create: { width: 90, height: 60, channels: 4, background: '#ffffff00' } })
    .composite([{ input: await drawing(3), left: 0, top: 0 }])
    .webp()
    .toBuffer();
  service.pictures.set(webp.replace('900', '901'), sends(clear));
  const set = Object(service.sets.get('/show-set/7'));
  service.sets.set('/show-set/7', {
    ...set,
    show: { ...set.show, poster: webp, logo: webp.replace('900', '901'), backdrop: webp },
  });
  const args = { kind: 'show_set', id: 7, layout: 'plex', slots: ['poster', 'logo', 'backdrop'] };
  const dry = await me.call('download_set', { ...args, dryRun: true });
  const converted = { convertedFrom: 'webp', folder: 'Show 7 (2008)' };
  const names = ['background', 'clearlogo', 'poster'];
  expect(listAt(dry, 'data', 'files')).toMatchObject([
    { ...converted, names: expect.arrayContaining(names) },
  ]);
  const done = await me.follow(dry);
  expect(listAt(done, 'data', 'files')).toMatchObject([{ ...converted, state: 'written' }]);
  const read = (name: string) => sharp(path.join(me.downloads, 'Show 7 (2008)', name)).metadata();
  expect(await read('poster.jpg')).toMatchObject({ format: 'jpeg', width: 40 });
  expect(await read('clearlogo.png')).toMatchObject({ format: 'png', width: 90, hasAlpha: true });
  expect(dig(await me.call('download_set', args), 'data', 'counts')).toEqual({ present: 3 });
});

it('a card that waited for its video is brought once that has come, though nothing changed', async () => {
  const { service, me } = await before();
  await plant(service, 7, [1, 2]);
  const at = (name: string) => path.join(me.downloads, 'Show 7 (2008)', 'Season 01', name);
  // Who has links instead of videos has them on a disk of their own.
  const disk = path.join(path.dirname(me.downloads), 'disk.bin');
  await writeFile(disk, '');
  await mkdir(at('.'), { recursive: true });
  await symlink(disk, at('a.S01E01.mkv'));
  const args = { kind: 'show_set', id: 7, layout: 'jellyfin' };
  expect(dig(await me.call('download_set', args), 'data', 'counts')).toMatchObject({ no_video: 1 });
  expect(await readFile(at('a.S01E01-thumb.png'))).toEqual(await drawing(1));
  // Of this one nothing could be written.
  const other = path.join(me.downloads, 'Show 8 (2008)', 'Season 01');
  await plant(service, 8, [11]);
  await mkdir(other, { recursive: true });
  await writeFile(path.join(other, 'a.S01E09.mkv'), '');
  await me.call('download_set', { ...args, id: 8, slots: ['titlecard'] });
  await me.call('update_downloads');
  await writeFile(at('b.S01E02.mkv'), '');
  await writeFile(path.join(other, 'b.S01E01.mkv'), '');
  await me.call('update_downloads');
  expect(await readFile(path.join(other, 'b.S01E01-thumb.png'))).toEqual(await drawing(11));
  expect(await readFile(at('b.S01E02-thumb.png'))).toEqual(await drawing(2));
});

it.runIf(process.platform === 'linux')('no file stays open, whatever became of it', async () => {
  const { service, me } = await before();
  await plant(service, 7, [1, 2, 3]);
  service.pictures.set(artwork(2), sends(Buffer.from('<p>no picture')));
  const at = (name: string) => path.join(me.downloads, 'Show 7 (2008)', name);
  await mkdir(at('.'), { recursive: true });
  await writeFile(at('poster.jpg'), 'of another program');
  await mkdir(at('S01E03.jpg'));
  const args = { kind: 'show_set', id: 7, layout: 'kometa', takeOver: true };
  await me.follow(await me.call('download_set', { ...args, dryRun: true }));
  await plant(service, 7, [11, 12], new Date().toISOString());
  service.feeds.set('sets', [told(7, 0), told(99, 5)]);
  await me.call('update_downloads');
  expect(await readFile(at('S01E02.png'))).toEqual(await drawing(12));
  const handles = path.join('/proc', String(me.pid), 'fd');
  // What is open of others can end while it is looked at.
  const links = (await readdir(handles)).map((one) => readlink(path.join(handles, one)).catch(() => ''));
  const ours = [me.downloads, path.join(me.home, 'downloads'), path.join(me.home, 'replaced')];
  const isOurs = (file: string) => ours.some((folder) => file.startsWith(folder));
  expect((await Promise.all(links)).filter(isOurs)).toEqual([]);
  // What is collected unclosed, Node closes with a warning.
  expect(me.stderr()).not.toMatch(/garbage/i);
});

it('two processes bring Sets into one folder, one after the other', async () => {
  const { service, me } = await before();
  for (const id of [7, 8]) await plant(service, id, [id * 10, id * 10 + 1]);
  const other = await me.again();
  const calls = [me, other].flatMap((one) =>
    [7, 8].map((id) => one.call('download_set', { kind: 'show_set', id, layout: 'original' })),
  );
  const counts = (await Promise.all(calls)).map((answer) => dig(answer, 'data', 'counts', 'failed'));
  expect(counts).toEqual([undefined, undefined, undefined, undefined]);
  expect((await files(me.downloads)).filter((name) => name.endsWith('.png'))).toHaveLength(6);
  const update = await other.call('update_downloads');
  expect(dig(update, 'data')).toMatchObject({ downloads: 2, undone: 0 });
});
