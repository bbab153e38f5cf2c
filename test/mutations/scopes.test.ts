import { expect, it } from 'vitest';
import { everyScope } from './artist.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { guardedOf, wishes } from './wishes.ts';

const { studio, artist, prepare } = await openStudio();

/** What each mutation and the reads of its guard need. */
const needed: readonly (readonly [string, readonly string[]])[] = [
  ['an upload', ['assets:write']],
  ['an upload into a Set', ['assets:write', 'sets:write']],
  ['a group’s poster', ['assets:write', 'groups:write']],
  ['a replacement', ['assets:replace']],
  ['an edit of an Asset', ['assets:write']],
  ['a preview frame', ['assets:replace']],
  ['a new Boxset', ['groups:write']],
  ['an edit of a group', ['groups:write']],
  ['a new Talent Set', ['sets:write']],
  ['an assignment', ['sets:write']],
  ['a new relationship', ['relationships:write']],
];

it('covers every operation', () => {
  expect(needed.map(([name]) => name).toSorted()).toEqual(Object.keys(wishes).toSorted());
});

it.each(needed.flatMap(([name, scopes]) => scopes.map((scope) => [name, scope] as const)))(
  '%s without %s is not sent, and says which scope is missing',
  async (name, scope) => {
    const wish = await prepare(name);
    const granted = everyScope.filter((one) => one !== scope);
    const poorer = await artist.another({ scopes: granted });
    const answer = await told(wish.make(poorer.mutations, guardedOf(wish)));
    expect(answer).toMatchObject({
      outcome: 'not_sent',
      category: 'scope_missing',
      details: { missingScopes: expect.arrayContaining([scope]) },
      next: { tool: 'connect_account' },
    });
    const { scopes: asked } = (answer.next?.arguments ?? {}) as { scopes?: string[] };
    expect(asked?.toSorted()).toEqual([...everyScope].toSorted());
    expect(studio.posts(wish.path)).toBe(0);
    const { clientMutationId } = guardedOf(wish);
    await expect(poorer.mutations.status(clientMutationId)).rejects.toMatchObject({ category: 'not_found' });
    await poorer.leave();
  },
);
