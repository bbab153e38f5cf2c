import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { slotsOf } from '../../src/model/kinds.ts';
import { type Shape, shapes, targetsOf } from '../curation/download/shapes.ts';
import { aSet, aWork, picture, planIn } from '../curation/download/shows.ts';
import { drawing } from '../support/set-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

// The real Kodi reads libraries, and its own database says which picture it took. `apt-get install kodi xvfb`.

const isThere = ['kodi', 'Xvfb'].every((program) => spawnSync('which', [program]).status === 0);
if (!isThere) process.stdout.write('Left out: Kodi and Xvfb are not installed here.\n');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await folder.remove();
});

/** Runs Kodi without a screen, until what is to be done in it is done. */
async function runKodi(
  home: string,
  work: (ask: (method: string, params?: object) => Promise<unknown>) => Promise<void>,
) {
  const display = `:${90 + (process.pid % 500)}`;
  const screen = spawn('Xvfb', [display, '-screen', '0', '640x480x24'], { stdio: 'ignore' });
  await sleep(1_500);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    DISPLAY: display,
    LIBGL_ALWAYS_SOFTWARE: '1',
    KODI_AE_SINK: 'PROFILER',
  };
  const kodi = spawn('kodi', ['--standalone'], { env, stdio: 'ignore', detached: true });
  const ended = once(kodi, 'exit');
  try {
    for (let attempt = 0; attempt < 120; attempt += 1) {
      if ((await ask('JSONRPC.Ping').catch(() => null)) === 'pong') break;
      await sleep(1_000);
    }
    await work(ask);
    await ask('Application.Quit').catch(() => null);
    await Promise.race([ended, sleep(20_000)]);
  } finally {
    if (kodi.exitCode === null && kodi.pid !== undefined) {
      try {
        process.kill(-kodi.pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
      await ended;
    }
    screen.kill('SIGKILL');
  }
}

/** One request of Kodi's JSON-RPC over TCP. */
async function ask(method: string, params: object = {}): Promise<unknown> {
  const socket = connect(9_090, '127.0.0.1');
  socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
  try {
    await once(socket, 'connect');
    socket.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      const found = /\{"id":1,.*?\}(?=\{|$)/s.exec(text)?.[0];
      if (found === undefined) continue;
      return z.looseObject({ result: z.unknown() }).parse(JSON.parse(found)).result;
    }
    throw new Error('no answer');
  } finally {
    socket.destroy();
  }
}

/** What tells Kodi of a film or show, since there is no network here. */
function nfoOf(shape: Shape, name: string): [string, string][] {
  const { work, at, videos } = shape;
  const files = Object.entries(videos).map(([video, holds]): [string, string] => {
    const file = `${video.replace(/\.\w+$/, '')}.nfo`;
    if (holds === 'film') return [file, `<movie><title>${name}</title></movie>`];
    const [season, ...episodes] = holds;
    const one = (episode: number) =>
      `<episodedetails><title>E${episode}</title><season>${season}</season><episode>${episode}</episode></episodedetails>`;
    return [file, episodes.map(one).join('')];
  });
  return work.kind === 'show'
    ? [...files, [`${at}/tvshow.nfo`, `<tvshow><title>${name}</title></tvshow>`]]
    : files;
}

const artRow = z.object({ type: z.string(), url: z.string() });

it.skipIf(!isThere)(
  'Kodi takes the pictures that are written for it',
  async () => {
    const library = path.join(folder.path, 'library');
    const home = path.join(folder.path, 'home');
    const userdata = path.join(home, '.kodi', 'userdata');
    await mkdir(path.join(userdata, 'Database'), { recursive: true });
    const expected: string[] = [];
    const sources: { path: string; content: string; byFolder: number }[] = [];
    const bytes = await drawing(1);
    const write = async (file: string, content: string | Buffer) => {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    };
    for (const [index, [name, shape]] of Object.entries(shapes).entries()) {
      const root = path.join(library, String(index).padStart(2, '0'));
      const { work, at, videos, beside = [] } = shape;
      for (const file of Object.keys(videos)) await write(path.join(root, file), 'video');
      for (const other of beside) {
        await write(path.join(root, at, other), /\.(png|jpg)$/.test(other) ? bytes : 'video');
      }
      for (const [file, text] of nfoOf(shape, name)) await write(path.join(root, file), text);
      const set = aSet({ work });
      const pictures = targetsOf(shape).flatMap((target) =>
        (slotsOf(target.kind) ?? []).map((slot) => picture(target, slot, set)),
      );
      const plan = await planIn(root, 'kodi', pictures);
      for (const { folders, stem } of plan.files) {
        // Kodi takes no video for an episode whose name has no season: it shows nothing of it.
        if (/^\d+ - /.test(stem)) continue;
        const file = path.join(root, ...folders, `${stem}.png`);
        const there = await readdir(path.dirname(file)).catch(() => []);
        const held = there.find((one) => /\.(jpg|png)$/.test(one) && one.replace(/\.\w+$/, '') === stem);
        if (held === undefined) await write(file, bytes);
        // Kodi shows a picture that is called as the video before ours.
        const own = Object.keys(videos).map((video) => `${path.basename(video, '.mkv')}-${stem}`);
        const first = there.find((one) => own.includes(one.replace(/\.\w+$/, '')));
        expected.push(path.join(path.dirname(file), first ?? held ?? `${stem}.png`));
      }
      // Of a source of shows "by folder" means that it is a single one.
      const isShow = work.kind === 'show';
      const source = isShow ? path.join(root, path.dirname(at)) : root;
      const byFolder = isShow || shape.isLoose === true ? 0 : 1;
      sources.push({ path: `${source}/`, content: isShow ? 'tvshows' : 'movies', byFolder });
    }
    // A collection lies in the movie set information folder, under the name that Kodi makes of its title.
    const sets = path.join(library, 'sets');
    const collection = aWork('collection', 'Mission: Impossible Collection', null);
    await mkdir(sets);
    const ofSet = await planIn(sets, 'kodi', [
      picture(collection, 'poster'),
      picture(collection, 'backdrop'),
    ]);
    for (const { folders, stem } of ofSet.files) {
      const file = path.join(sets, ...folders, `${stem}.png`);
      await write(file, bytes);
      expected.push(file);
    }
    const inSet = path.join(library, 'in-set', 'Mission Impossible (1996)');
    await write(path.join(inSet, 'mi.mkv'), 'video');
    const nfo = '<movie><title>MI</title><set><name>Mission: Impossible Collection</name></set></movie>';
    await write(path.join(inSet, 'mi.nfo'), nfo);
    sources.push({ path: `${path.dirname(inSet)}/`, content: 'movies', byFolder: 1 });

    const setting = (id: string, value: string) => `<setting id="${id}">${value}</setting>`;
    await writeFile(
      path.join(userdata, 'guisettings.xml'),
      `<settings version="2">${setting('services.esenabled', 'true')}${setting('videolibrary.moviesetsfolder', `${path.join(sets, 'Movie Sets')}/`)}${setting('general.addonupdates', '2')}</settings>`,
    );
    await runKodi(home, async () => {});
    const databases = path.join(userdata, 'Database');
    const [name = ''] = (await readdir(databases)).filter((one) => /^MyVideos\d+\.db$/.test(one));
    const before = openKodiDatabase(path.join(databases, name));
    for (const source of sources) {
      before
        .prepare(
          "INSERT INTO path (strPath, strContent, strScraper, scanRecursive, useFolderNames, strSettings, noUpdate, exclude) VALUES (?, ?, 'metadata.local', ?, ?, '', 0, 0)",
        )
        .run(source.path, source.content, source.content === 'movies' ? 2_147_483_647 : 0, source.byFolder);
    }
    before.close();
    await runKodi(home, async (method) => {
      await method('VideoLibrary.Scan', { showdialogs: false });
      let last = -1;
      for (let attempt = 0; attempt < 60; attempt += 1) {
        await sleep(3_000);
        const now = countOf(path.join(databases, name));
        if (now === last && now > 0 && attempt > 4) return;
        last = now;
      }
    });
    const after = openKodiDatabase(path.join(databases, name));
    const art = z.array(artRow).parse(after.prepare('SELECT type, url FROM art').all());
    after.close();
    const taken = new Set(art.map(({ url }) => url));
    const missing = expected.filter((file) => !taken.has(file));
    process.stdout.write(`Kodi took ${expected.length - missing.length} of ${expected.length} pictures\n`);
    expect(missing.map((file) => path.relative(library, file))).toEqual([]);
  },
  600_000,
);

/** Kodi locks its database while it writes: whoever reads it meanwhile waits. */
function openKodiDatabase(file: string) {
  return new Database(file, { timeout: 30_000 });
}

function countOf(file: string): number {
  const database = openKodiDatabase(file);
  try {
    return z.object({ n: z.number() }).parse(database.prepare('SELECT count(*) AS n FROM art').get()).n;
  } finally {
    database.close();
  }
}
