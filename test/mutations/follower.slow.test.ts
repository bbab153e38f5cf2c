import { describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { followNext } from './follower.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, type Wish, wishes } from './wishes.ts';

/** Calls, the first one included. */
const most = 8;

const { studio, artist, prepare } = await openStudio();

const refusing = (status: number) => ({
  do: 'answer',
  when: 'before',
  status,
  body: { error: { code: `made.up.${status}`, message: 'No.', details: {}, issues: [] } },
});

/** What goes wrong with the posts of a mutation; `count` is how often. */
const mishaps: Readonly<Record<string, object>> = {
  nothing: {},
  'one answer is lost': { do: 'cut', when: 'after' },
  'one request is lost': { do: 'cut', when: 'before' },
  'every request is lost': { do: 'cut', when: 'before', count: 100 },
  'every answer is lost': { do: 'cut', when: 'after', count: 100 },
  'the outcome is unresolved': { do: 'unresolved', when: 'after' },
  'the service is down': { do: 'answer', when: 'before', status: 503, body: 'down', count: 100 },
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 413, 422, 429].flatMap((status) => [
      [`one ${status}`, refusing(status)],
      [`nothing but ${status}`, { ...refusing(status), count: 100 }],
    ]),
  ),
};

const uploads = ['an upload', 'an upload into a Set', 'a group’s poster', 'a replacement'];

/** One of each way in which a fate is found out meets every mishap, the others those that differ by it. */
const thorough = ['an upload', 'an edit of an Asset', 'a new Boxset', 'a new relationship'];
const everywhere = ['nothing', 'one answer is lost', 'every request is lost', 'one 401', 'one 409'];
const cases = Object.keys(wishes).flatMap((name) =>
  Object.keys(mishaps)
    .filter((mishap) => thorough.includes(name) || everywhere.includes(mishap))
    .map((mishap) => [name, mishap] as const),
);

describe('following next', () => {
  it.each(cases)('from %s ends: %s', async (name, mishap) => {
    const fault = mishaps[mishap] ?? {};
    const wish = await prepare(name);
    if ('do' in fault) await studio.queue({ method: 'POST', path: wish.path, ...fault });
    const first = await told(wish.make(artist.mutations, guardedOf(wish)));
    const end = await followNext(artist, first, most);
    expect(end.at, JSON.stringify(end.last)).not.toBe('nowhere');

    const { clientMutationId } = guardedOf(wish);
    const applied = await studio.applied(clientMutationId);
    expect(applied).toBeLessThanOrEqual(1);
    const { outcome } = end.last;
    if (outcome === 'succeeded' && wish.operation !== 'edit_asset_metadata') expect(applied).toBe(1);
    if (outcome === 'refused' || outcome === 'not_sent') expect(applied).toBe(0);
    // What may have been applied is left to a person, unless the document promises that it is applied once.
    if (!uploads.includes(name) && end.at === 'person' && outcome === 'unresolved') {
      expect(await studio.posts(wish.path)).toBe(1);
    }
    await studio.forget();
    await artist.mutations.abandon(clientMutationId).catch((error: unknown) => {
      // What never was claimed can't be abandoned.
      if (!(error instanceof ArtworkError && error.category === 'not_found')) throw error;
    });
  });

  it.each([
    ['a stale revision', async (wish: Wish) => ({ ...guardedOf(wish), expectedUpdatedAt: 'r0' }), 'read'],
    [
      'an id that stands for something else',
      async (wish: Wish) => {
        const other = await prepare('a new Boxset');
        await told(other.make(artist.mutations, guardedOf(other)));
        return { ...guardedOf(wish), clientMutationId: guardedOf(other).clientMutationId };
      },
      'read',
    ],
  ])('from %s ends', async (_what, change, at) => {
    const wish = await prepare('an edit of an Asset');
    const first = await told(wish.make(artist.mutations, await change(wish)));
    expect(first.category).toBeDefined();
    expect(await followNext(artist, first, most)).toMatchObject({ at });
  });

  it('from a missing scope ends at a sign-in', async () => {
    const wish = await prepare('an edit of an Asset');
    const poor = await artist.another({ scopes: ['assets:replace'] });
    const first = await told(wish.make(poor.mutations, guardedOf(wish)));
    expect(await followNext(poor, first, most)).toMatchObject({
      at: 'read',
      tool: 'connect_account',
    });
    await poor.leave();
  });

  it('from a held place brings the first mutation to its end', async () => {
    const wish = await prepare('an upload into a Set');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    const second = { ...guardedOf(wish), clientMutationId: crypto.randomUUID() };
    const first = await told(wish.make(artist.mutations, second));
    expect(first.category).toBe('conflict');
    const end = await followNext(artist, first, most);
    expect(end).toMatchObject({ at: 'end', last: { outcome: 'succeeded' } });
    expect(await studio.applied(guardedOf(wish).clientMutationId)).toBe(1);
    expect(await studio.applied(second.clientMutationId)).toBe(0);
  });

  it('from an id that nobody knows ends', async () => {
    const guarded = { clientMutationId: crypto.randomUUID(), expectedUpdatedAt: null };
    for (const first of [
      await told(artist.mutations.resume(guarded)),
      await told(artist.mutations.status(guarded.clientMutationId)),
    ]) {
      expect(first.category).toBe('not_found');
      expect(await followNext(artist, first, most)).toMatchObject({ at: 'person' });
    }
  });

  it('while the network is down ends at a person', async () => {
    const wish = await prepare('a new Boxset');
    const cutOff = await artist.another({
      ports: (ports) => ({
        ...ports,
        send: async () => ({ outcome: 'not_sent', error: new ArtworkError('network', 'No route.') }),
      }),
    });
    const first = await told(wish.make(cutOff.mutations, guardedOf(wish)));
    const end = await followNext(cutOff, first, most);
    expect(end).toMatchObject({ at: 'person', last: { outcome: 'not_sent' } });
    await cutOff.leave();
  });
});
