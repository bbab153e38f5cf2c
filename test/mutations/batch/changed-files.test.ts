import { rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../../src/errors.ts';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import { effectsOf } from '../../sandbox/submissions-client.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { type Told, told } from '../told.ts';
import { keptFolders } from './kept-folders.ts';
import { card, plantShowOf, type Show } from './show.ts';
import { patient } from './until-settled.ts';
import { type Meddle, wiretap } from './wiretap.ts';

let studio: Studio;
let show: Show;

beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 9);
});
afterAll(() => studio.close());
beforeEach(() => studio.forget());

const create = (artist: Artist, args: Arguments<'create_media_set'>): Promise<Told> =>
  told(artist.mutations.perform('create_media_set', args, patient));

const filesOf = (args: Arguments<'create_media_set'>) => args.declaredFiles.map(({ file }) => file);

/** An artist whose every request goes through `meddle`. */
async function tapped(meddle?: Meddle, times?: number) {
  const wire = wiretap(meddle, times);
  return { wire, artist: await studio.artist({ ports: wire.ports }) };
}

describe('a file', () => {
  const tamperings: [string, string, (file: string) => Promise<void>][] = [
    ['changed', 'source_changed', async (file) => writeFile(file, await card())],
    ['truncated', 'source_changed', (file) => truncate(file, 100)],
    ['deleted', 'missing', (file) => rm(file)],
  ];

  it.each(tamperings)('that is %s before it is kept stops all of it', async (_, reason, tamper) => {
    const { artist: plain } = await tapped();
    const args = await show.creation(plain, 4);
    const [, , third = ''] = filesOf(args);
    const artist = await plain.another({
      ports: (ports) => ({
        ...ports,
        blobs: {
          ...ports.blobs,
          async keep(owner, file, where, how) {
            if (where === third) await tamper(third);
            return ports.blobs.keep(owner, file, where, how);
          },
        },
      }),
    });
    const answer = await create(artist, args);
    expect(answer).toMatchObject({ outcome: 'not_sent', category: 'upload_refused', details: { reason } });
    expect(effectsOf(studio.catalogue, args.clientMutationId)).toEqual([]);
    expect(await keptFolders(artist)).toEqual([]);
    await artist.leave();
  });

  it.each(tamperings)('that is %s once it is declared does no harm', async (_, __, tamper) => {
    let originals: readonly string[] = [];
    const { artist } = await tapped(async ({ what }, send) => {
      if (what === 'admission') for (const file of originals) await tamper(file);
      return send();
    });
    const args = await show.creation(artist, 3);
    originals = filesOf(args);
    expect(await create(artist, args)).toMatchObject({
      outcome: 'succeeded',
      result: { counts: { succeeded: 3 } },
    });
  });

  it('whose copy was opened before its turn is closed, and sent once, where its turn comes later', async () => {
    let isFirst = true;
    const { artist: plain, wire } = await tapped(async ({ what }, send) => {
      if (!isFirst || what === 'admission') return send();
      isFirst = false;
      return { outcome: 'not_sent', error: new ArtworkError('network', 'The connection was refused.') };
    });
    const copies = { opened: 0, open: 0 };
    const artist = await plain.another({
      ports: (ports) => ({
        ...wire.ports(ports),
        blobs: {
          ...ports.blobs,
          async open(owner, file, signal) {
            const copy = await ports.blobs.open(owner, file, signal);
            copies.opened += 1;
            copies.open += 1;
            const close = async () => {
              copies.open -= 1;
              await copy.close();
            };
            return { ...copy, close };
          },
        },
      }),
    });
    const args = await show.creation(artist, 8);
    expect(await create(artist, args)).toMatchObject({ result: { counts: { succeeded: 8 } } });
    expect(wire.repeated()).toHaveLength(1);
    expect(
      effectsOf(studio.catalogue, args.clientMutationId).filter((one) => one === 'submission.file'),
    ).toHaveLength(8);
    expect(copies.open).toBe(0);
    // One for each that was begun, and the one that was read ahead when the first did not leave.
    expect(copies.opened).toBe(8 + 1 + 1);
    await artist.leave();
  });

  it('that can not be sent is named, with every other one', async () => {
    const { artist, wire } = await tapped();
    const args = await show.creation(artist, 4);
    const [first = '', second = ''] = filesOf(args);
    await writeFile(first, 'no picture');
    await rm(second);
    const answer = await create(artist, args);
    expect(answer).toMatchObject({ outcome: 'not_sent', category: 'upload_refused' });
    expect(answer.message).toContain(path.basename(first));
    expect(answer.message).toContain(path.basename(second));
    expect(wire.sent).toEqual([]);
  });
});
