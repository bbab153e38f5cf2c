import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import type { PlannedFiles } from '../../../src/mutations/operations/operation.ts';
import type { MutationPorts } from '../../../src/mutations/ports.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { card, plantShowOf, type Show } from './show.ts';
import { patient } from './until-settled.ts';

let studio: Studio;
let show: Show;
beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 12);
});
afterAll(() => studio.close());

const again = { tool: 'plan_set', arguments: { folder: '/pictures' }, why: 'It plans anew.' };

/** What a plan of these files would hold. */
async function plannedOf(
  artist: Artist,
  { declaredFiles }: Arguments<'create_media_set'>,
): Promise<PlannedFiles> {
  let ports: MutationPorts | null = null;
  const looker = await artist.another({
    ports: (own) => {
      ports = own;
      return own;
    },
  });
  const found: MutationPorts | null = ports;
  if (found === null) throw new Error('There are no ports.');
  const { files } = found as MutationPorts;
  const seen = await Promise.all(
    declaredFiles.map(async ({ file, slot }) => {
      const signal = new AbortController().signal;
      const source = await files.open(file, { slot, roots: [], maxBytes: null, signal, progress: () => {} });
      await source.close();
      const { filename, contentType, contentLength, sha256 } = source;
      return { name: filename, filename, contentType, contentLength, sha256, warnings: source.warnings };
    }),
  );
  await looker.leave();
  return { files: seen, again, warnings: [{ code: 'left_out', message: 'Some are left out.' }] };
}

/** Writes other bytes into one file, cuts another and takes a third away. */
async function change({ declaredFiles }: Arguments<'create_media_set'>): Promise<void> {
  const [one, two, three] = declaredFiles.map(({ file }) => file);
  if (one === undefined || two === undefined || three === undefined) throw new Error('Too few files.');
  await writeFile(one, await card());
  await writeFile(two, (await card()).subarray(0, 300));
  await rm(three);
}

describe('a submission that was planned', () => {
  it('sends what is as it was planned, and tells what the plan left out', async () => {
    const artist = await studio.artist();
    const args = await show.creation(artist, 3);
    const planned = await plannedOf(artist, args);
    const { result } = await told(
      artist.mutations.perform('create_media_set', args, { planned, ...patient }),
    );
    expect(result).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 3 } });
    expect(result?.warnings).toContainEqual(planned.warnings[0]);
  });

  it('refuses every file that is not, before anything is claimed', async () => {
    const artist = await studio.artist();
    const args = await show.creation(artist, 4);
    const planned = await plannedOf(artist, args);
    await change(args);
    await studio.forget();
    for (const dryRun of [true, false]) {
      const refused = await told(
        artist.mutations.perform('create_media_set', { ...args, dryRun }, { planned, ...patient }),
      );
      expect(refused).toMatchObject({ category: 'upload_refused', outcome: 'not_sent', next: again });
      const [changed, shortened, gone] = planned.files.map((file) => file?.name);
      expect(refused.details).toEqual({
        files: { source_changed: [changed], damaged: [shortened], missing: [gone] },
      });
    }
    expect(await artist.mutations.isKnown(args.clientMutationId)).toBe(false);
    expect(await studio.posts('/me/set-uploads')).toBe(0);
  });

  it('refuses every file that has other bytes of the same length, and keeps nothing', async () => {
    const artist = await studio.artist();
    const args = await show.creation(artist, 4);
    const planned = await plannedOf(artist, args);
    await studio.forget();
    const paths = args.declaredFiles.map(({ file }) => file);
    for (const file of paths.slice(0, 2)) {
      const bytes = await readFile(file);
      bytes.subarray(-12).fill(0x2a);
      await writeFile(file, bytes);
    }
    const refused = await told(artist.mutations.perform('create_media_set', args, { planned, ...patient }));
    expect(refused).toMatchObject({ category: 'upload_refused', outcome: 'not_sent', next: again });
    const names = planned.files.slice(0, 2).map((file) => file?.name);
    expect(refused.details).toEqual({ files: { source_changed: names } });
    expect(await artist.mutations.isKnown(args.clientMutationId)).toBe(false);
    expect(await studio.posts('/me/set-uploads')).toBe(0);
    // The id is free: with a plan of what is there now the same call is made.
    for (const file of paths.slice(0, 2)) await writeFile(file, await card());
    const anew = await plannedOf(artist, args);
    const sent = await told(
      artist.mutations.perform('create_media_set', args, { planned: anew, ...patient }),
    );
    expect(sent.result).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 4 } });
  });

  it('is bound to what was planned, and to no other file of the call', async () => {
    const artist = await studio.artist();
    const args = await show.creation(artist, 3);
    const whole = await plannedOf(artist, args);
    const [, ...others] = whole.files;
    const planned = { ...whole, files: [null, ...others] };
    await change(args);
    const refused = await told(artist.mutations.perform('create_media_set', args, { planned, ...patient }));
    const [shortened, gone] = others.map((file) => file?.name);
    // What is no picture of the plan may have become another; each is told where the caller knows it.
    expect(refused).toMatchObject({
      category: 'upload_refused',
      details: { files: { damaged: [shortened], missing: [gone] } },
    });
    expect(refused.details).not.toHaveProperty('files.source_changed');
    await rm(args.declaredFiles[0]?.file ?? '');
    const both = await told(artist.mutations.perform('create_media_set', args, { planned, ...patient }));
    expect(both).toMatchObject({
      details: { files: { damaged: [shortened] } },
      issues: [{ code: 'missing', path: ['declaredFiles', '0', 'file'] }],
    });
    const elsewhere = await show.creation(artist, 3);
    const own = { ...elsewhere, clientMutationId: args.clientMutationId };
    const seen = await plannedOf(artist, own);
    const sent = await told(
      artist.mutations.perform('create_media_set', own, {
        planned: { ...seen, files: [null, ...seen.files.slice(1)] },
        ...patient,
      }),
    );
    expect(sent.result).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 3 } });
  });

  it('is answered as it is known, whatever became of its files since', async () => {
    const artist = await studio.artist();
    const args = await show.creation(artist, 3);
    const planned = await plannedOf(artist, args);
    const first = await told(artist.mutations.perform('create_media_set', args, { planned, ...patient }));
    await change(args);
    expect(await told(artist.mutations.perform('create_media_set', args, { planned, ...patient }))).toEqual(
      first,
    );
    const other = { ...args, titleBase: 'Something else' };
    expect(
      await told(artist.mutations.perform('create_media_set', other, { planned, ...patient })),
    ).toMatchObject({
      category: 'mutation_id_reused',
    });
  });
});
