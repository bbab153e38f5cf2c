import { expect, it } from 'vitest';
import { runSchedules } from './run-schedules.ts';

/** The suite's part of the simulation; it is run in two files, so that two workers share it. */
export function showsNoViolation(runs: { readonly schedules: number; readonly seed: number }): void {
  it(`keeps every promise in ${runs.schedules} schedules from seed ${runs.seed}`, {
    timeout: 180_000,
  }, async () => {
    const { violations, first, kills, outcomes, schedules } = await runSchedules(runs);
    expect({ violations, seed: first?.seed, said: first?.violations, trace: first?.trace }).toEqual({
      violations: 0,
    });
    expect(schedules).toBe(runs.schedules);
    // A world in which nothing happens keeps every promise too.
    expect(kills).toBeGreaterThan(runs.schedules / 10);
    for (const outcome of [
      'succeeded',
      'failed',
      'refused',
      'not_sent',
      'processing',
      'unresolved',
      'none',
    ]) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(runs.schedules / 200);
    }
  });
}
