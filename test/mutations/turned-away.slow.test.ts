import { describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, wishes } from './wishes.ts';

const { studio, artist, prepare } = await openStudio();

/** One whose token can't be renewed. */
const locked = await artist.another({
  ports: (ports) => ({
    ...ports,
    connections: {
      ...ports.connections,
      onUnauthorized: () => Promise.reject(new ArtworkError('reconnect_required', 'Sign in again.')),
    },
  }),
});

/** One to whom the service lists only the destination that was changed first. */
const shortListed = await artist.another({
  ports: (ports) => ({
    ...ports,
    owned: {
      ...ports.owned,
      async findUploadDestinations(query, deadline) {
        const all = await ports.owned.findUploadDestinations({ ...query, q: undefined }, deadline);
        return all.slice(-1);
      },
    },
  }),
});

/** One to whom the list of destinations shows nothing new. */
const lagging = await artist.another({
  ports: (ports) => ({
    ...ports,
    owned: { ...ports.owned, findUploadDestinations: () => Promise.resolve([]) },
  }),
});

const turnedAway = [
  [401, 'with another token', artist],
  [401, 'without another token', locked],
  [429, 'with the same token', artist],
  [401, 'where a list leaves it out', shortListed],
  [401, 'where a list shows it much later', lagging],
] as const;

describe.each(Object.keys(wishes))('%s that is applied', (name) => {
  it.each(turnedAway)('and answered %i is not sent again, nor denied, %s', async (status, _, by) => {
    const wish = await prepare(name);
    const body = { error: { code: 'turned.away', message: 'Not now.', details: {}, issues: [] } };
    const answer = { do: 'answer', when: 'after', status, body } as const;
    await studio.queue({ method: 'POST', path: wish.path, ...answer });
    const guarded = guardedOf(wish);
    const made = await told(wish.make(by.mutations, guarded));
    expect(['succeeded', 'unresolved']).toContain(made.outcome);
    for (const again of [
      await told(wish.make(by.mutations, guarded)),
      await told(by.mutations.resume(guarded)),
      await told(wish.make(artist.mutations, guarded)),
      await told(artist.mutations.resume(guarded)),
      await told(artist.mutations.status(guarded.clientMutationId, artist.within(2_100))),
    ]) {
      expect(['succeeded', 'unresolved']).toContain(again.outcome);
      expect(JSON.stringify(again)).not.toMatch(/nothing was (changed|sent)/i);
    }
    expect(await studio.posts(wish.path)).toBe(1);
  });
});

it.each(['a new Boxset', 'a new Talent Set'])(
  '%s that was answered 401 is for a person, whatever a list does not show',
  async (name) => {
    const wish = await prepare(name);
    const body = { error: { code: 'turned.away', message: 'Not now.', details: {}, issues: [] } };
    await studio.queue({ method: 'POST', path: wish.path, do: 'answer', when: 'before', status: 401, body });
    const guarded = guardedOf(wish);
    expect((await told(wish.make(artist.mutations, guarded))).outcome).toBe('unresolved');
    let answer = await told(artist.mutations.status(guarded.clientMutationId));
    while (answer.next?.tool === 'get_mutation_status')
      answer = await told(artist.mutations.status(guarded.clientMutationId));
    expect(answer.next).toMatchObject({ why: expect.stringContaining('A person') });
    expect(answer.next).not.toHaveProperty('tool');
    expect(await studio.posts(wish.path)).toBe(1);
  },
);
