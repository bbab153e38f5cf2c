import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
import { artwork, type SetService, sends, showSet, startSetService } from '../support/set-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

let service: SetService;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'disk');
  await mkdir(root);
  service = await startSetService();
});

afterEach(async () => {
  await server?.stop();
  await service.close();
  try {
    execFileSync('umount', [root], { stdio: 'ignore' });
  } catch {
    // It was not mounted.
  }
  await folder.remove();
});

const told = z.object({
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

async function plant(count: number): Promise<void> {
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

const start = () => startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_DOWNLOAD_ROOT: root });

it('ends a download in good order where the disk is full, and goes on once it is not', async ({ skip }) => {
  if (!mounted('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs'))
    return skip('no small file system can be mounted here');
  await plant(12);
  // Beside what is kept free there is room for a few pictures.
  await writeFile(path.join(root, 'films.bin'), Buffer.alloc(29 * 1024 * 1024));
  server = await start();
  const first = told.parse(toldBy(await server.call('download_set', wish)));
  expect(first.data.counts.written).toBeGreaterThan(0);
  expect(first.data.counts.pending).toBeGreaterThan(0);
  expect(first.next).toEqual({ why: expect.stringContaining('free space') });
  const names = await readdir(path.join(root, 'Ponds (2008)'));
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  await rm(path.join(root, 'films.bin'));
  const then = told.parse(toldBy(await server.call('download_set', wish)));
  expect(then.data.counts).toEqual({
    present: first.data.counts.written,
    written: 12 - (first.data.counts.written ?? 0),
  });
  expect(then.next).toBeUndefined();
});

it('says so where the disk takes no writes any more', async ({ skip }) => {
  if (!mounted('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs'))
    return skip('no small file system can be mounted here');
  await plant(2);
  server = await start();
  await server.call('download_set', { ...wish, dryRun: true });
  execFileSync('mount', ['-o', 'remount,ro', root]);
  const result = await server.call('download_set', wish);
  const [text] = result.content;
  expect(text?.type === 'text' ? text.text : '').toMatch(/download_root_not_writable|EROFS/);
  execFileSync('mount', ['-o', 'remount,rw', root]);
  expect(told.parse(toldBy(await server.call('download_set', wish))).data.counts).toEqual({ written: 2 });
});
