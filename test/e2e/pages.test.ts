import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await fillFolder(dataFolder(folder.path));
  server = await startServer({ ARTWORK_HOME: folder.path });
});
afterAll(async () => {
  await server.stop();
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

const feed = z.looseObject({ data: z.array(z.looseObject({ setId: z.int(), kind: z.string() })) });

it('write a page of a Set for a person, on this machine alone', async () => {
  const changes = await server.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 1 });
  const [set] = feed.parse(changes.structuredContent).data;
  const args = { items: [{ kind: 'movie_set', id: set?.setId }], size: 64, page: true };
  const answer = await server.call('view_artwork', args);
  const { page } = z.looseObject({ page: z.string() }).parse(toldBy(answer));
  const file = fileURLToPath(page);
  expect(path.dirname(file)).toBe(path.join(folder.path, 'pages'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  const text = await readFile(file, 'utf8');
  expect(text).toContain("default-src 'none'; img-src data:");
  expect(text).toMatch(/<img src="data:image\/webp;base64,/);
  expect(text).not.toMatch(/<script|https?:/);
});

it('tells a progress that only grows, though it reads pictures twice', async () => {
  const changes = await server.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 2 });
  const items = feed
    .parse(changes.structuredContent)
    .data.map(({ setId }) => ({ kind: 'movie_set', id: setId, slot: 'poster' }));
  const told: number[] = [];
  const call = { name: 'view_artwork', arguments: { items, size: 64, page: true } };
  await server.client.callTool(call, undefined, { onprogress: ({ progress }) => told.push(progress) });
  expect(told.length).toBeGreaterThan(2);
  expect(told).toEqual([...new Set(told)].sort((one, other) => one - other));
});

it('writes no page where there is nothing to show', async () => {
  const args = { items: [{ kind: 'movie_set', id: 999_999_999 }], page: true };
  const told = z.looseObject({ data: z.array(z.looseObject({ error: z.unknown() })) });
  const answer = told.parse(toldBy(await server.call('view_artwork', args)));
  expect(answer).not.toHaveProperty('page');
});
