import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../../src/errors.ts';
import { textOf } from '../../sandbox/me-catalogue.ts';
import type { Artist } from '../artist.ts';
import { startStudio, type Studio } from '../studio.ts';
import { told } from '../told.ts';
import { card, plantShowOf } from './show.ts';
import { patient } from './until-settled.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

let studio: Studio;
let artist: Artist;
/** The same account on another machine, whose ledger knows nothing of this one. */
let elsewhere: Artist;
let wire: Wiretap;

beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio.close());
beforeEach(async () => {
  await studio.forget();
  wire = wiretap(undefined, 20);
  artist = await studio.artist({ ports: wire.ports });
  elsewhere = await studio.artist({ ports: wiretap(undefined, 20).ports });
});

const submissionIdIn = (receipt: unknown) =>
  String(receipt instanceof Object ? Reflect.get(receipt, 'submissionId') : null);

/** The same bytes under the same names, where another artist may read them. */
function movedTo<Declared extends { readonly file: string }>(to: Artist, files: readonly Declared[]) {
  return Promise.all(
    files.map(async ({ file, ...rest }) => {
      return { ...rest, file: await to.file(await readFile(file), path.basename(file)) };
    }),
  );
}

describe('a submission that was made elsewhere', () => {
  it('is told by its own id, with its items, and nothing is written down', async () => {
    const args = await plantShowOf(studio, 3).creation(elsewhere, 3);
    const made = await told(elsewhere.mutations.perform('create_media_set', args, patient));
    const submissionId = submissionIdIn(made.result?.receipt);
    const seen = await artist.mutations.submissionStatus({ submissionId, kind: 'creation' });
    expect(seen).toMatchObject({
      outcome: 'succeeded',
      submissionId,
      clientMutationId: args.clientMutationId,
      operation: 'create_media_set',
      target: { kind: 'set' },
      receipt: made.result?.receipt,
      updatedAt: made.result?.updatedAt,
      evidence: { by: 'lookup', certainty: 'certain' },
      counts: { succeeded: 3 },
      nextItems: null,
    });
    expect(seen.items.map(({ itemId, assetId }) => [itemId, assetId])).toEqual(
      made.result?.items?.map(({ itemId, assetId }) => [itemId, assetId]),
    );
    expect((await artist.mutations.list({ limit: 10 })).mutations).toEqual([]);
    const page = { after: null, limit: 2 };
    const first = await artist.mutations.submissionStatus({ submissionId, kind: 'creation' }, {}, page);
    expect(first.items).toHaveLength(2);
    const rest = { after: first.nextItems ?? null, limit: 2 };
    const second = await artist.mutations.submissionStatus({ submissionId, kind: 'creation' }, {}, rest);
    expect([...first.items, ...second.items]).toEqual(seen.items);
    for (const [id, kind] of [
      [submissionId, 'edit'],
      [randomUUID(), 'creation'],
    ] as const) {
      await expect(artist.mutations.submissionStatus({ submissionId: id, kind })).rejects.toMatchObject({
        category: 'not_found',
        next: { why: expect.stringContaining('kind') },
      });
    }
  });

  it('is not taken for the same call made here: its files were never compared', async () => {
    const args = await plantShowOf(studio, 2).creation(elsewhere, 2);
    const made = await told(elsewhere.mutations.perform('create_media_set', args, patient));
    const submissionId = submissionIdIn(made.result?.receipt);
    // An admission has names and lengths, and no digests.
    const declaredFiles = await movedTo(artist, args.declaredFiles);
    const answer = await told(
      artist.mutations.perform('create_media_set', { ...args, declaredFiles }, patient),
    );
    expect(answer).toMatchObject({
      outcome: 'refused',
      category: 'conflict',
      details: { earlierSubmission: { submissionId, kind: 'creation', outcome: 'succeeded' } },
      message: expect.stringContaining(submissionId),
      next: { tool: 'get_mutation_status', arguments: { submissionId, kind: 'creation' } },
    });
    expect(await told(artist.mutations.status(args.clientMutationId))).toMatchObject({
      outcome: 'refused',
      category: 'conflict',
      next: { tool: 'get_mutation_status', arguments: { submissionId, kind: 'creation' } },
    });
    expect(wire.sent.map(({ what }) => what)).toEqual(['admission']);
  });

  it('is gone on with by the same call where it holds no file yet', async () => {
    const args = await plantShowOf(studio, 2).creation(artist, 2);
    const files = await movedTo(elsewhere, args.declaredFiles);
    const where = { method: 'POST', path: '/me/set-uploads/*/assets' };
    const forbidden = { error: { code: 'forbidden', message: 'No.', details: {}, issues: [] } };
    await studio.queue({ ...where, do: 'answer', when: 'before', status: 403, body: forbidden, count: 10 });
    await told(elsewhere.mutations.perform('create_media_set', { ...args, declaredFiles: files }, patient));
    await studio.forget();
    expect(await told(artist.mutations.perform('create_media_set', args, patient))).toMatchObject({
      outcome: 'succeeded',
      result: { counts: { succeeded: 2 } },
    });
  });
});

describe('a submission that was begun elsewhere, and holds one of two files', () => {
  const begin = async () => {
    const args = await plantShowOf(studio, 2).creation(artist, 2);
    let passed = 0;
    const stopping = wiretap(async ({ what }, send) => {
      if (what !== 'admission') passed += 1;
      if (passed < 2) return send();
      return {
        outcome: 'refused',
        status: 403,
        error: new ArtworkError('forbidden', 'No.', { status: 403 }),
      };
    }, 20);
    const other = await studio.artist({ ports: stopping.ports });
    const declaredFiles = await movedTo(other, args.declaredFiles);
    await told(other.mutations.perform('create_media_set', { ...args, declaredFiles }, patient));
    expect(stopping.sent.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'refused']);
    await studio.forget();
    return args;
  };

  it('is not gone on with here: whether that file is the one that is meant is not shown', async () => {
    const args = await begin();
    expect(await told(artist.mutations.perform('create_media_set', args, patient))).toMatchObject({
      outcome: 'refused',
      category: 'conflict',
      details: { earlierSubmission: { kind: 'creation' } },
    });
    expect(wire.sent.map(({ what }) => what)).toEqual(['admission']);
  });

  it('is not gone on with either where the answer to the admission was lost', async () => {
    const args = await begin();
    await studio.queue({ method: 'POST', path: '/me/set-uploads', do: 'cut', when: 'after' });
    const answer = await told(artist.mutations.perform('create_media_set', args, patient));
    expect(answer).toMatchObject({
      outcome: 'unresolved',
      next: { why: expect.stringContaining('person') },
    });
    expect(new Set(wire.sent.map(({ what }) => what))).toEqual(new Set(['admission']));
  });
});

it('a completion that is answered with another submission settles nothing', async () => {
  const args = await plantShowOf(studio, 1).creation(artist, 1);
  let lied = false;
  const lying = wiretap(async ({ what }, send) => {
    if (what !== 'complete' || lied) return send();
    lied = true;
    const submission = { submissionId: randomUUID(), setId: 1, outcome: 'succeeded', items: [] };
    return { outcome: 'applied', status: 200, body: { data: { submission } } };
  }, 20);
  const unlucky = await studio.artist({ ports: lying.ports });
  const declaredFiles = await movedTo(unlucky, args.declaredFiles);
  const answer = await told(
    unlucky.mutations.perform('create_media_set', { ...args, declaredFiles }, patient),
  );
  expect(answer).toMatchObject({ outcome: 'processing', next: { tool: 'resume_mutation' } });
  const { clientMutationId, expectedUpdatedAt } = args;
  expect(
    await told(unlucky.mutations.resume({ clientMutationId, expectedUpdatedAt }, patient)),
  ).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 1 } } });
});

describe('the service’s own word', () => {
  /** From now on the service says this of every submission that it is asked for or that is completed. */
  const says = async (submission: object) => {
    await studio.forget();
    const answer = { do: 'answer', when: 'after', status: 200, count: 10_000, body: { submission } };
    await studio.queue(
      { method: 'POST', path: '/me/set-uploads/*/complete', ...answer },
      { method: 'GET', path: '/me/set-uploads/*', ...answer },
    );
  };

  it('unresolved is told as that, by the call that hears it and by each that asks', async () => {
    const args = await plantShowOf(studio, 1).creation(artist, 1);
    const where = { method: 'POST', path: '/me/set-uploads/*/complete' };
    await studio.queue({ ...where, do: 'process', milliseconds: 600_000, unresolved: true });
    const expected = {
      outcome: 'unresolved',
      next: {
        tool: 'get_mutation_status',
        arguments: { clientMutationId: args.clientMutationId },
        why: expect.stringContaining('could not confirm'),
        doNot: expect.stringContaining('new clientMutationId'),
      },
    };
    // The call's own time runs out while the service works on it.
    expect(
      await told(artist.mutations.perform('create_media_set', args, artist.within(40_000))),
    ).toMatchObject(expected);
    expect(
      await told(artist.mutations.perform('create_media_set', args, artist.within(5_000))),
    ).toMatchObject(expected);
    expect(await told(artist.mutations.status(args.clientMutationId, artist.within(5_000)))).toMatchObject(
      expected,
    );
    studio.catalogue.pass(600_000);
    expect(await told(artist.mutations.status(args.clientMutationId))).toMatchObject({
      outcome: 'succeeded',
    });
  });

  it.each([
    ['succeeded', 'succeeded', 'certain', 'none'],
    ['partial', 'partial', 'certain', 'new_mutation_ids'],
    ['rolled_back', 'rolled_back', 'certain', 'new_mutation_ids'],
    ['failed', 'failed', 'certain', 'new_mutation_ids'],
    ['unresolved', 'unresolved', 'unknown', 'a person'],
    ['processing', 'processing', 'certain', 'a person'],
    ['polishing', 'processing', 'certain', 'a person'],
    [null, 'processing', 'certain', 'a person'],
  ])('%s of a creation elsewhere is told as %s', async (word, outcome, certainty, next) => {
    await says({ outcome: word, items: [{ itemId: randomUUID(), status: 'processing' }] });
    const asked = { submissionId: `submission-${word}`, kind: 'creation' as const };
    const seen = await artist.mutations.submissionStatus(asked, artist.within(5_000));
    expect(seen).toMatchObject({ outcome, evidence: { certainty }, counts: { processing: 1 } });
    expect(seen.next?.tool ?? (seen.next === undefined ? 'none' : 'a person')).toBe(next);
  });
});

it('an edit whose admission was lost is not admitted again once the Set has changed', async () => {
  const { setId, episodes } = plantShowOf(studio, 1);
  const token = await studio.catalogue.token(1);
  const revision = async () => textOf(await studio.catalogue.get(`/me/sets/${setId}`, token), 'updatedAt');
  const expectedUpdatedAt = await revision();
  const place = { targetKind: 'episode', targetId: episodes[0] ?? 0, slot: 'titlecard' };
  const set = { setId, setKind: 'media_set' as const };
  const file = await artist.file(await card());
  const items = [{ operation: 'add' as const, ...place, file }];
  const guarded = { clientMutationId: randomUUID(), expectedUpdatedAt };
  const lost = { method: 'POST', path: `/me/sets/${setId}/updates`, do: 'cut', when: 'before', count: 10 };
  await studio.queue(lost);
  expect(
    (await told(artist.mutations.perform('edit_set', { ...guarded, ...set, items }, patient))).outcome,
  ).toBe('unresolved');
  await studio.forget();
  const metadata = { titleBase: `Changed ${randomUUID()}` };
  const other = { clientMutationId: randomUUID(), expectedUpdatedAt, ...set, metadata };
  expect((await told(elsewhere.mutations.perform('edit_set', other, patient))).outcome).toBe('succeeded');
  await studio.forget();
  const resumed = await told(artist.mutations.resume(guarded, patient));
  expect(resumed).toMatchObject({
    outcome: 'unresolved',
    code: 'stale_revision',
    details: { expectedUpdatedAt, actualUpdatedAt: await revision() },
    next: { why: expect.stringContaining('person') },
  });
  expect(resumed.next?.tool).toBeUndefined();
  expect(await studio.posts(`/me/sets/${setId}/updates`)).toBe(0);
});
