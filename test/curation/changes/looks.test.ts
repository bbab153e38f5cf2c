import { expect, it } from 'vitest';
import type { ChangesQuestion } from '../../../src/curation/changes/change.ts';
import { keepLastLooks } from '../../../src/curation/changes/readings.ts';
import { ownState } from '../../../src/storage/records.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { now } from './scripted-pages.ts';

const all: ChangesQuestion = { scope: 'all', changeType: null, slot: null, createdBy: null };
const looks = () =>
  keepLastLooks(ownState(memoryStore(), { service: 's', user: 'u', account: null }, 'looks'));
const times = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'] as const;
const markOf = (asked: ChangesQuestion, until: string) => ({
  ...asked,
  until,
  from: { assets: 1, sets: 2 },
  told: ['key'],
});

it('is what was acknowledged, of this question or of one that holds it', async () => {
  const own = looks();
  const mine: ChangesQuestion = { ...all, scope: 'mine' };
  await own.offer(markOf(all, times[0]));
  expect(await own.last(all)).toBeNull();
  await own.acknowledge(times[0], all, now);
  expect(await own.last(all)).toMatchObject({ until: times[0], told: ['key'] });
  for (const narrower of [mine, { ...all, slot: 'poster' }, { ...mine, createdBy: 'ann' }]) {
    expect(await own.last(narrower)).toMatchObject({ until: times[0] });
  }
  // A narrower look says nothing of the rest.
  await own.offer(markOf(mine, times[1]));
  await own.acknowledge(times[1], mine, now);
  expect(await own.last(mine)).toMatchObject({ until: times[1] });
  expect(await own.last(all)).toMatchObject({ until: times[0] });
});

it('is of the question that was answered, whichever call hands it back', async () => {
  const own = looks();
  const replaced: ChangesQuestion = { ...all, scope: 'mine', changeType: 'replaced' };
  await own.offer(markOf(replaced, times[0]));
  await own.acknowledge(times[0], all, now);
  expect(await own.last(all)).toBeNull();
  expect(await own.last(replaced)).toMatchObject({ until: times[0] });
});

it('is also a time that a person names, and none that is still to come', async () => {
  const own = looks();
  await own.acknowledge(times[1], all, now);
  expect(await own.last(all)).toMatchObject({
    until: times[1],
    from: { assets: Date.parse(times[1]) },
    told: [],
  });
  const nextHour = new Date(now + 3_600_000).toISOString();
  for (const toCome of ['2999-01-01T00:00:00.000Z', nextHour]) {
    await expect(own.acknowledge(toCome, all, now)).rejects.toMatchObject({
      category: 'invalid_arguments',
    });
  }
  expect(await own.last(all)).toMatchObject({ until: times[1] });
  // Back again, on purpose.
  await own.acknowledge(times[0], all, now);
  expect(await own.last(all)).toMatchObject({ until: times[0] });
});
