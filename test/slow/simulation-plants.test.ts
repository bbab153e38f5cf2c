import { describe, expect, it } from 'vitest';
import { plants } from '../simulation/plants.ts';
import { runSchedules } from '../simulation/run-schedules.ts';
import { runSchedule } from '../simulation/schedule.ts';

describe('a planted mistake is caught:', () => {
  it.each(plants)('$name', async ({ plant, caught, only, of }) => {
    const run = (seed: number, traced: boolean) =>
      runSchedule({ seed, traced, plant, only, of: of ?? 'submissions' });
    const { first, schedules } = await runSchedules({ schedules: 10_000, seed: 1, until: caught, run });
    expect(first?.violations.join('\n'), `in ${schedules} schedules`).toMatch(caught);

    // The seed alone gives the same history again.
    const again = await run(first?.seed ?? 0, true);
    expect(again.trace).toEqual(first?.trace);
  });
});
