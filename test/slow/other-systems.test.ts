import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { cli, type StartedServer, toldBy } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { fillFolder } from '../support/filled.ts';
import { initialize, startRawServer } from '../support/raw-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

/** The real program, which takes this machine for one of another system; in `folder` it runs, and has its HOME. */
function on(platform: 'darwin' | 'win32', folder: string): Record<string, string> {
  const preload = pathToFileURL(path.join(import.meta.dirname, 'other-system.mjs')).href;
  return { ARTWORK_TEST_SYSTEM: platform, NODE_OPTIONS: `--import=${preload}`, HOME: folder };
}

const home = {
  darwin: (folder: string) => path.join(folder, 'Library', 'Application Support', 'artwork-mcp'),
  win32: (folder: string) => path.join(folder, 'C:\\Users\\Ada\\AppData\\Local\\artwork-mcp'),
};
const modeOf = async (at: string) => (await stat(at)).mode & 0o777;

const saved = z.looseObject({ outcome: z.literal('succeeded') });
const episodes = z.object({ data: z.array(z.looseObject({ show: z.object({ id: z.int() }) })) });
const shown = z.object({ data: z.tuple([z.object({ error: z.looseObject({}) })]) });

describe.skipIf(process.platform === 'win32').each(['darwin', 'win32'] as const)(
  'a server on %s',
  (platform) => {
    let household: Household;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let server: StartedServer;
    /** How its person writes the path of a file in the folder `pictures`. */
    let spelt: (file: string) => Promise<string>;

    beforeAll(async () => {
      [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
      const inHome = (name: string) => path.join(folder.path, name);
      await Promise.all(['pictures', 'library'].map((name) => mkdir(inHome(name))));
      const windows = platform === 'win32';
      if (windows) {
        for (const name of ['pictures', 'library']) await symlink(inHome(name), inHome(`C:\\${name}`));
      }
      spelt = async (file) => {
        if (!windows) return file;
        const name = `C:\\pictures\\${path.basename(file)}`;
        await symlink(file, inHome(name));
        return name;
      };
      await mkdir(home[platform](folder.path), { recursive: true });
      await chmod(home[platform](folder.path), 0o755);
      server = await startConnected(household, {
        ...(await registered(household)),
        ...on(platform, folder.path),
        ARTWORK_BASE_URL: household.baseUrl,
        ARTWORK_HOME: '',
        LOCALAPPDATA: 'C:\\Users\\Ada\\AppData\\Local',
        ARTWORK_UPLOAD_ROOTS: windows ? 'D:\\more;C:\\pictures' : `/more:${inHome('pictures')}`,
        ARTWORK_DOWNLOAD_ROOT: windows ? 'C:\\library' : inHome('library'),
      });
    });
    afterAll(async () => {
      await server.stop();
      await household.remove();
      await folder.remove();
    });

    it('keeps its data where the system wants it, from others where the system has modes', async () => {
      const at = home[platform](folder.path);
      expect(await readdir(at)).not.toEqual([]);
      expect(await modeOf(at)).toBe(platform === 'win32' ? 0o755 : 0o700);
    });

    it('sends files by the paths that the system has, and a whole Set of kept copies', async () => {
      const pictures = path.join(folder.path, 'pictures');
      const { data } = episodes.parse((await server.call('list_episodes', { limit: 1 })).structuredContent);
      const target = { targetKind: 'show', targetId: data[0]?.show.id };
      const sent = await server.call('upload_asset', {
        ...{ clientMutationId: randomUUID(), expectedUpdatedAt: 'none', operation: 'add' },
        ...{ ...target, slot: 'poster', file: await spelt(await writePoster(pictures)) },
      });
      saved.parse(sent.structuredContent);

      const made = await server.call('create_media_set', {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: null,
        entryTargetKind: 'show',
        entryTargetId: target.targetId,
        titleBase: `Made on ${platform}`,
        languageCode: 'en',
        finalised: false,
        declaredFiles: [{ ...target, file: await spelt(await writePoster(pictures)), slot: 'poster' }],
      });

      saved.parse(made.structuredContent);
    });

    const errorFor = async (file: string) => {
      const answer = await server.call('view_artwork', { items: [{ file }], size: 64 });
      return shown.parse(toldBy(answer)).data[0].error;
    };
    const unfit: Record<typeof platform, [file: string, why: string][]> = {
      darwin: [['C:\\pictures\\a.png', 'is not absolute']],
      win32: [
        ['/pictures/a.png', 'does not start with a drive'],
        ['\\\\server\\pictures\\a.png', 'names another machine'],
        ['C:\\pictures\\nul.png', 'names a device'],
        ['C:\\pictures\\a.png:hidden', 'names a stream'],
      ],
    };
    it.each(unfit[platform])('refuses %s, which %s', async (file, why) => {
      expect(await errorFor(file)).toMatchObject({
        category: 'invalid_arguments',
        message: expect.stringContaining(why),
      });
    });

    const signal = platform === 'win32' ? 'SIGUSR2' : 'SIGTERM';
    it.each(['SIGINT', 'SIGHUP', signal] as const)('ends tidily by %s', async (asked) => {
      const raw = await startRawServer({
        ...on(platform, folder.path),
        ARTWORK_BASE_URL: 'http://127.0.0.1:9',
      });
      raw.send(initialize);
      await raw.answer(1);
      raw.process.kill(asked);
      expect(await raw.exit()).toEqual({ code: 0, signal: null });
      expect(raw.stderr()).toBe('');
      await raw.remove();
    });

    it('has an embedded catalogue that goes by the same rules', async () => {
      const data = path.join(folder.path, 'catalogue');
      await fillFolder(data);
      await chmod(data, 0o755);
      const catalogue = await startRawServer(on(platform, folder.path), ['sandbox', '--data', data], cli);
      await expect.poll(() => catalogue.stderr()).toContain(' answers at ');
      expect(await modeOf(data)).toBe(platform === 'win32' ? 0o755 : 0o700);
      catalogue.process.kill(signal);
      expect(await catalogue.exit()).toEqual({ code: 0, signal: null });
      expect(catalogue.stderr()).toContain(platform === 'win32' ? 'received SIGBREAK' : 'received SIGTERM');
      await catalogue.remove();
    });
  },
);
