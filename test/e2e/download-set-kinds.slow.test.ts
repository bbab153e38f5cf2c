import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
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

const answer = z.object({ data: z.object({ counts: z.record(z.string(), z.int()) }) });

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

it('knows where the pictures of every kind of Set go, in every layout', async () => {
  const kinds = ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set'];
  const sets = await Promise.all(kinds.map(async (kind) => ({ kind, id: await aSet(kind) })));
  const groups = z.object({
    data: z.object({
      boxset: z.object({ id: z.int() }).nullish(),
      loadout: z.object({ id: z.int() }).nullish(),
    }),
  });
  for (const { kind, id } of [...sets]) {
    const { boxset, loadout } = groups.parse(toldBy(await server.call('get_set', { kind, id }))).data;
    if (boxset != null) sets.push({ kind: 'boxset', id: boxset.id });
    if (loadout != null) sets.push({ kind: 'loadout', id: loadout.id });
  }
  for (const layout of ['plex', 'jellyfin', 'kodi', 'kometa', 'original']) {
    for (const { kind, id } of sets) {
      const { counts } = (await download({ kind, id, layout, folder: 'dry', dryRun: true })).data;
      const isOfGames = kind === 'game_set' || kind === 'loadout';
      const known = ['would_write', 'no_place', 'ambiguous'].map((state) => counts[state] ?? 0);
      expect([kind, layout, known.some((count) => count > 0)]).toEqual([kind, layout, true]);
      expect(Object.keys(counts)).not.toContain('failed');
      if (layout === 'original') expect(counts.no_place).toBeUndefined();
      else if (isOfGames) expect(counts.would_write).toBeUndefined();
    }
  }
  expect(await readdir(root)).not.toContain('dry');
});
