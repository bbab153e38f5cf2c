import { describe, expect, it } from 'vitest';
import { runSchedules } from '../run-schedules.ts';
import { showsNoViolation } from '../shows-no-violation.ts';
import { lifePlants } from './plants.ts';
import { runLife } from './schedule.ts';

showsNoViolation({
  of: 'the life of a connection',
  schedules: 1000,
  seed: 1,
  run: (seed, traced) => runLife({ seed, traced, plant: () => (ports) => ports }),
  heard: ['signed in', 'used', 'disconnected', 'not_revoked', 'reconnect_required'],
  reached: [
    /^late: renew/,
    /^late: revoke/,
    /^late: exchange/,
    /^answer lost: renew/,
    /^answer lost: revoke/,
    /^answer lost: exchange/,
    /^ended in the Apps area/,
    /^theft seen/,
    /^killed /,
  ],
});

describe('a planted mistake is caught:', () => {
  it.each(lifePlants)('$name', async ({ plant, caught }) => {
    const run = (seed: number, traced: boolean) => runLife({ seed, traced, plant });
    const { first, schedules } = await runSchedules({ schedules: 400, seed: 1, until: caught, run });
    expect(first, `in ${schedules} schedules`).not.toBeNull();
    const again = await runLife({ seed: first?.seed ?? 0, traced: true, plant });
    expect(again.trace).toEqual(first?.trace);
  });
});
