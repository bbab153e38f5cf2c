import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
import { hurried } from '../support/connected.ts';
import { numberFrom, seededRandom } from '../support/seeded.ts';
import {
  type Answer,
  artwork,
  drawing,
  type SetService,
  showSet,
  startSetService,
} from '../support/set-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** How often a server is killed; ARTWORK_TEST_KILLS=100 for the long run. */
const kills = numberFrom('ARTWORK_TEST_KILLS', 8);
const seed = numberFrom('ARTWORK_TEST_SEED', randomBytes(4).readUInt32BE());
const random = seededRandom(seed);

let service: SetService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let env: Record<string, string>;
const running = new Set<StartedServer>();

beforeEach(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'downloads');
  await mkdir(root);
  service = await startSetService();
  env = {
    ARTWORK_HOME: path.join(folder.path, 'home'),
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_DOWNLOAD_ROOT: root,
  };
});

afterEach(async () => {
  await Promise.all([...running].map((server) => server.stop()));
  running.clear();
  await service.close();
  await folder.remove();
});

async function start(more: Record<string, string> = {}): Promise<StartedServer> {
  const server = await startServer({ ...env, ...more });
  running.add(server);
  return server;
}

const told = z.object({
  data: z.object({ counts: z.record(z.string(), z.int()) }),
  next: z.looseObject({ tool: z.string().optional() }).optional(),
});
const wish = { kind: 'show_set', id: 1, layout: 'kometa' };
const cardName = (number: number) => `S01E${String(number).padStart(2, '0')}.png`;

/** A Set of so many title cards; each is answered as `how` says. */
async function plant(count: number, how: (number: number, bytes: Buffer) => Answer): Promise<Buffer[]> {
  const drawings = await Promise.all(Array.from({ length: count }, (_, index) => drawing(index + 1)));
  for (const [index, bytes] of drawings.entries()) {
    service.pictures.set(artwork(index + 1), how(index + 1, bytes));
  }
  service.sets.set(
    '/show-set/1',
    showSet(
      1,
      'Ponds',
      drawings.map((_, index) => artwork(index + 1)),
    ),
  );
  return drawings;
}

function late(milliseconds: () => number) {
  return (_: number, bytes: Buffer): Answer =>
    (response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-length': bytes.length });
        // In two halves, so that a kill may fall between them.
        response.write(bytes.subarray(0, bytes.length / 2));
        setTimeout(() => response.end(bytes.subarray(bytes.length / 2)), milliseconds() / 2);
      }, milliseconds());
    };
}

async function cards(): Promise<Map<string, Buffer>> {
  const at = path.join(root, 'Ponds (2008)');
  const names = await readdir(at).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(at, name))] as const),
  );
  return new Map(found);
}

const drafts = (files: ReadonlyMap<string, Buffer>) =>
  [...files.keys()].filter((name) => name.endsWith('.part'));

describe(`a server that is killed (seed ${seed})`, () => {
  it('leaves nothing but whole files, and the next one fetches what is missing, and that alone', async () => {
    const drawings = await plant(
      48,
      late(() => 10 + random() * 40),
    );
    const expected = new Map(drawings.map((bytes, index) => [cardName(index + 1), bytes]));
    for (let kill = 0; kill < kills; kill += 1) {
      const before = await cards();
      const server = await start();
      const asked = service.requests.length;
      const call = server.call('download_set', wish).catch(() => null);
      const most = 1 + Math.floor(random() * 10);
      while (service.requests.length < asked + most && (await Promise.race([call, sleep(2, 'on')])) === 'on');
      await sleep(random() * 60);
      process.kill(server.pid, 'SIGKILL');
      await call;
      const files = await cards();
      for (const [name, bytes] of files) {
        if (name.endsWith('.part')) continue;
        expect([name, bytes.equals(expected.get(name) ?? Buffer.alloc(0))]).toEqual([name, true]);
      }
      for (const name of before.keys()) if (!name.endsWith('.part')) expect(files.has(name)).toBe(true);
    }
    const left = await cards();
    // As if the kills were some minutes ago: until then another process could still be writing.
    const past = new Date(Date.now() - 180_000);
    const planted = path.join(root, 'Ponds (2008)', `.artwork-mcp-4194303-${crypto.randomUUID()}.part`);
    await writeFile(planted, 'half');
    for (const name of drafts(await cards())) await utimes(path.join(root, 'Ponds (2008)', name), past, past);
    service.requests.length = 0;
    const server = await start();
    const { data, next } = told.parse(toldBy(await server.call('download_set', wish)));
    const whole = left.size - drafts(left).length;
    expect(data.counts).toEqual({
      ...(whole > 0 ? { present: whole } : {}),
      ...(whole < 48 ? { written: 48 - whole } : {}),
    });
    expect(next).toBeUndefined();
    const missing = drawings.flatMap((_, index) =>
      left.has(cardName(index + 1)) ? [] : [[artwork(index + 1), 1]],
    );
    expect(service.asked()).toEqual(Object.fromEntries(missing));
    expect(await cards()).toEqual(expected);
  });
});

describe('several servers at once', () => {
  it('bring the same Set into the same folder, whole, and agree on whose the files are', async () => {
    const drawings = await plant(
      24,
      late(() => random() * 20),
    );
    const servers = await Promise.all([start(), start(), start()]);
    const answers = await Promise.all(servers.map((server) => server.call('download_set', wish)));
    for (const answer of answers) {
      const { counts } = told.parse(toldBy(answer)).data;
      expect((counts.written ?? 0) + (counts.present ?? 0) + (counts.replaced ?? 0)).toBe(24);
    }
    const expected = new Map(drawings.map((bytes, index) => [cardName(index + 1), bytes]));
    expect(await cards()).toEqual(expected);
    const [server] = servers;
    expect(told.parse(toldBy(await server.call('download_set', wish))).data.counts).toEqual({ present: 24 });
  });
});

describe('a service that is slow', () => {
  it('takes several calls: following next ends, and fetches only what was cut off a second time', async () => {
    await plant(
      70,
      late(() => 300),
    );
    const server = await start(hurried);
    let calls = 0;
    let last = told.parse(toldBy(await server.call('download_set', wish)));
    expect(last.data.counts.pending).toBeGreaterThan(0);
    while (last.next?.tool !== undefined) {
      calls += 1;
      last = told.parse(toldBy(await server.call(last.next.tool, Object(last.next.arguments))));
    }
    expect(calls).toBeGreaterThan(0);
    expect(last.data.counts).toMatchObject({ present: expect.any(Number) });
    expect(last.data.counts.pending).toBeUndefined();
    expect((await cards()).size).toBe(70);
    const asked = Object.values(service.asked()).reduce((sum, count) => sum + count, 0);
    expect(asked).toBeLessThanOrEqual(70 + 4 * calls);
  });

  it('hangs at some pictures: the others come all the same, and following next ends', async () => {
    const quick = late(() => 0);
    await plant(20, (number, bytes) => (number <= 6 ? () => {} : quick(number, bytes)));
    const server = await start(hurried);
    let last = told.parse(toldBy(await server.call('download_set', wish)));
    for (let calls = 0; last.next?.tool !== undefined; calls += 1) {
      expect(calls).toBeLessThan(10);
      last = told.parse(toldBy(await server.call(last.next.tool, Object(last.next.arguments))));
    }
    expect((await cards()).size).toBe(14);
  });

  it('hangs at all of them: the first call says that a person has to look', async () => {
    await plant(40, () => () => {});
    const server = await start(hurried);
    const { data, next } = told.parse(toldBy(await server.call('download_set', wish)));
    expect(data.counts.written).toBeUndefined();
    expect(next?.tool).toBeUndefined();
    expect(next).toMatchObject({ why: expect.stringContaining('service') });
  });
});
