import type { Wish } from './agent.ts';
import type { Planted } from './process.ts';
import { type Ran, runSchedule } from './schedule.ts';

export interface Runs {
  readonly schedules: number;
  /** Of the first schedule; the others follow it. */
  readonly seed: number;
  readonly plant?: () => Planted;
  /** The only kind of change that is made. */
  readonly only?: Wish['tool'] | undefined;
  /** Stop at the first violation that says this; without, none stops. */
  readonly until?: RegExp;
}

export interface Summary {
  readonly schedules: number;
  readonly steps: number;
  readonly kills: number;
  readonly violations: number;
  /** In how many schedules somebody heard each outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The first schedule that violated something, run again with its trace. */
  readonly first: Ran | null;
}

/** Runs schedules of consecutive seeds. A failing one is run again, which gives the same, and traced. */
export async function runSchedules(runs: Runs): Promise<Summary> {
  // Errors are part of every schedule, and their stacks would take most of its time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await run(runs);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function run({ schedules, seed, plant = () => ({}), only, until }: Runs): Promise<Summary> {
  let steps = 0;
  let kills = 0;
  let violations = 0;
  const outcomes = new Map<string, number>();
  let first: Ran | null = null;
  let ran = 0;
  for (; ran < schedules; ran += 1) {
    const history = { seed: seed + ran, plant, only };
    const result = await runSchedule({ ...history, traced: false });
    steps += result.steps;
    kills += result.kills;
    violations += result.violations.length;
    for (const outcome of result.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const found = result.violations.some((violation) => until?.test(violation) ?? true);
    if (found) first ??= await runSchedule({ ...history, traced: true });
    if (found && until !== undefined) break;
  }
  return { schedules: ran, steps, kills, violations, outcomes, first };
}
