import { describe, expect, it } from 'vitest';
import type { Fault } from './service.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, type Wish, wishes } from './wishes.ts';

const { studio, artist, prepare } = await openStudio();
/** A status call that does not wait. */
const status = (wish: Wish, milliseconds = 2_100) =>
  told(artist.mutations.status(guardedOf(wish).clientMutationId, artist.within(milliseconds)));

const uploads = ['an upload', 'an upload into a Set', 'a group’s poster', 'a replacement'];

/** What is created under no identity, and can be found by its title alone. */
const named = ['a new Boxset', 'a new Talent Set'];

const faults: readonly Omit<Fault, 'method' | 'path'>[] = [
  { do: 'cut', when: 'after' },
  { do: 'truncate' },
  { do: 'answer', when: 'after', status: 502, body: '<h1>Bad gateway</h1>' },
];

describe.each(Object.keys(wishes).map((name, at) => ({ name, fault: faults[at % faults.length] })))(
  '$name whose answer was lost',
  ({ name, fault }) => {
    it('is unresolved, then found, or a hint for a person where only a title tells', async () => {
      const wish = await prepare(name);
      if (fault !== undefined) studio.queue({ method: 'POST', path: wish.path, ...fault });
      const guarded = guardedOf(wish);
      const { clientMutationId } = guarded;
      expect(await told(wish.make(artist.mutations, guarded))).toMatchObject({
        outcome: 'unresolved',
        next: {
          ...{ tool: 'get_mutation_status', arguments: { clientMutationId } },
          doNot: expect.stringContaining('new clientMutationId'),
        },
      });
      const open = await artist.mutations.list({ state: 'open', limit: 200 });
      expect(open.mutations).toContainEqual(
        expect.objectContaining({ clientMutationId, outcome: 'unresolved' }),
      );
      const found = await status(wish);
      const by = uploads.includes(name) ? 'lookup' : 'read_back';
      expect(found).toMatchObject({
        outcome: named.includes(name) ? 'unresolved' : 'succeeded',
        result: { evidence: { by, certainty: by === 'lookup' ? 'certain' : 'likely' } },
      });
      expect(found.next?.tool).toBeUndefined();
      expect(studio.posts(wish.path)).toBe(1);
    });
  },
);

describe.each(Object.keys(wishes))('%s that was lost on its way', (name) => {
  it('stays unresolved, and ends at a person unless it may be repeated', async () => {
    const wish = await prepare(name);
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('unresolved');
    const repeatable = uploads.includes(name);
    for (const looks of [1, 2]) {
      expect(await status(wish), `look ${looks}`).toMatchObject({
        outcome: 'unresolved',
        next: { tool: repeatable ? 'resume_mutation' : 'get_mutation_status' },
        result: { evidence: { by: repeatable ? 'lookup' : 'read_back', certainty: 'unknown' } },
      });
    }
    const last = await status(wish);
    expect(last).toMatchObject({ outcome: 'unresolved', next: { why: expect.any(String) } });
    expect(last.next?.tool).toBeUndefined();
    expect(studio.posts(wish.path)).toBe(1);
  });
});

it('an upload that was lost on its way names the machine where its file lies, and is sent from there', async () => {
  const on = (machine: string) =>
    artist.another({ ports: (ports) => ({ ...ports, files: { ...ports.files, machine } }) });
  const [desk, laptop] = [await on('desk'), await on('laptop')];
  const wish = await prepare('an upload');
  studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
  await told(wish.make(desk.mutations, guardedOf(wish)));
  const elsewhere = await told(laptop.mutations.resume(guardedOf(wish)));
  expect(elsewhere).toMatchObject({ category: 'upload_refused', message: expect.stringContaining('desk') });
  expect(studio.posts(wish.path)).toBe(1);
  expect(await told(desk.mutations.resume(guardedOf(wish)))).toMatchObject({ outcome: 'succeeded' });
  await Promise.all([desk.leave(), laptop.leave()]);
});

describe('a read back', () => {
  it('is warned of where the service says yes and shows no', async () => {
    const wish = await prepare('an edit of a group');
    const { groupId } = wish.arguments;
    const body = { data: { groupId, updatedAt: 'r9' } };
    studio.queue({ method: 'POST', path: wish.path, do: 'answer', when: 'before', status: 200, body });
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({
      outcome: 'succeeded',
      result: { warnings: [{ code: 'read_back_differs' }] },
    });
  });

  it.each([
    ['two groups of one title', 0, 2, undefined],
    ['a group that was there before', 1, 0, 'get_mutation_status'],
  ])('takes none of %s for its own', async (_, before, after, tool) => {
    const wish = await prepare('a new Boxset');
    const plant = (times: number) => {
      for (let one = 0; one < times; one += 1) studio.service.plantGroup(String(wish.arguments.title));
    };
    plant(before);
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    plant(after);
    const answer = await status(wish);
    expect(answer.outcome).toBe('unresolved');
    expect(answer.next?.tool).toBe(tool);
  });
});

describe('the status', () => {
  it('knows uploads that the ledger does not', async () => {
    const elsewhere = await studio.artist();
    const wish = await prepare('an upload');
    await told(wish.make(artist.mutations, guardedOf(wish)));
    const { clientMutationId } = guardedOf(wish);
    expect(await told(elsewhere.mutations.status(clientMutationId))).toMatchObject({
      outcome: 'succeeded',
      result: { operation: 'upload_asset', evidence: { by: 'lookup' } },
    });
    const unknown = crypto.randomUUID();
    await expect(elsewhere.mutations.status(unknown)).rejects.toMatchObject({ category: 'not_found' });
    await expect(artist.mutations.status('not an id')).rejects.toMatchObject({
      category: 'invalid_arguments',
    });
  });
});
