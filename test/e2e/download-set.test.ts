import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'downloads');
  await mkdir(root);
  await fillFolder(dataFolder(folder.path));
  server = await startServer({ ARTWORK_HOME: path.join(folder.path, 'home'), ARTWORK_DOWNLOAD_ROOT: root });
});

afterAll(async () => {
  await server.stop();
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

const answer = z.object({
  data: z.object({
    id: z.object({ kind: z.string(), id: z.int(), title: z.string() }),
    folder: z.string(),
    counts: z.record(z.string(), z.int()),
    credits: z.array(z.object({ createdBy: z.string().nullable(), files: z.int() })),
    files: z
      .array(z.object({ state: z.string(), folder: z.string(), names: z.array(z.string()) }))
      .transform((rows) =>
        rows.flatMap(({ state, folder: at, names }) =>
          names.map((name) => ({ file: path.join(at, name), state })),
        ),
      ),
    metadata: z.object({ file: z.string(), state: z.string() }).optional(),
  }),
  next: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }).optional(),
});

async function download(args: Record<string, unknown>) {
  return answer.parse(toldBy(await server.call('download_set', args)));
}

/** A Set of a kind that changed lately. */
async function aSet(kind: string): Promise<number> {
  const told = toldBy(await server.call('read_feed', { feed: 'sets', kind, limit: 1 }));
  const [first] = z.object({ data: z.array(z.object({ setId: z.int() })) }).parse(told).data;
  if (first === undefined) throw new Error(`No ${kind} in the feed.`);
  return first.setId;
}

describe('download_set', () => {
  it('writes the pictures of a Set once, the bytes that the service has, and fetches nothing twice', async () => {
    const id = await aSet('movie_set');
    const dry = await download({ kind: 'movie_set', id, layout: 'original', dryRun: true });
    expect(await readdir(root)).toEqual([]);
    expect(dry.next).toMatchObject({ tool: 'download_set', arguments: { kind: 'movie_set', id } });
    const first = await download(dry.next?.arguments ?? {});
    expect(first.data.counts).toEqual({ written: dry.data.counts.would_write });
    expect(first.data.credits).toEqual([
      expect.objectContaining({ createdBy: expect.any(String), files: first.data.files.length }),
    ]);
    for (const { file } of first.data.files) {
      const bytes = await readFile(path.join(root, file));
      const { format } = await sharp(bytes).metadata();
      expect(path.extname(file)).toBe(`.${format === 'jpeg' ? 'jpg' : format}`);
    }
    const again = await download({ kind: 'movie_set', id, layout: 'original' });
    expect(again.data.counts).toEqual({ present: first.data.files.length });
    expect(again.next).toBeUndefined();
  });

  it('makes a Kometa folder of a Set that is known by its id in two calls', async () => {
    const id = await aSet('movie_set');
    const calls = [
      await server.call('get_set', { kind: 'movie_set', id }),
      await server.call('download_set', { kind: 'movie_set', id, layout: 'kometa', folder: 'assets' }),
    ];
    expect(calls).toHaveLength(2);
    const { data, next } = answer.parse(toldBy(calls[1] ?? { content: [] }));
    expect(next).toBeUndefined();
    const yaml = parse(await readFile(path.join(root, data.metadata?.file ?? ''), 'utf8'));
    const [[name, entry] = ['', {}]] = Object.entries(
      z.record(z.string(), z.looseObject({})).parse(yaml.metadata),
    );
    expect(data.files.map(({ file }) => path.dirname(file))).toContain(`assets/${name}`);
    expect(entry).toMatchObject({ match: { title: expect.any(String) } });
  });

  it('stays in read-only mode, since it changes nothing on the service', async () => {
    const careful = await startServer({
      ...{
        ARTWORK_HOME: path.join(folder.path, 'home'),
        ARTWORK_DOWNLOAD_ROOT: root,
        ARTWORK_READ_ONLY: '1',
      },
    });
    const { tools } = await careful.client.listTools();
    const listed = tools.find(({ name }) => name === 'download_set');
    expect(listed?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
    });
    const args = { kind: 'movie_set', id: await aSet('movie_set'), layout: 'original' };
    const { data } = answer.parse(toldBy(await careful.call('download_set', args)));
    expect(data.counts).toEqual({ present: data.files.length });
    await careful.stop();
  });

  it('is refused where no folder is open for downloads, naming the setting', async () => {
    const closed = await startServer({ ARTWORK_HOME: folder.path });
    try {
      const refused = await closed.call('download_set', { kind: 'movie_set', id: 1, layout: 'plex' });
      const { error, next } = errorOf(refused);
      expect(error).toMatchObject({ category: 'conflict', code: 'download_root_unset' });
      expect(refused.content[0]).toMatchObject({
        text: expect.stringMatching(
          /^download_set failed \(download_root_unset: no folder is open for downloads\)\.\n/,
        ),
      });
      expect(error.message).toContain('ARTWORK_DOWNLOAD_ROOT');
      expect(next).toEqual({ why: expect.stringContaining('ARTWORK_DOWNLOAD_ROOT') });
    } finally {
      await closed.stop();
    }
  });
});
