import { describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { waitingClock } from './waiting-clock.ts';
import { guardedOf, wishes } from './wishes.ts';

const { studio, artist: slow, prepare } = await openStudio();
const clock = waitingClock(200);
const artist = await slow.another({ ports: (ports) => ({ ...ports, clock }) });

/** One whose token can't be renewed. */
const locked = await artist.another({
  ports: (ports) => ({
    ...ports,
    clock,
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
    clock,
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
    clock,
    owned: { ...ports.owned, findUploadDestinations: () => Promise.resolve([]) },
  }),
});

const ways = [
  [401, 'with another token', artist],
  [429, 'with the same token', artist],
] as const;
const waysOfCreations = [
  [401, 'without another token', locked],
  [401, 'where a list leaves it out', shortListed],
  [401, 'where a list shows it much later', lagging],
] as const;
const creations = ['a new Boxset', 'a new Talent Set'];

describe.each(Object.keys(wishes))('%s that is applied', (name) => {
  const all = creations.includes(name) ? [...ways, ...waysOfCreations] : ways;
  it.each(all)('and answered %i is not sent again, nor denied, %s', async (status, _, by) => {
    const wish = await prepare(name);
    const body = { error: { code: 'turned.away', message: 'Not now.', details: {}, issues: [] } };
    const answer = { do: 'answer', when: 'after', status, body } as const;
    studio.queue({ method: 'POST', path: wish.path, ...answer });
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
    expect(studio.posts(wish.path)).toBe(1);
  });
});

it.each(creations)(
  '%s that was answered 401 is for a person, whatever a list does not show',
  async (name) => {
    const wish = await prepare(name);
    const body = { error: { code: 'turned.away', message: 'Not now.', details: {}, issues: [] } };
    studio.queue({ method: 'POST', path: wish.path, do: 'answer', when: 'before', status: 401, body });
    const guarded = guardedOf(wish);
    expect((await told(wish.make(artist.mutations, guarded))).outcome).toBe('unresolved');
    let answer = await told(artist.mutations.status(guarded.clientMutationId));
    while (answer.next?.tool === 'get_mutation_status')
      answer = await told(artist.mutations.status(guarded.clientMutationId));
    expect(answer.next).not.toHaveProperty('tool');
    expect(studio.posts(wish.path)).toBe(1);
  },
);
