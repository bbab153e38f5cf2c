import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { blobFolder } from '../../../src/blobs/blob-store.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { entryKey } from '../../../src/ledger/entry.ts';
import type { MutationPorts } from '../../../src/mutations/ports.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Artist } from '../artist.ts';
import { indexOf } from '../../support/ledger-index.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { keptFolders } from './kept-folders.ts';
import { plantShowOf, type Show } from './show.ts';
import { patient } from './until-settled.ts';
import { wiretap } from './wiretap.ts';

const dayMs = 24 * 60 * 60_000;

let studio: Studio;
let show: Show;

beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 4);
});
afterAll(() => studio.close());

const offline = wiretap(async ({ what }, send) => {
  if (what !== 'admission') return send();
  return { outcome: 'not_sent', error: new ArtworkError('network', 'The service can not be reached.') };
});

/** A submission that was never sent and whose bytes were kept, and that were not touched for a month. */
async function keepingForLong(): Promise<{ artist: Artist; id: string }> {
  const artist = await studio.artist({ ports: offline.ports });
  const creation = await show.creation(artist, 3);
  expect((await told(artist.mutations.perform('create_media_set', creation, patient))).outcome).toBe(
    'not_sent',
  );
  await age(path.join(artist.home, 'data', blobFolder));
  return { artist, id: creation.clientMutationId };
}

async function age(root: string): Promise<void> {
  const long = new Date(Date.now() - 30 * dayMs);
  const names = await readdir(root, { recursive: true });
  for (const name of [...names].reverse()) await utimes(path.join(root, name), long, long);
}

const entry = z.looseObject({ progress: z.looseObject({ keeper: z.string() }) });

/** Writes an entry that is not as this program would write it. */
async function rewrite({ home }: Artist, id: string, change: (value: string) => string): Promise<void> {
  const storage = await openStorage({ home: path.join(home, 'data'), keyring: null, indexOf });
  const scope = {
    service: studio.catalogue.baseUrl,
    user: 'default',
    subject: '1',
    connection: '0'.repeat(32),
  };
  const key = entryKey(scope, id);
  const stored = await storage.atomic.get(key);
  if (stored === null) throw new Error('The entry is not there.');
  await storage.atomic.put(key, change(stored.value));
  storage.close();
}

/** Some later process that submits something of its own, and sweeps before it does. */
async function sweepLater(artist: Artist): Promise<void> {
  const later = await artist.another({
    ports: (ports: MutationPorts) => {
      const { clock, ...rest } = offline.ports(ports);
      return { ...rest, clock: { ...clock, now: () => clock.now() + 40 * dayMs } };
    },
  });
  await told(later.mutations.perform('create_media_set', await show.creation(later, 1), patient));
  await later.leave();
}

it('stays while an entry is there that can not be read', async () => {
  const { artist, id } = await keepingForLong();
  const kept = await keptFolders(artist);
  await rewrite(artist, id, (value) => value.replace('"state":"', '"state":"newly-'));
  await sweepLater(artist);
  expect(await keptFolders(artist)).toEqual(expect.arrayContaining(kept));
});

it('stays where an open entry notes otherwise what it needs, with the name of its keeper or without', async () => {
  for (const rest of [{ shape: 'another' }, { keeper: undefined, bytes: 'elsewhere' }]) {
    const { artist, id } = await keepingForLong();
    const kept = await keptFolders(artist);
    await rewrite(artist, id, (value) => {
      const { progress, ...whole } = entry.parse(JSON.parse(value));
      const open = { state: 'unresolved', outcome: null, doubt: true };
      return JSON.stringify({ ...whole, ...open, progress: { keeper: progress.keeper, ...rest } });
    });
    await sweepLater(artist);
    expect(await keptFolders(artist)).toEqual(expect.arrayContaining(kept));
  }
});

it('is freed where everything can be read, and nothing needs it', async () => {
  const { artist } = await keepingForLong();
  const kept = await keptFolders(artist);
  await sweepLater(artist);
  const left = await keptFolders(artist);
  expect(kept.filter((name) => left.includes(name))).toEqual([]);
});
