import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { picture } from '../sandbox/me-pictures.ts';
import { works } from '../sandbox/me-works.ts';
import { share } from '../support/share.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, type Wish, wishes } from './wishes.ts';

const { studio, artist, token, prepare } = await openStudio();
/** A status call that does not wait. */
const status = (wish: Wish, milliseconds = 2_100) =>
  told(artist.mutations.status(guardedOf(wish).clientMutationId, artist.within(milliseconds)));

const uploads = ['an upload', 'an upload into a Set', 'a group’s poster', 'a replacement'];

/** What is created under no identity, and can be found by its title alone. */
const named = ['a new Boxset', 'a new Talent Set'];

const faults: readonly (readonly [string, object])[] = [
  ['the connection was cut', { do: 'cut', when: 'after' }],
  ['the service said 503', { do: 'unresolved', when: 'after' }],
  ['the answer broke off', { do: 'truncate' }],
  ['a gateway answered', { do: 'answer', when: 'after', status: 502, body: '<h1>Bad gateway</h1>' }],
];

describe.each(Object.keys(wishes))('%s whose answer was lost', (name) => {
  it.each(share(faults.slice(0, 1), faults))(
    'is unresolved, then found or a hint: %s',
    async (_how, fault) => {
      const wish = await prepare(name);
      await studio.queue({ method: 'POST', path: wish.path, ...fault });
      const guarded = guardedOf(wish);
      expect(await told(wish.make(artist.mutations, guarded))).toMatchObject({
        outcome: 'unresolved',
        next: {
          tool: 'get_mutation_status',
          arguments: { clientMutationId: guarded.clientMutationId },
          doNot: expect.stringContaining('new clientMutationId'),
        },
      });
      const open = await artist.mutations.list({ state: 'open', limit: 200 });
      expect(open.mutations).toContainEqual(
        expect.objectContaining({ clientMutationId: guarded.clientMutationId, outcome: 'unresolved' }),
      );

      const found = await status(wish);
      if (named.includes(name)) {
        // A title shows no identity: what has appeared is a hint, for a person.
        expect(found).toMatchObject({
          outcome: 'unresolved',
          result: { evidence: { by: 'read_back', certainty: 'likely' } },
          next: { why: expect.stringContaining('person') },
        });
        expect(found.next?.tool).toBeUndefined();
        expect(await studio.posts(wish.path)).toBe(1);
        return;
      }
      expect(found).toMatchObject({
        outcome: 'succeeded',
        result: uploads.includes(name)
          ? { evidence: { by: 'lookup', certainty: 'certain' } }
          : { evidence: { by: 'read_back', certainty: 'likely' } },
      });
      expect(found.next).toBeUndefined();
      expect(await studio.posts(wish.path)).toBe(1);
    },
  );
});

describe.each(Object.keys(wishes))('%s that was lost on its way', (name) => {
  it('stays unresolved, and ends at a person unless it may be repeated', async () => {
    const wish = await prepare(name);
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
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
    expect(last).toMatchObject({ outcome: 'unresolved', next: { why: expect.stringContaining('person') } });
    expect(last.next?.tool).toBeUndefined();
    expect(await studio.posts(wish.path)).toBe(1);
  });
});

describe('an upload that the service refused, whose answer was lost', () => {
  it('is found to have failed, with the reason, and needs a new id', async () => {
    await studio.forget();
    await studio.queue({ method: 'POST', path: '/me/assets', do: 'cut', when: 'after' });
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: null,
      file: await artist.file(await picture(600, 600)),
      operation: 'add' as const,
      slot: 'poster',
      targetKind: 'movie',
      targetId: works.movie.id,
    };
    expect((await told(artist.mutations.perform('upload_asset', args))).outcome).toBe('unresolved');
    const found = await told(artist.mutations.status(args.clientMutationId, artist.within(2_100)));
    expect(found).toMatchObject({
      outcome: 'failed',
      result: { evidence: { by: 'lookup', certainty: 'certain' } },
    });
    expect(JSON.stringify(found)).toContain('asset.file.ratio');
    expect(await told(artist.mutations.perform('upload_asset', args))).toMatchObject({ outcome: 'failed' });
    expect(await studio.posts('/me/assets')).toBe(1);
  });
});

describe('a read back', () => {
  it('that shows somebody else’s change tells nothing, now or later', async () => {
    const wish = await prepare('an edit of an Asset');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    const guarded = guardedOf(wish);
    await told(wish.make(artist.mutations, guarded));
    const other = { expectedUpdatedAt: guarded.expectedUpdatedAt, languageCode: 'nl' };
    await studio.catalogue.post(wish.path, token, other);
    const answer = await status(wish);
    expect(answer).toMatchObject({
      outcome: 'unresolved',
      result: { evidence: { says: expect.stringContaining('languageCode') } },
    });
    expect(answer.next?.tool).toBeUndefined();
  });

  it('is warned of where the service says yes and shows no', async () => {
    const wish = await prepare('an edit of a group');
    const { groupId } = wish.arguments;
    const body = { data: { groupId, updatedAt: 'r9' } };
    await studio.queue({ method: 'POST', path: wish.path, do: 'answer', when: 'before', status: 200, body });
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({
      outcome: 'succeeded',
      result: { warnings: [{ code: 'read_back_differs' }] },
    });
  });

  it('can’t find a new Brand Set, which ends at a person at once', async () => {
    const clientMutationId = crypto.randomUUID();
    const network = studio.catalogue.database
      .only("SELECT min(id) AS id FROM entities WHERE kind = 'network'")
      .integer('id');
    const set = { setKind: 'brand_set' as const, titleBase: 'A brand', networkIds: [network] };
    await studio.queue({ method: 'POST', path: '/me/grouping-sets', do: 'cut', when: 'after' });
    const first = await told(
      artist.mutations.perform('create_grouping_set', { clientMutationId, expectedUpdatedAt: null, ...set }),
    );
    expect(first.outcome).toBe('unresolved');
    const looked = await told(artist.mutations.status(clientMutationId));
    expect(looked.outcome).toBe('unresolved');
    expect(looked.next?.tool).toBeUndefined();
  });

  it('takes none of two groups of one title for its own', async () => {
    const wish = await prepare('a new Boxset');
    const { title } = wish.arguments;
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    for (const _ of [1, 2]) await studio.catalogue.post('/me/groups', token, { kind: 'boxset', title });
    const answer = await status(wish);
    expect(answer).toMatchObject({ outcome: 'unresolved' });
    expect(answer.next?.tool).toBeUndefined();
  });

  it('takes no group that was there before for its own', async () => {
    const wish = await prepare('a new Boxset');
    const { title } = wish.arguments;
    await studio.catalogue.post('/me/groups', token, { kind: 'boxset', title });
    await studio.forget();
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(await status(wish)).toMatchObject({
      outcome: 'unresolved',
      next: { tool: 'get_mutation_status' },
    });
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
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    const { clientMutationId } = guardedOf(wish);
    const waiting = status(wish, 20_000);
    // It arrives late, from wherever it was held up.
    await sleep(50);
    const bytes = await readFile(String(wish.arguments.file));
    await studio.catalogue.upload('/me/assets', token, {
      bytes,
      query: { operation: 'add', clientMutationId, slot: 'poster', targetKind: 'movie', targetId: 900_001 },
    });
    expect(await waiting).toMatchObject({ outcome: 'succeeded' });
  });

  it('says that the service could not be asked', async () => {
    const wish = await prepare('an edit of an Asset');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'after' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    const path = wish.path.replace('/metadata', '');
    await studio.queue({
      method: 'GET',
      path,
      do: 'answer',
      when: 'before',
      status: 500,
      count: 10,
      body: 'broken',
    });
    expect(await status(wish)).toMatchObject({
      outcome: 'unresolved',
      result: { evidence: { certainty: 'unknown', says: expect.stringContaining('could not be asked') } },
    });
    await studio.forget();
    expect((await status(wish)).outcome).toBe('succeeded');
  });

  it('is told anew as far as publication goes', async () => {
    const wish = await prepare('an upload');
    const body = { data: { assetId: crypto.randomUUID(), publicationStatus: 'pending' } };
    await studio.queue({ method: 'POST', path: wish.path, do: 'answer', when: 'after', status: 201, body });
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({
      outcome: 'succeeded',
      result: { publicationStatus: 'pending' },
    });
    expect(await status(wish)).toMatchObject({
      outcome: 'succeeded',
      result: { publicationStatus: 'succeeded' },
    });
  });
});
