import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Fault } from './service.ts';
import { untilSettled } from './show.ts';
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

describe('an upload that failed, whose answer was lost', () => {
  it('is found to have failed, with the reason, and needs a new id', async () => {
    const wish = await prepare('an upload');
    const failure = { code: 'asset.file.ratio', message: 'It is too wide.' };
    const working = {
      method: 'POST',
      path: wish.path,
      do: 'process',
      milliseconds: 60_000,
      failure,
    } as const;
    studio.queue(working);
    const call = artist.within(800);
    expect((await told(wish.make(artist.mutations, guardedOf(wish), call))).outcome).toBe('processing');
    studio.service.pass(61_000);
    expect(await untilSettled(artist, guardedOf(wish).clientMutationId)).toMatchObject({
      ...{
        outcome: 'failed',
        code: failure.code,
        result: { evidence: { by: 'lookup', certainty: 'certain' } },
      },
    });
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('failed');
    expect(studio.posts(wish.path)).toBe(1);
  });
});

describe('a read back', () => {
  it('that shows somebody else’s change tells nothing, now or later', async () => {
    const wish = await prepare('an edit of an Asset');
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    const asset = studio.service.assets.get(String(wish.arguments.assetId));
    Object.assign(asset ?? {}, { languageCode: 'nl', updatedAt: studio.service.revision() });
    const answer = await status(wish);
    expect(answer.outcome).toBe('unresolved');
    expect(answer.next?.tool).toBeUndefined();
  });

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

  it('can’t find a new Brand Set, which ends at a person at once', async () => {
    const set = { setKind: 'brand_set' as const, titleBase: 'A brand', networkIds: [1] };
    const args = { clientMutationId: randomUUID(), expectedUpdatedAt: null, ...set };
    studio.queue({ method: 'POST', path: '/me/grouping-sets', do: 'cut', when: 'after' });
    expect((await told(artist.mutations.perform('create_grouping_set', args))).outcome).toBe('unresolved');
    const looked = await told(artist.mutations.status(args.clientMutationId));
    expect(looked.outcome).toBe('unresolved');
    expect(looked.next?.tool).toBeUndefined();
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

  it('waits for news, and says that it did not come', async () => {
    const wish = await prepare('an upload');
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    const waiting = status(wish, 20_000);
    // It arrives late, from wherever it was held up.
    await sleep(50);
    const late = await studio.artist();
    const file = await late.file(
      await readFile(String(wish.arguments.file)),
      path.basename(String(wish.arguments.file)),
    );
    await told(wish.make(late.mutations, { ...guardedOf(wish), ...{ file } }));
    expect(await waiting).toMatchObject({ outcome: 'succeeded' });
  });

  it('says that the service could not be asked', async () => {
    const wish = await prepare('an edit of an Asset');
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'after' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    const read = wish.path.replace('/metadata', '');
    const broken = { do: 'answer', when: 'before', status: 500, body: 'broken', count: 10 } as const;
    studio.queue({ method: 'GET', path: read, ...broken });
    expect(await status(wish)).toMatchObject({
      outcome: 'unresolved',
      result: { evidence: { certainty: 'unknown' } },
    });
    studio.forget();
    expect((await status(wish)).outcome).toBe('succeeded');
  });
});
