import { expect, it } from 'vitest';
import { type Run, runSchedules } from './run-schedules.ts';

export interface Shown {
  /** What the schedules are of. */
  readonly of: string;
  readonly schedules: number;
  readonly seed: number;
  readonly run: Run;
  /** What somebody must have heard in at least one of two hundred schedules. */
  readonly heard: readonly string[];
  /** What must have happened. */
  readonly reached: readonly RegExp[];
}

/** The suite's part of the simulation: a first share in each run of the tests, many more in the slow one. */
export function showsNoViolation({ of, schedules, seed, run, heard, reached: wanted }: Shown): void {
  it(`keeps every promise in ${schedules} schedules of ${of} from seed ${seed}`, {
    timeout: 1_800_000,
  }, async () => {
    const { violations, first, kills, outcomes, reached } = await runSchedules({ schedules, seed, run });
    expect({ violations, seed: first?.seed, said: first?.violations, trace: first?.trace }).toEqual({
      violations: 0,
    });
    // A world in which nothing happens keeps every promise too.
    expect(kills).toBeGreaterThan(schedules / 10);
    for (const outcome of heard) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(schedules / 200);
    }
    const names = [...reached.keys()];
    expect(wanted.filter((pattern) => !names.some((name) => pattern.test(name)))).toEqual([]);
  });
}
