import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { seeded } from '../simulation/random.ts';
import { cli, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { numberFrom } from '../support/number-from.ts';
import { runCli } from '../support/run-cli.ts';
import {
  artwork,
  drawing,
  type SetService,
  sends,
  showSet,
  startSetService,
} from '../support/set-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** How often an update is killed; ARTWORK_TEST_KILLS=100 for the long run. */
const kills = numberFrom('ARTWORK_TEST_KILLS', 10);
const seed = numberFrom('ARTWORK_TEST_SEED', randomBytes(4).readUInt32BE());
const random = seeded(seed).next;

let service: SetService;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'downloads');
  await mkdir(root);
  service = await startSetService();
  env = {
    ARTWORK_HOME: path.join(folder.path, 'home'),
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_DOWNLOAD_ROOT: root,
    ARTWORK_INDEX: 'off',
  };
  const past = new Date(Date.now() - 5 * 24 * 60 * 60_000).toISOString();
  service.feeds.set('sets', [{ setId: 999_999, kind: 'show_set', changeType: 'updated', changedAt: past }]);
  service.feeds.set('assets', []);
  server = await startServer(env);
});

afterEach(async () => {
  await server.stop();
  await service.close();
  try {
    execFileSync('umount', [root], { stdio: 'ignore' });
  } catch {
    // It was not mounted.
  }
  await folder.remove();
});

const report = z.object({
  downloads: z.int(),
  undone: z.int(),
  counts: z.record(z.string(), z.int()),
  files: z.record(z.string(), z.int()),
});

async function update() {
  const { code, stdout, stderr } = await runCli(['update', '--json'], env);
  return { code, stderr, data: report.parse(JSON.parse(stdout)) };
}

const pictureOf = (set: number, version: number) => artwork(set * 10 + version);

/** A Set of one title card, of a version. */
async function plant(set: number, version: number, dateUpdated: string, slowly = false): Promise<void> {
  const bytes = await drawing((set * 7 + version * 3) % 150);
  const send = sends(bytes);
  service.pictures.set(pictureOf(set, version), (response, request) => {
    if (slowly) setTimeout(() => send(response, request), 5 + random() * 30);
    else send(response, request);
  });
  const record = showSet(set, `Show ${set}`, [pictureOf(set, version)], { dateUpdated });
  service.sets.set(`/show-set/${set}`, record);
}

async function downloadAll(count: number): Promise<void> {
  for (let set = 1; set <= count; set += 1) await plant(set, 1, '2026-11-01T00:00:00Z');
  for (let set = 1; set <= count; set += 4) {
    const some = [set, set + 1, set + 2, set + 3].filter((id) => id <= count);
    await Promise.all(
      some.map((id) =>
        server.call('download_set', { kind: 'show_set', id, layout: 'original', folder: `${id % 50}` }),
      ),
    );
  }
}

it(`goes on after each of ${kills} kills in its middle (seed ${seed})`, async () => {
  const count = 60;
  await downloadAll(count);
  const now = new Date().toISOString();
  for (let set = 1; set <= count; set += 1) await plant(set, 2, now, true);
  const changes = Array.from({ length: count }, (_, index) => {
    return { setId: index + 1, kind: 'show_set', changeType: 'updated', changedAt: now };
  });
  service.feeds.set('sets', [...changes, ...(service.feeds.get('sets') ?? [])]);
  service.requests.length = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const asked = service.requests.length;
    const child = spawn(process.execPath, [cli, 'update'], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    const most = 2 + Math.floor(random() * 10);
    while (service.requests.length < asked + most && child.exitCode === null) await sleep(2);
    await sleep(random() * 40);
    child.kill('SIGKILL');
    await ended;
    // Whatever lies there is whole: the old picture or the new one.
    for (const [set, bytes] of await cards()) {
      const both = [1, 2].map((version) => drawing((set * 7 + version * 3) % 150));
      expect((await Promise.all(both)).some((one) => one.equals(bytes))).toBe(true);
    }
  }
  const last = await update();
  expect(last).toMatchObject({ code: 0, data: { undone: 0 } });
  const found = await cards();
  expect(found.size).toBe(count);
  for (const [set, bytes] of found) expect(bytes.equals(await drawing((set * 7 + 6) % 150))).toBe(true);
  service.requests.length = 0;
  expect(await update()).toMatchObject({ code: 0, data: { counts: { unchanged: count } } });
  // What the feeds have named within the hour is read once more; no picture is fetched again.
  expect(service.requests.length).toBeLessThan(count + 5);
}, 600_000);

/** The picture of each Set. */
async function cards(): Promise<Map<number, Buffer>> {
  const entries = await readdir(root, { recursive: true });
  const found = new Map<number, Buffer>();
  for (const name of entries.filter((one) => one.endsWith('.png'))) {
    const [, set] = /\[show_set (\d+)\]/.exec(name) ?? [];
    found.set(Number(set), await readFile(path.join(root, name)));
  }
  return found;
}

const downloaded = z.object({
  data: z.object({ counts: z.record(z.string(), z.int()) }),
  next: z.looseObject({ tool: z.string().optional(), why: z.string() }).optional(),
});
const wish = { kind: 'show_set', id: 1, layout: 'kometa' };

function mounted(...args: readonly string[]): boolean {
  try {
    execFileSync('mount', [...args, root], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function plantLarge(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
    const bytes = await sharp({ create: { width: 640, height: 360, channels: 3, noise, background: '#000' } })
      .png()
      .toBuffer();
    service.pictures.set(artwork(number), sends(bytes));
  }
  const paths = Array.from({ length: count }, (_, index) => artwork(index + 1));
  service.sets.set('/show-set/1', showSet(1, 'Ponds', paths));
}

it('ends a download in good order where the disk is full, and goes on once it is not', async ({ skip }) => {
  if (!mounted('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs'))
    return skip('no small file system can be mounted here');
  await plantLarge(12);
  // Beside what is kept free there is room for a few pictures.
  await writeFile(path.join(root, 'films.bin'), Buffer.alloc(29 * 1024 * 1024));
  const first = downloaded.parse(toldBy(await server.call('download_set', wish)));
  expect(first.data.counts.written).toBeGreaterThan(0);
  expect(first.data.counts.failed).toBeGreaterThan(0);
  expect(first.data.counts.pending).toBeGreaterThan(0);
  expect(first.next?.tool).toBe('download_set');
  // Only a person can make room.
  const second = downloaded.parse(toldBy(await server.call('download_set', wish)));
  expect(second.next).toBeDefined();
  expect(second.next?.tool).toBeUndefined();
  const names = await readdir(path.join(root, 'Ponds (2008)'));
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  await rm(path.join(root, 'films.bin'));
  const then = downloaded.parse(toldBy(await server.call('download_set', wish)));
  const { present = 0, written = 0, ...others } = then.data.counts;
  expect([present + written, others]).toEqual([12, {}]);
  expect(then.next).toBeUndefined();
});
