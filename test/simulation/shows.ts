import { expect, it } from 'vitest';
import { type Kind, type Run, runSchedules, runs } from './run-schedules.ts';

/** What somebody must have heard in at least one of two hundred schedules. */
const heard: Readonly<Record<Kind, readonly string[]>> = {
  singles: ['succeeded', 'not_sent', 'unresolved'],
  submissions: ['succeeded', 'not_sent', 'unresolved'],
  connections: ['signed in', 'used', 'disconnected', 'not_revoked', 'reconnect_required'],
};

const timeout = 1_800_000;

/** The suite's part of the simulation: a first share in each run of the tests, many more in the slow one. */
export function showsNoViolation(kind: Kind, schedules: number, seed: number): void {
  it(`keeps every promise in ${schedules} schedules of ${kind} from seed ${seed}`, { timeout }, async () => {
    const summary = await runSchedules({ schedules, seed, run: runs[kind] });
    const { violations, first, kills, outcomes } = summary;
    expect({ violations, seed: first?.seed, said: first?.violations, trace: first?.trace }).toEqual({
      violations: 0,
    });
    // A world in which nothing happens keeps every promise too.
    expect(kills).toBeGreaterThan(schedules / 10);
    for (const outcome of heard[kind])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(schedules / 200);
  });
}

/** The watch says of a planted mistake what it has to, and the seed alone gives the same history again. */
export function catches(name: string, caught: RegExp, most: number, run: Run): void {
  it(`a planted mistake is caught: ${name}`, { timeout }, async () => {
    const { first, schedules } = await runSchedules({ schedules: most, seed: 1, until: caught, run });
    expect(first?.violations.join('\n'), `in ${schedules} schedules`).toMatch(caught);
    const again = await run(first?.seed ?? 0, true);
    expect(again.trace).toEqual(first?.trace);
  });
}
