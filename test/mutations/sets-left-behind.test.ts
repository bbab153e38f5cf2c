import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import type { MutationPorts } from '../../src/mutations/ports.ts';
import { create, creationOf, keptFolders, keptRoot, resume } from './show.ts';
import { openStudio } from './studio.ts';
import { wiretap } from './wiretap.ts';

const dayMs = 24 * 60 * 60_000;

const { studio } = await openStudio();

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
  const unsent = await creationOf(artist, 3);
  const first = await create(artist, unsent);
  expect(first).toMatchObject({
    outcome: 'not_sent',
    category: 'network',
    next: { tool: 'resume_mutation' },
  });
  const kept = await keptFolders(artist);
  expect(kept.length).toBe(4);
  const root = keptRoot(artist);
  const long = new Date(Date.now() - 30 * dayMs);
  for (const name of [...kept].reverse()) await utimes(path.join(root, name), long, long);

  const soon = await artist.another({ ports: later(6 * dayMs) });
  await create(soon, await creationOf(soon, 1));
  expect(await keptFolders(artist)).toEqual(kept);
  await soon.leave();

  const late = await artist.another({ ports: later(8 * dayMs) });
  await create(late, await creationOf(late, 1));
  expect(await readdir(root)).toEqual([]);
  const resumed = await resume(late, unsent);
  expect(resumed).toMatchObject({
    outcome: 'not_sent',
    category: 'upload_refused',
    next: { why: expect.any(String) },
  });
  expect(await create(late, unsent)).toMatchObject({
    outcome: 'succeeded',
  });
  expect(await readdir(root)).toEqual([]);
  await late.leave();
});
