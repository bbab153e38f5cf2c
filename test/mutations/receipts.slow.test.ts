import { describe, expect, it } from 'vitest';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, type Wish } from './wishes.ts';

const { studio, artist, prepare } = await openStudio();
const answer = (wish: Wish, when: 'before' | 'after', status: number, body?: unknown) =>
  studio.queue({
    method: 'POST',
    path: wish.path,
    do: 'answer',
    when,
    status,
    ...(body === undefined ? {} : { body }),
  });

const assetId = crypto.randomUUID();
const failed = { code: 'asset.broken', message: 'Broken' };

describe('an upload whose receipt', () => {
  it.each<[string, number, unknown]>([
    ['is bare', 200, { assetId, publicationStatus: 'pending' }],
    [
      'names the Asset as a member',
      201,
      { data: { asset: { id: assetId }, publicationStatus: 'not_required' } },
    ],
    [
      'has more than it should',
      202,
      { data: { assetId, processingStatus: 'succeeded', mood: 'fine' }, meta: {} },
    ],
  ])('%s is the answer', async (_what, status, body) => {
    const wish = await prepare('an upload');
    await answer(wish, 'after', status, body);
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'receipt', certainty: 'certain' } },
    });
  });

  it.each<[string, number, unknown]>([
    ['names no Asset', 200, { data: { publicationStatus: 'pending' } }],
    ['is that of another mutation', 200, { data: { assetId, clientMutationId: crypto.randomUUID() } }],
    ['has a status that nobody knows', 200, { data: { assetId, processingStatus: 'polishing' } }],
    ['is empty', 204, undefined],
    ['succeeds with an error', 200, { data: { assetId, processingStatus: 'succeeded', error: failed } }],
    ['succeeds with an error beside it', 200, { data: { assetId }, error: failed }],
  ])('%s is looked up', async (_what, status, body) => {
    const applied = await prepare('an upload');
    await answer(applied, 'after', status, body);
    expect(await told(applied.make(artist.mutations, guardedOf(applied)))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'lookup' } },
    });
    const lost = await prepare('an upload');
    await answer(lost, 'before', status, body);
    expect((await told(lost.make(artist.mutations, guardedOf(lost)))).outcome).toBe('unresolved');
  });

  it.each<[string, number, unknown]>([
    ['is a page', 200, '<h1>Welcome</h1>'],
    ['is an error', 200, { data: null, error: failed }],
    ['is a list', 200, []],
    ['is an error of a gateway', 404, '<h1>Not here</h1>'],
    ['says that somebody gave up waiting', 408, { error: failed }],
  ])('%s proves nothing', async (_what, status, body) => {
    const wish = await prepare('an upload');
    await answer(wish, 'before', status, body);
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('unresolved');
    expect(await told(artist.mutations.resume(guardedOf(wish)))).toMatchObject({ outcome: 'succeeded' });
  });

  it('is a failure ends there', async () => {
    const wish = await prepare('an upload');
    await answer(wish, 'before', 200, { data: { assetId: null, processingStatus: 'failed', error: failed } });
    const heard = await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(heard).toMatchObject({
      outcome: 'failed',
      ...failed,
      message: expect.stringContaining('“Broken”'),
    });
    expect(heard.next).toBeUndefined();
  });

  it('is a redirect is refused, and followed nowhere', async () => {
    const wish = await prepare('an upload');
    const elsewhere = { location: `${studio.catalogue.baseUrl}/me/groups` };
    const fault = { method: 'POST', path: wish.path, do: 'answer', when: 'before', status: 307 };
    await studio.queue({ ...fault, headers: elsewhere, body: '' });
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({
      outcome: 'refused',
      status: 307,
    });
    expect(await studio.posts('/me/groups')).toBe(0);
  });

  it('is endless is shortened', async () => {
    const wish = await prepare('an upload');
    const many = Array.from({ length: 3_000 }, (_, index) => `tag ${index}`);
    await answer(wish, 'after', 200, { data: { assetId, tags: many, note: 'n'.repeat(20_000) } });
    const { result } = await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(result).toMatchObject({ outcome: 'succeeded', receipt: { assetId } });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
  });
});

describe('an edit whose receipt', () => {
  it.each<[string, number, unknown]>([
    ['names nothing', 200, { data: {} }],
    ['is empty', 204, undefined],
  ])('%s is read back', async (_what, status, body) => {
    const wish = await prepare('an edit of an Asset');
    await answer(wish, 'after', status, body);
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'read_back', certainty: 'likely' } },
    });
  });
});

describe('the receipt of a change of something else', () => {
  const other = crypto.randomUUID();
  it.each<[string, object]>([
    ['an edit of an Asset', { data: { assetId: other } }],
    ['an edit of an Asset', { data: { asset: { id: other, updatedAt: '2026-01-01T00:00:00Z' } } }],
    ['a preview frame', { data: { assetId: other } }],
    ['an edit of a group', { data: { id: 999_999, kind: 'boxset' } }],
    ['an assignment', { data: { setId: 999_999 } }],
    ['a new relationship', { data: { targetKind: 'user', targetId: 4, relationship: 'follow' } }],
    ['a new relationship', { data: { target: { kind: 'movie', id: 3 }, relationship: { id: 7 } } }],
  ])('is no proof of %s: %j', async (name, body) => {
    const applied = await prepare(name);
    await answer(applied, 'after', 200, body);
    expect(await told(applied.make(artist.mutations, guardedOf(applied)))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'read_back' } },
    });
    const lost = await prepare(name);
    await answer(lost, 'before', 200, body);
    expect((await told(lost.make(artist.mutations, guardedOf(lost)))).outcome).toBe('unresolved');
  });
});

describe('a guard that can’t be read', () => {
  it.each<[number, string]>([
    [500, 'service_unavailable'],
    [429, 'rate_limited'],
    [403, 'forbidden'],
    [404, 'not_found'],
  ])('because of %i claims nothing', async (status, category) => {
    const wish = await prepare('an edit of an Asset');
    const path = wish.path.replace('/metadata', '');
    const body = { error: { code: `made.up.${status}`, message: 'No.', details: {}, issues: [] } };
    await studio.queue({ method: 'GET', path, do: 'answer', when: 'before', status, body, count: 20 });
    const heard = await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(heard).toMatchObject({ outcome: 'not_sent', category });
    expect(heard.next?.tool).toBeUndefined();
    expect(await studio.posts(wish.path)).toBe(0);
    await studio.forget();
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('succeeded');
  });
});
