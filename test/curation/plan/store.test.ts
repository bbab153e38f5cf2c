import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countsOf } from '../../../src/curation/plan/after-plan.ts';
import { itemsOf } from '../../../src/curation/plan/plan.ts';
import type { Unkept } from '../../../src/curation/plan/store.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { owner, type Planner, startPlanner } from './planner.ts';

let planner: Planner;
beforeEach(async () => {
  planner = await startPlanner();
});
afterEach(async () => {
  vi.useRealTimers();
  await planner.leave();
});

const picture = {
  filename: 'a.png',
  contentType: 'image/png',
  contentLength: 5,
  sha256: '0'.repeat(64),
  width: 16,
  height: 9,
};

function planOf(items: number, path = (at: number) => `card ${at}.png`): Unkept {
  return {
    asked: { folder: '/pictures' },
    folder: '/pictures',
    entry: { kind: 'show', id: 1 },
    work: { kind: 'show', id: 1, title: 'Puddles' },
    set: null,
    entries: Array.from({ length: items }, (_, at) => ({
      status: 'matched' as const,
      path: path(at),
      place: {
        target: { kind: 'episode' as const, id: at },
        slot: 'titlecard' as const,
        season: null,
        code: `E${at}`,
        label: `E${at}`,
      },
      picture,
      problem: null,
      warnings: [],
      change: { operation: 'add' as const },
    })),
    passed: {},
    most: 3,
  };
}

async function refusal(work: Promise<unknown>): Promise<ArtworkError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ArtworkError) return error;
  throw new Error(`No refusal, but ${String(error)}.`);
}

describe('stored plans', () => {
  it('come back as they were, by their id in any case, and send as many as one change takes', async () => {
    const store = planner.store();
    const made = planOf(7);
    const { id } = await store.keep(made);
    const found = await store.find(id.toUpperCase());
    expect(found).toMatchObject({ ...made, id });
    expect(itemsOf(found).map(({ place }) => place.target.id)).toEqual([0, 1, 2]);
    expect(countsOf(found)).toMatchObject({ toSend: 3, later: 4 });
  });

  it('are refused where they are larger than the store takes', async () => {
    const large = planOf(9, (at) => `${at}${'x'.repeat(1_000_000)}.png`);
    expect(await refusal(planner.store().keep(large))).toMatchObject({ issues: [{ path: ['folder'] }] });
  });

  it('are not believed where somebody changed them', async () => {
    const store = planner.store();
    const kept = await store.keep(planOf(1));
    const { id: planId } = kept;
    const [entry] = kept.entries;
    const forged: Record<string, object> = {
      'a path that leads out': { ...kept, entries: [{ ...entry, path: '../../etc/passwd' }] },
      'an absolute path': { ...kept, entries: [{ ...entry, path: '/etc/passwd' }] },
      'no digest': { ...kept, entries: [{ ...entry, picture: { ...picture, sha256: 'x' } }] },
      'another user’s': { ...kept, user: 'somebody' },
      'something else in it': { ...kept, more: 1 },
      'nothing of a plan': { ...owner },
    };
    for (const [what, record] of Object.entries(forged)) {
      await planner.records().set(planId, record, 60_000);
      expect((await refusal(store.find(planId))).code, what).toBe('plan_not_found');
    }
    await planner.records().set(planId, kept, 60_000);
    expect((await store.find(planId)).entries).toHaveLength(1);
  });
});
