import { rm, truncate, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
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

  it('that lacks the frame that is chosen of it stops all of it, in a dry run too', async () => {
    const artist = await studio.artist();
    const args = await creationOf(artist, 2);
    const [still, other] = args.declaredFiles;
    if (still === undefined || other === undefined) throw new Error('two files were made');
    const declaredFiles = [{ ...still, selectedSourceFrame: 1 }, other];
    for (const dryRun of [true, false]) {
      const answer = await create(artist, { ...args, declaredFiles, dryRun });
      expect(answer).toMatchObject({
        category: 'invalid_arguments',
        issues: [{ path: ['declaredFiles', '0', 'file'] }],
      });
    }
    expect(studio.effects(args.clientMutationId)).toEqual([]);
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
