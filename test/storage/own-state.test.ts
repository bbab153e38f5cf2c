import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AtomicStore } from '../../src/storage/atomic-store.ts';
import { ownState } from '../../src/storage/records.ts';
import { memoryStore } from '../support/memory-store.ts';

const owner = { service: 'http://127.0.0.1:1', user: 'default', account: null };
const numbers = z.object({ numbers: z.array(z.int()) });
const add = (number: number) => (now: unknown) => ({
  numbers: [...(now === undefined ? [] : numbers.parse(now).numbers), number],
});

describe('a state of one user and service', () => {
  it('loses no change of several that are made at once', async () => {
    const store: AtomicStore = memoryStore();
    const states = Array.from({ length: 8 }, () => ownState(store, owner, 'watch'));
    await Promise.all(states.map((state, index) => state.update(add(index))));
    const { numbers: found } = numbers.parse(await ownState(store, owner, 'watch').read());
    expect(found.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('is nobody else’s, and of one name', async () => {
    const store: AtomicStore = memoryStore();
    await ownState(store, owner, 'watch').update(add(1));
    for (const [other, name] of [
      [{ ...owner, user: 'other' }, 'watch'],
      [{ ...owner, service: 'http://127.0.0.1:2' }, 'watch'],
      [owner, 'looks'],
    ] as const) {
      expect(await ownState(store, other, name).read()).toBeUndefined();
    }
  });

  it('of an account begins with what its user kept without one, and is that account’s alone from then on', async () => {
    const store: AtomicStore = memoryStore();
    const of = (account: string | null) => ownState(store, { ...owner, account }, 'watch');
    await of(null).update(add(1));
    expect(await of('ada').read()).toEqual({ numbers: [1] });
    await of('ada').update(add(2));
    expect(await of('ada').read()).toEqual({ numbers: [1, 2] });
    expect(await of('ben').read()).toEqual({ numbers: [1] });
    expect(await of(null).read()).toEqual({ numbers: [1] });
  });
});
