import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import {
  type Answer,
  artwork,
  drawing,
  type SetService,
  sends,
  showSet,
  startSetService,
} from '../support/set-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

let service: SetService;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'downloads');
  service = await startSetService();
  server = await startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_DOWNLOAD_ROOT: root });
});

beforeEach(async () => {
  await rm(root, { recursive: true, force: true });
  await mkdir(root);
  service.sets.clear();
  service.pictures.clear();
  service.requests.length = 0;
});

afterAll(async () => {
  await server.stop();
  await service.close();
  await folder.remove();
});

const told = z.looseObject({
  data: z.looseObject({
    counts: z.record(z.string(), z.int()),
    files: z.array(z.looseObject({ state: z.string(), folder: z.string(), names: z.array(z.string()) })),
    leftOut: z.array(z.looseObject({ state: z.string(), why: z.string() })).optional(),
    setsLeftOut: z.array(z.looseObject({ state: z.string() })).optional(),
  }),
  next: z.looseObject({}).optional(),
});

const call = (args: object) =>
  server.call('download_set', { kind: 'show_set', id: 1, layout: 'kometa', ...args });
const download = async (args: object = {}) => told.parse(toldBy(await call(args)));

/** Everything below the root, files with their digests. */
async function everything(): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe('a picture that is none', () => {
  const html = Buffer.from('<!doctype html><p>Please wait a moment');
  const cut: Answer = (response) => {
    void drawing(3).then((bytes) => {
      response.writeHead(200, { 'content-length': bytes.length + 5_000 });
      response.write(bytes);
      setTimeout(() => response.destroy(), 20);
    });
  };
  const endless: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    const chunk = Buffer.alloc(1 << 20, 7);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
  const shortened = async () => {
    const whole = await sharp(await drawing(4))
      .resize(600, 900)
      .jpeg()
      .toBuffer();
    return whole.subarray(0, whole.length / 2);
  };
  const blank = () =>
    sharp({ create: { width: 40, height: 60, channels: 3, background: '#090909' } })
      .png()
      .toBuffer();

  it.each<[string, string, () => Answer | Promise<Answer>]>([
    ['a page', 'bad_response', () => sends(html, { 'content-type': 'image/jpeg' })],
    ['cut off', 'network', () => cut],
    ['half a picture, of the length that was told', 'bad_response', async () => sends(await shortened())],
    ['endless', 'bad_response', () => endless],
    ['blank', 'bad_response', async () => sends(await blank())],
    ['gone', 'not_found', () => (response) => response.writeHead(404).end('<p>gone</p>')],
    [
      'elsewhere',
      'bad_response',
      () => (response) => response.writeHead(302, { location: 'https://elsewhere.example/a.png' }).end(),
    ],
  ])('since it is %s is that file’s failure alone, and nothing of it stays', async (_, category, answer) => {
    service.pictures.set(artwork(1), sends(await drawing(1)));
    service.pictures.set(artwork(2), await answer());
    service.pictures.set(artwork(3), sends(await drawing(3)));
    service.sets.set('/show-set/1', showSet(1, 'Ponds', [artwork(1), artwork(2), artwork(3)]));
    const { data } = await download();
    expect(data.counts).toEqual({ written: 2, failed: 1 });
    expect(data.files).toContainEqual({
      ...{ state: 'failed', folder: 'Ponds (2008)', count: 1, names: ['S01E02'] },
      error: expect.objectContaining({ category }),
    });
    expect(await everything()).toEqual(['Ponds (2008)/S01E01.png', 'Ponds (2008)/S01E03.png']);
    service.pictures.set(artwork(2), sends(await drawing(2)));
    expect((await download()).data.counts).toEqual({ present: 2, written: 1 });
    expect(service.asked()).toMatchObject({ [artwork(1)]: 1, [artwork(3)]: 1 });
  });

  it('on another host is not fetched', async () => {
    const refs = ['https://127.0.0.2/a.png', '//127.0.0.2/b.png', 'file:///etc/passwd', '/\\127.0.0.2/c.png'];
    service.sets.set('/show-set/1', showSet(1, 'Ponds', refs));
    const { data } = await download();
    expect(data.counts).toEqual({ failed: 4 });
    expect(await everything()).toEqual([]);
  });
});

describe('a title', () => {
  it.each([
    ['leads upwards', '../../x'],
    ['turns around', '\u202egnp.exe'],
    ['is very long, of joined characters', '👩‍👩‍👧'.repeat(200)],
  ])('that %s stays below the root in every layout', async (_, title) => {
    service.pictures.set(artwork(1), sends(await drawing(1)));
    service.sets.set('/show-set/1', showSet(1, title, [artwork(1)]));
    for (const layout of ['plex', 'jellyfin', 'kodi', 'kometa', 'original']) {
      expect((await download({ layout, folder: layout })).data.counts).toEqual({ written: 1 });
    }
    expect((await readdir(root)).sort()).toEqual(['jellyfin', 'kodi', 'kometa', 'original', 'plex']);
    expect((await readdir(folder.path)).sort()).toEqual(['downloads']);
    const files = await everything();
    expect(files).toHaveLength(5);
    for (const file of files) {
      for (const name of file.split('/')) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(143);
        expect(name).not.toMatch(/[\p{Cc}\u202a-\u202e"*:<>?\\|]|[. ]$|^con$/iu);
      }
    }
  });
});

describe('what the Set says', () => {
  it('of a Boxset brings all of its Sets, and says which it could not read', async () => {
    for (const number of [1, 2, 3]) service.pictures.set(artwork(number), sends(await drawing(number)));
    service.sets.set('/show-set/1', showSet(1, 'Ponds', [artwork(1)]));
    const lakes = showSet(2, 'Lakes', [artwork(2)], { language: 'de', createdBy: 'Ben' });
    service.sets.set('/show-set/2', { ...lakes, show: { ...lakes.show, id: 2 } });
    const sets = [
      { id: 1, kind: 'show_set', title: 'Ponds · set' },
      { id: 2, kind: 'show_set', title: 'Lakes · set' },
      { id: 3, kind: 'show_set', title: 'Gone' },
      { id: 4, kind: 'talent_set', title: 'Faces' },
    ];
    service.sets.set('/boxsets/9', { id: 9, title: 'Waters', createdBy: 'Ada', poster: artwork(3), sets });
    const { data } = await download({ kind: 'boxset', id: 9 });
    // No program of this layout reads a folder of a Boxset.
    expect(data.counts).toEqual({ written: 2, no_place: 1, setsLeftOut: 2 });
    expect(data.setsLeftOut).toEqual([
      expect.objectContaining({ id: 3, state: 'failed' }),
      expect.objectContaining({ id: 4, state: 'no_public_read' }),
    ]);
    expect(await everything()).toEqual(['Lakes (2008)/S01E01.png', 'Ponds (2008)/S01E01.png']);
    const english = await download({ kind: 'boxset', id: 9, folder: 'english', languageCode: 'en' });
    expect(english.data.setsLeftOut).toContainEqual(
      expect.objectContaining({ id: 2, state: 'other_language' }),
    );
  });
});

describe('the folder', () => {
  beforeEach(async () => {
    service.pictures.set(artwork(1), sends(await drawing(1)));
    service.sets.set('/show-set/1', showSet(1, 'Ponds', [artwork(1)]));
  });

  it.each(['..', 'a/../../b', '/etc', 'a/CON', 'a:b', 'trailing.', 'a/\u202eb', `${'d/'.repeat(20)}e`])(
    '%j is refused',
    async (given) => {
      expect(errorOf(await call({ folder: given })).error).toMatchObject({ category: 'invalid_arguments' });
      expect(await everything()).toEqual([]);
    },
  );

  it('that is a link out of the root is not written into', async () => {
    const outside = path.join(folder.path, 'outside');
    await mkdir(outside);
    await symlink(outside, path.join(root, 'Ponds (2008)'));
    const { data } = await download();
    expect(data.files[0]).toMatchObject({ state: 'failed', error: { code: 'download_link' } });
    expect(await readdir(outside)).toEqual([]);
    await symlink(path.join(folder.path, 'not there yet'), path.join(root, 'later'));
    expect((await download({ folder: 'later' })).data.files[0]).toMatchObject({
      error: { code: 'download_link' },
    });
  });

  it.each(['the folder of the work', 'the root'])(
    'that becomes a link while the picture is fetched is not written into: %s',
    async (which) => {
      const outside = path.join(folder.path, `taken for ${which}`);
      const victim = which === 'the root' ? path.join(outside, 'Ponds (2008)') : outside;
      await mkdir(victim, { recursive: true });
      const at = which === 'the root' ? root : path.join(root, 'Ponds (2008)');
      const picture = sends(await drawing(1));
      service.pictures.set(artwork(1), (response, request) => {
        void rename(at, path.join(folder.path, `moved: ${which}`))
          .then(() => symlink(outside, at))
          .then(() => picture(response, request));
      });
      const { data } = await download();
      expect(data.files).toContainEqual(
        expect.objectContaining({
          state: 'failed',
          error: expect.objectContaining({ category: 'conflict', code: 'download_folder_changed' }),
        }),
      );
      const written = await readdir(outside, { recursive: true });
      expect(written).toEqual(which === 'the root' ? ['Ponds (2008)'] : []);
    },
  );
});
