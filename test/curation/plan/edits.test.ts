import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Owned } from '../../../src/catalogue/owned.ts';
import { countsOf } from '../../../src/curation/plan/after-plan.ts';
import { itemsOf } from '../../../src/curation/plan/plan.ts';
import { fillFolder } from '../folders.ts';
import { episodeId, type Planner, planIn, showOf, startPlanner } from './planner.ts';

let planner: Planner;
beforeEach(async () => {
  planner = await startPlanner();
});
afterEach(() => planner.leave());

const show = { kind: 'show', id: 7 } as const;
const catalogue = showOf(7, 'Puddles', { 1: 400 });
const asset = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

/** An Asset as a Set of one's own lists it. */
const held = (at: number, number: number, changes: object = {}) => ({
  id: asset(at),
  slot: 'titlecard',
  target: { kind: 'episode', id: episodeId(7, 1, number) },
  updatedAt: `revision ${at}`,
  ...changes,
});

const setOf = (assets: unknown, changes: object = {}): Pick<Owned, 'readSet' | 'readAsset'> => ({
  readSet: async () => ({ id: 3, updatedAt: 'set revision', setKind: 'media_set', assets, ...changes }),
  readAsset: async (id) => ({ id: String(id), updatedAt: `read of ${id}` }),
});

const cards = (numbers: readonly number[]) =>
  Object.fromEntries(
    numbers.map((number) => [`S01E${String(number).padStart(2, '0')}.png`, { colour: number }]),
  );

const edit = (owned: Pick<Owned, 'readSet' | 'readAsset'>, changes: object = {}) =>
  planner.make(catalogue, show, { setId: 3, owned, ...changes });

describe('the plan of an edit', () => {
  it('adds, replaces with what was read, and leaves out what is surely the same', async () => {
    await fillFolder(planner.folder, cards([1, 2, 3, 4]));
    const plain = planIn(await planner.make(catalogue, show));
    const known = itemsOf(plain).find(({ place }) => place.target.id === episodeId(7, 1, 3))?.picture.sha256;
    const owned = setOf([
      held(1, 2),
      held(2, 3, { id: asset(2).toUpperCase() }),
      held(3, 4, { updatedAt: null }),
      held(4, 9),
      held(5, 1, { slot: 'poster' }),
    ]);
    const bytes = new Map([
      [asset(2), known ?? ''],
      [asset(3), 'f'.repeat(64)],
    ]);
    const plan = planIn(await edit(owned, { knownBytes: async () => bytes }));
    expect(plan.set).toEqual({ id: 3, setKind: 'media_set', updatedAt: 'set revision' });
    expect(itemsOf(plan).map(({ path, change }) => [path, change])).toEqual([
      ['S01E01.png', { operation: 'add' }],
      [
        'S01E02.png',
        {
          operation: 'replace',
          expectedPreviousAssetId: asset(1),
          expectedAssetUpdatedAt: 'revision 1',
        },
      ],
      [
        'S01E04.png',
        {
          operation: 'replace',
          expectedPreviousAssetId: asset(3),
          expectedAssetUpdatedAt: `read of ${asset(3)}`,
        },
      ],
    ]);
    expect(countsOf(plan)).toMatchObject({ add: 1, replace: 2, unchanged: 1, toSend: 3, missing: 395 });
  });

  it('compares nothing with a Set that does not show all it holds, or is for something else', async () => {
    await fillFolder(planner.folder, cards([1]));
    const opaque = [
      undefined,
      { 1: 'x' },
      [held(1, 1), 'x'],
      [held(1, 1, { slot: undefined })],
      [held(1, 1, { target: undefined })],
    ];
    for (const assets of opaque) {
      await expect(edit(setOf(assets))).rejects.toMatchObject({ failure: 'bad_response' });
    }
    const foreign = setOf([], { target: { kind: 'show', id: 8 } });
    await expect(edit(foreign)).rejects.toMatchObject({ failure: 'invalid_arguments' });
    const own = setOf([], { target: { kind: 'show', id: 7, title: 'Puddles' } });
    expect(itemsOf(planIn(await edit(own)))).toHaveLength(1);
  });
});
