import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stopSandbox } from '../../src/sandbox/launch.ts';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { type CatalogueServer, serveCatalogue } from '../../src/sandbox/server.ts';
import { cli, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { type CountingProxy, startCountingProxy } from '../support/counting-proxy.ts';
import { fillFolder } from '../support/filled.ts';
import { isRunning } from '../support/is-running.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

const statusSchema = z.looseObject({
  end: z.string().optional(),
  titles: z.int(),
  shows: z.int(),
  films: z.int(),
  complete: z.boolean(),
  asOf: z.string().nullable(),
  left: z.int(),
  lists: z.record(z.string(), z.looseObject({ state: z.string(), pages: z.int() })),
});

let catalogue: Awaited<ReturnType<typeof temporaryFolder>>;
let sandbox: CatalogueServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let proxy: CountingProxy;

beforeAll(async () => {
  catalogue = await temporaryFolder();
  await fillFolder(catalogue.path);
  const dataDir = catalogue.path;
  sandbox = await serveCatalogue({ dataDir, folder: await openFolder(dataDir), port: 0 });
});
afterAll(async () => {
  await sandbox.close();
  await catalogue.remove();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  proxy = await startCountingProxy(sandbox.baseUrl);
});
afterEach(async () => {
  await proxy.close();
  await folder.remove();
});

const env = (more: Record<string, string> = {}) => ({
  ARTWORK_HOME: folder.path,
  ARTWORK_BASE_URL: proxy.baseUrl,
  ARTWORK_CLIENT_ID: 'artwork-mcp',
  ...more,
});
const index = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(['index', '--json', ...args], env());
  return { code, stderr, status: stdout === '' ? null : statusSchema.parse(JSON.parse(stdout)) };
};
const withoutPauses = {
  NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, '../support/without-pauses.mjs')).href}`,
};
const readAll = async () => {
  const { code, stdout } = await runCli(['index', '--json'], env(withoutPauses));
  return { code, status: statusSchema.parse(JSON.parse(stdout)) };
};
const repeated = (paths: readonly string[]) => paths.filter((path, at) => paths.indexOf(path) !== at);
const works = (kind: string) =>
  sandbox.store.only('SELECT count(*) AS n FROM entities WHERE kind = ?', kind).integer('n');

describe('artwork-mcp index', () => {
  it('reads all that the service lists, once, one at a time; a second time nothing', async () => {
    expect(await readAll()).toMatchObject({ code: 0, status: { end: 'done' } });
    const { code, status } = await index('--status');
    expect(code).toBe(0);
    expect(status).toMatchObject({ complete: true, left: 0, shows: works('show') });
    expect(status?.titles).toBeGreaterThan(works('episode'));
    expect(repeated(proxy.paths)).toEqual([]);
    expect(proxy.mostAtOnce()).toBe(1);
    const read = proxy.paths.length;
    expect(await readAll()).toMatchObject({ code: 0, status: { end: 'done' } });
    expect(proxy.paths).toHaveLength(read);

    const shown = await runCli(['index', '--status'], env());
    expect(shown.stdout).toMatch(/^Titles {8}[\d,]+, of them \d+ shows and \d+ films$/m);
    expect(shown.stdout).toMatch(/^Complete {6}yes.*what changed lately.*by its id alone/m);
    expect(proxy.paths).toHaveLength(read);
  });

  it('goes on after kill -9 where it stopped, and reads nothing twice that was read', async () => {
    const [kills, each] = [3, 3];
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = proxy.paths.length;
      const child = spawn(process.execPath, [cli, 'index'], {
        env: { PATH: process.env.PATH ?? '', ...env() },
        stdio: 'ignore',
      });
      // From then on nothing is answered: what was answered before is kept.
      proxy.decide((_, nth) => (nth > before + each ? 'hold' : 'pass'));
      await proxy.came(before + each + 1);
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    expect(proxy.mostAtOnce()).toBe(1);
    expect(repeated(proxy.paths).length).toBeLessThan(kills);
  });

  it('stops at the first answer that turns it away, and asks for nothing more that day', async () => {
    proxy.decide((_, nth) => (nth > 1 ? { status: 429 } : 'pass'));
    for (const _ of [1, 2]) {
      const { code, stderr, status } = await index();
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^artwork-mcp: the service has turned [^\n]* until \d{4}-[^\n]* goes on where it stopped\.$/m,
      );
      expect(status).toMatchObject({ end: 'rests', complete: false });
      expect(proxy.paths).toHaveLength(2);
    }
  });

  it('reads a catalogue of its own at once', async () => {
    const home = await temporaryFolder();
    try {
      const { code, stdout } = await runCli(['index', '--json'], { ARTWORK_HOME: home.path });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ end: 'done', complete: true, left: 0, restsUntil: null });
    } finally {
      await stopSandbox({ home: home.path });
      await home.remove();
    }
  });

  it('keeps none where that is switched off', async () => {
    const { code, stderr } = await runCli(['index'], env({ ARTWORK_INDEX: 'off' }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('ARTWORK_INDEX is off') });
    expect(proxy.paths).toEqual([]);
  });
});

describe('the server', () => {
  let server: StartedServer;
  afterEach(() => server.stop());

  const find = async () => {
    const told = toldBy(await server.call('find_titles', { query: 'breaking bad' }));
    return z.object({ index: statusSchema.pick({ titles: true, complete: true, asOf: true }) }).parse(told);
  };

  it('begins with the first find_titles, and ends with the host', async () => {
    server = await startServer(env());
    toldBy(await server.call('new_mutation_ids', { count: 1 }));
    expect(proxy.paths).toEqual([]);
    // What it is waiting for when the host goes.
    proxy.decide((path) => (path.startsWith('/feeds') ? 'hold' : 'pass'));
    expect((await find()).index.complete).toBe(false);
    await proxy.came(1);
    // Nothing of that keeps another tool from being answered.
    toldBy(await server.call('list_episodes', { limit: 1 }));
    expect(proxy.paths).toContain('/feeds/assets');
    const { pid } = server;
    await server.client.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('never reads by itself where it is passive', async () => {
    server = await startServer(env({ ARTWORK_INDEX: 'passive' }));
    await find();
    toldBy(await server.call('list_episodes', { limit: 1 }));
    await find();
    // As long as the other one took to begin, several times over.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(proxy.paths).toEqual(['/episodes']);
  });
});
