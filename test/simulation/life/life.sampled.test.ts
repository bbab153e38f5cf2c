import { describe, expect, it } from 'vitest';
import { share } from '../../support/share.ts';
import { runSchedules } from '../run-schedules.ts';
import { showsNoViolation } from '../shows-no-violation.ts';
import { lifePlants } from './plants.ts';
import { runLife } from './schedule.ts';

showsNoViolation({
  of: 'the life of a connection',
  schedules: share(400, 2_000),
  seed: 1,
  run: (seed, traced) => runLife({ seed, traced, plant: () => ({}) }),
  heard: ['signed in', 'used', 'disconnected', 'not_revoked', 'other_account', 'reconnect_required'],
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

it('signs nobody in before a revocation whose process was killed can arrive no more', async () => {
  const { violations } = await runLife({ seed: 31000611, traced: false, plant: () => ({}) });
  expect(violations).toEqual([]);
});

/** The others are met after thousands of schedules; the rarest ends a connection in one of three thousand. */
const soonMet = lifePlants.slice(0, 2);

describe('a planted mistake ends the newest connection, and is caught:', () => {
  it.each(share(soonMet, lifePlants))('$name', { timeout: 1_800_000 }, async ({ plant }) => {
    const run = (seed: number, traced: boolean) => runLife({ seed, traced, plant });
    const { first, schedules } = await runSchedules({
      schedules: 20_000,
      seed: 1,
      until: /ended by a token/,
      run,
    });
    expect(first?.violations.join('\n'), `in ${schedules} schedules`).toMatch(/ended by a token/);
    const again = await runLife({ seed: first?.seed ?? 0, traced: true, plant });
    expect(again.trace).toEqual(first?.trace);
  });
});
