import { rm, truncate, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { card } from './pictures.ts';
import { type Creation, create, creationOf, keptFolders } from './show.ts';
import { openStudio } from './studio.ts';
import { wiretap } from './wiretap.ts';

const { studio } = await openStudio();
beforeEach(() => studio.forget());

const filesOf = (args: Creation) => args.declaredFiles.map(({ file }) => file);

describe('a file of a Set', () => {
  const tamperings: [string, string, (file: string) => Promise<void>][] = [
    ['changed', 'source_changed', async (file) => writeFile(file, await card())],
    ['truncated', 'source_changed', (file) => truncate(file, 100)],
    ['deleted', 'missing', (file) => rm(file)],
  ];

  it.each(tamperings)('that is %s before it is kept stops all of it', async (_, reason, tamper) => {
    let third = '';
    const artist = await studio.artist({
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
    const args = await creationOf(artist, 4);
    third = filesOf(args)[2] ?? '';
    const answer = await create(artist, args);
    expect(answer).toMatchObject({ outcome: 'not_sent', category: 'upload_refused', details: { reason } });
    expect(studio.effects(args.clientMutationId)).toEqual([]);
    expect(await keptFolders(artist)).toEqual([]);
  });

  it.each(tamperings)('that is %s once it is declared does no harm', async (_, __, tamper) => {
    let originals: readonly string[] = [];
    const wire = wiretap(async ({ what }, send) => {
      if (what === 'admission') for (const file of originals) await tamper(file);
      return send();
    });
    const artist = await studio.artist({ ports: wire.ports });
    const args = await creationOf(artist, 3);
    originals = filesOf(args);
    expect(await create(artist, args)).toMatchObject({ outcome: 'succeeded' });
  });

  it('whose copy was opened before its turn is closed, and sent once, where its turn comes later', async () => {
    let isFirst = true;
    const wire = wiretap(async ({ what }, send) => {
      if (!isFirst || what === 'admission') return send();
      isFirst = false;
      return { outcome: 'not_sent', error: new ArtworkError('network', 'The connection was refused.') };
    });
    const copies = { opened: 0, open: 0 };
    const artist = await studio.artist({
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
    const args = await creationOf(artist, 8);
    expect(await create(artist, args)).toMatchObject({ result: { counts: { succeeded: 8 } } });
    expect(wire.repeated()).toHaveLength(1);
    // All eight, the admission and the completion.
    expect(studio.effects(args.clientMutationId)).toHaveLength(8 + 2);
    expect(copies.open).toBe(0);
    // One for each that was begun, and the one that was read ahead when the first did not leave.
    expect(copies.opened).toBe(8 + 1 + 1);
  });

  it('that can not be sent is named, with every other one', async () => {
    const artist = await studio.artist();
    const args = await creationOf(artist, 4);
    const [first = '', second = ''] = filesOf(args);
    await writeFile(first, 'no picture');
    await rm(second);
    const answer = await create(artist, args);
    expect(answer).toMatchObject({ outcome: 'not_sent', category: 'upload_refused' });
    expect(answer.issues?.map(({ path }) => path[1])).toEqual(['0', '1']);
    expect(studio.effects(args.clientMutationId)).toEqual([]);
  });
});
