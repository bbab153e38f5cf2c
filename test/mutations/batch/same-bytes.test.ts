import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { plantShowOf, type Show } from './show.ts';
import { patient } from './until-settled.ts';
import { type Meddle, wiretap } from './wiretap.ts';

let studio: Studio;
let show: Show;
beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 3);
});
afterAll(() => studio.close());
beforeEach(() => studio.forget());

type Creation = Arguments<'create_media_set'>;
const create = (artist: Artist, args: Creation) =>
  told(artist.mutations.perform('create_media_set', args, patient));

/** One file of a Set, by itself. */
function single({ declaredFiles }: Creation) {
  const [, declared] = declaredFiles;
  if (declared === undefined) throw new Error('The Set has one file.');
  return { clientMutationId: randomUUID(), expectedUpdatedAt: null, operation: 'add' as const, ...declared };
}
const upload = (artist: Artist, args: ReturnType<typeof single> & { readonly dryRun?: boolean }) =>
  told(artist.mutations.perform('upload_asset', args, patient));

/** Holds back whatever leaves first, until it is let go. */
function holding(): { readonly meddle: Meddle; readonly held: Promise<void>; letGo(): void } {
  let letGo: () => void = () => {};
  let reached: () => void = () => {};
  const going = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const held = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const meddle: Meddle = async (_, send) => {
    reached();
    await going;
    return send();
  };
  return { meddle, held, letGo: () => letGo() };
}

it.each([
  { first: 'a Set', second: 'a file of it by itself' },
  { first: 'a file by itself', second: 'a Set with it' },
  { first: 'a Set', second: 'another Set with a file of it' },
])(
  'the same bytes are sent once: $second is a conflict while $first is under way',
  async ({ first, second }) => {
    const { meddle, held, letGo } = holding();
    const artist = await studio.artist({ ports: wiretap(meddle).ports });
    const other = await artist.another({ ports: (ports) => ports });
    const args = await show.creation(artist, 3);
    const alone = single(args);
    const anotherSet = {
      ...args,
      clientMutationId: randomUUID(),
      titleBase: 'Another one',
      declaredFiles: args.declaredFiles.slice(0, 2),
    };
    const made = first === 'a Set' ? create(artist, args) : upload(artist, alone);
    await held;
    const heldBy = first === 'a Set' ? args.clientMutationId : alone.clientMutationId;
    const refused =
      first !== 'a Set'
        ? await create(other, args)
        : second === 'a file of it by itself'
          ? await upload(other, alone)
          : await create(other, anotherSet);
    expect(refused).toMatchObject({
      category: 'conflict',
      outcome: 'not_sent',
      details: { heldBy },
      next: { tool: 'get_mutation_status', arguments: { clientMutationId: heldBy } },
    });
    letGo();
    expect(await made).toMatchObject({ outcome: 'succeeded' });
    await other.leave();
  },
);

it('a file of a Set that is done may be sent by itself, and the dry run says so', async () => {
  const artist = await studio.artist();
  const args = await show.creation(artist, 3);
  expect(await create(artist, args)).toMatchObject({ outcome: 'succeeded' });
  const again = { ...single(args), dryRun: true };
  const { outcome, result } = await upload(artist, again);
  expect(outcome).toBe('dry_run');
  expect(result?.warnings?.map(({ code }) => code)).toContain('uploaded_before');
});
