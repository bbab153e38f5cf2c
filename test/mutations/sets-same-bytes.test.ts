import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Artist } from './artist.ts';
import { gate } from './gate.ts';
import { type Creation, create, creationOf, patient } from './show.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { wiretap } from './wiretap.ts';

const { studio } = await openStudio();
beforeEach(() => studio.forget());

/** One file of a Set, by itself. */
function single({ declaredFiles: [, declared] }: Creation) {
  if (declared === undefined) throw new Error('The Set has one file.');
  const { file, targetKind, targetId, slot } = declared;
  const common = { clientMutationId: randomUUID(), expectedUpdatedAt: null, operation: 'add' as const };
  return { ...common, file, targetKind, targetId, slot };
}
const upload = (artist: Artist, args: ReturnType<typeof single> & { readonly dryRun?: boolean }) =>
  told(artist.mutations.perform('upload_asset', args, patient));

it.each([
  { first: 'a Set', second: 'a file of it by itself' },
  { first: 'a file by itself', second: 'a Set with it' },
  { first: 'a Set', second: 'another Set with a file of it' },
])(
  'the same bytes are sent once: $second is a conflict while $first is under way',
  async ({ first, second }) => {
    // Whatever leaves first is held back.
    const [held, going] = [gate(), gate()];
    const wire = wiretap(async (_, send) => {
      held.open();
      await going.passed;
      return send();
    });
    const artist = await studio.artist({ ports: wire.ports });
    const other = await artist.another();
    const args = await creationOf(artist, 3);
    const alone = single(args);
    const titleBase = 'Another one';
    const declaredFiles = args.declaredFiles.slice(0, 2);
    const anotherSet = { ...args, clientMutationId: randomUUID(), titleBase, declaredFiles };
    const made = first === 'a Set' ? create(artist, args) : upload(artist, alone);
    await held.passed;
    const heldBy = first === 'a Set' ? args.clientMutationId : alone.clientMutationId;
    const refusing = {
      'a file of it by itself': () => upload(other, alone),
      'a Set with it': () => create(other, args),
      'another Set with a file of it': () => create(other, anotherSet),
    }[second];
    expect(await refusing?.()).toMatchObject({
      category: 'conflict',
      outcome: 'not_sent',
      details: { heldBy },
      next: { tool: 'get_mutation_status', arguments: { clientMutationId: heldBy } },
    });
    going.open();
    expect(await made).toMatchObject({ outcome: 'succeeded' });
    await other.leave();
  },
);

it('a file of a Set that is done may be sent by itself, and the dry run says so', async () => {
  const artist = await studio.artist();
  const args = await creationOf(artist, 3);
  expect(await create(artist, args)).toMatchObject({ outcome: 'succeeded' });
  const { outcome, result } = await upload(artist, { ...single(args), dryRun: true });
  expect(outcome).toBe('dry_run');
  expect(result?.warnings?.map(({ code }) => code)).toContain('uploaded_before');
});

it('a Set of the same files with the same title is not made a second time', async () => {
  const artist = await studio.artist();
  const args = await creationOf(artist, 2);
  expect(await create(artist, args)).toMatchObject({ outcome: 'succeeded' });
  const again = { ...args, clientMutationId: randomUUID() };
  expect(await create(artist, again)).toMatchObject({ outcome: 'not_sent', category: 'conflict' });
});
