import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
    madeAt: new Date().toISOString(),
    asked: { folder: '/pictures' },
    folder: '/pictures',
    entry: { kind: 'show', id: 1 },
    work: { kind: 'show', id: 1, title: 'Puddles' },
    set: null,
    entries: Array.from({ length: items }, (_, at) => ({
      status: 'matched' as const,
      path: path(at),
      place: {
        target: { kind: 'episode' as const, id: at, title: '', date: null, season: null, episode: at },
        slot: 'titlecard' as const,
        label: `E${at}`,
      },
      picture,
      problem: null,
      warnings: [],
      change: { operation: 'add' as const },
      // The other way round than the entries are shown.
      rank: items - at,
    })),
    moreMissing: 0,
    passed: {},
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
  it('come back as they were, in parts that hold every item once, in order', async () => {
    const store = planner.store();
    const made = planOf(7);
    const { parts } = await store.keep(made, 3);
    expect(parts).toHaveLength(3);
    const found = await Promise.all(parts.map((planId) => store.find(planId)));
    expect(found.map(({ part }) => part)).toEqual([0, 1, 2]);
    expect(found.map(({ items }) => items.length)).toEqual([3, 3, 1]);
    const targets = found.flatMap(({ items }) => items.map(({ place }) => place.target.id));
    expect(targets).toEqual([6, 5, 4, 3, 2, 1, 0]);
    for (const { plan } of found) expect(plan).toMatchObject({ ...made, parts });
    const one = await store.keep(planOf(3), 3);
    expect(one.parts).toHaveLength(1);
    expect((await store.find((one.parts[0] ?? '').toUpperCase())).items).toHaveLength(3);
  });

  it('are found by nobody else: another user, another service, another id', async () => {
    const [planId = ''] = (await planner.store().keep(planOf(1), 3)).parts;
    const others = [
      { ...owner, user: 'somebody' },
      { ...owner, service: `${owner.service}/v2` },
    ];
    for (const other of others) {
      const refused = await refusal(planner.store(other).find(planId));
      expect(refused).toMatchObject({ category: 'not_found', code: 'plan_not_found' });
      expect(refused.message).toContain('plan_set');
    }
    expect(await refusal(planner.store().find(randomUUID()))).toMatchObject({ category: 'not_found' });
  });

  it('are not believed where somebody changed them', async () => {
    const store = planner.store();
    const kept = await store.keep(planOf(1), 3);
    const [planId = ''] = kept.parts;
    const [entry] = kept.entries;
    const forged: Record<string, object> = {
      'a path that leads out': { ...kept, entries: [{ ...entry, path: '../../etc/passwd' }] },
      'an absolute path': { ...kept, entries: [{ ...entry, path: '/etc/passwd' }] },
      'no digest': { ...kept, entries: [{ ...entry, picture: { ...picture, sha256: 'x' } }] },
      'another user’s': { ...kept, user: 'somebody' },
      'something else in it': { ...kept, more: 1 },
      'a part of nothing': { ...owner, of: randomUUID(), part: 0 },
    };
    for (const [what, record] of Object.entries(forged)) {
      await planner.records().set(planId, record, 60_000);
      expect((await refusal(store.find(planId))).code, what).toBe('plan_not_found');
    }
    await planner.records().set(planId, kept, 60_000);
    expect((await store.find(planId)).items).toHaveLength(1);
  });
});
