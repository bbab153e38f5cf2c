import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ArtworkError } from '../../../src/errors.ts';
import type { MutationPorts } from '../../../src/mutations/ports.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { blobFolder } from '../../../src/blobs/blob-store.ts';
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

/** Nothing of an admission leaves. */
const offline = wiretap(async ({ what }, send) => {
  if (what !== 'admission') return send();
  return { outcome: 'not_sent', error: new ArtworkError('network', 'The service can not be reached.') };
});

/** A process that begins so much later. */
const later = (ms: number) => (ports: MutationPorts) => {
  const { clock, ...rest } = wiretap().ports(ports);
  return { ...rest, clock: { ...clock, now: () => clock.now() + ms } };
};

it('frees what nobody has come back to for a week, and the same call then keeps it again', async () => {
  const artist = await studio.artist({ ports: offline.ports });
  const unsent = await show.creation(artist, 3);
  const first = await told(artist.mutations.perform('create_media_set', unsent, patient));
  expect(first).toMatchObject({
    outcome: 'not_sent',
    category: 'network',
    next: { tool: 'resume_mutation' },
  });
  const kept = await keptFolders(artist);
  expect(kept.length).toBe(4);
  const root = path.join(artist.home, 'data', blobFolder);
  const long = new Date(Date.now() - 30 * dayMs);
  for (const name of [...kept].reverse()) await utimes(path.join(root, name), long, long);

  const soon = await artist.another({ ports: later(6 * dayMs) });
  await told(soon.mutations.perform('create_media_set', await show.creation(soon, 1), patient));
  expect(await keptFolders(artist)).toEqual(kept);
  await soon.leave();

  const late = await artist.another({ ports: later(8 * dayMs) });
  await told(late.mutations.perform('create_media_set', await show.creation(late, 1), patient));
  expect(await readdir(root)).toEqual([]);
  const { clientMutationId } = unsent;
  const resumed = await told(late.mutations.resume({ clientMutationId, expectedUpdatedAt: null }, patient));
  expect(resumed).toMatchObject({
    outcome: 'not_sent',
    category: 'upload_refused',
    next: { why: expect.stringContaining('same call again') },
  });
  expect(await told(late.mutations.perform('create_media_set', unsent, patient))).toMatchObject({
    outcome: 'succeeded',
  });
  expect(await readdir(root)).toEqual([]);
  await late.leave();
});
