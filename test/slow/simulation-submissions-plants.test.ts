import { describe, expect, it } from 'vitest';
import { runSchedules } from '../simulation/run-schedules.ts';
import { plants } from '../simulation/submissions/plants.ts';
import { runSubmissions } from '../simulation/submissions/schedule.ts';

describe('a mistake that is planted in submissions is caught:', () => {
  it.each(plants)('$name', async ({ plant, caught }) => {
    const run = (seed: number, traced: boolean) => runSubmissions({ seed, traced, plant });
    const { first, schedules } = await runSchedules({
      schedules: 1_000,
      seed: 1,
      until: caught,
      run,
    });
    expect(first?.violations.join('\n'), `in ${schedules} schedules`).toMatch(caught);

    // The seed alone gives the same history again.
    const again = await runSubmissions({ seed: first?.seed ?? 0, traced: true, plant });
    expect(again.trace).toEqual(first?.trace);
  });
});
