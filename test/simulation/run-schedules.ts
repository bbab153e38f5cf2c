import { runLife } from './life/schedule.ts';
import { runSchedule } from './schedule.ts';

/** What one schedule came to. */
export interface Ran {
  readonly seed: number;
  readonly steps: number;
  readonly kills: number;
  readonly violations: readonly string[];
  /** Every outcome that anybody heard. */
  readonly outcomes: ReadonlySet<string>;
  readonly trace: readonly string[];
}

/** Runs one schedule; the same seed gives the same one again. */
export type Run = (seed: number, traced: boolean) => Promise<Ran>;

/** What schedules are of: changes of one request, Sets and their edits, the life of a connection. */
export type Kind = 'singles' | 'submissions' | 'connections';

/** Schedules of each kind, with no mistake planted. */
export const runs: Readonly<Record<Kind, Run>> = {
  submissions: (seed, traced) => runSchedule({ seed, traced, of: 'submissions', plant: () => ({}) }),
  connections: (seed, traced) => runLife({ seed, traced, plant: () => (ports) => ports }),
  singles: (seed, traced) => runSchedule({ seed, traced, of: 'singles', plant: () => ({}) }),
};

interface Runs {
  readonly schedules: number;
  /** Of the first schedule; the others follow it. */
  readonly seed: number;
  readonly run: Run;
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
    return await runAll(runs);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function runAll({ schedules, seed, run, until }: Runs): Promise<Summary> {
  let [steps, kills, violations, ran] = [0, 0, 0, 0];
  const outcomes = new Map<string, number>();
  let first: Ran | null = null;
  for (; ran < schedules; ran += 1) {
    const result = await run(seed + ran, false);
    steps += result.steps;
    kills += result.kills;
    violations += result.violations.length;
    for (const outcome of result.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const found = result.violations.some((violation) => until?.test(violation) ?? true);
    if (found) first ??= await run(seed + ran, true);
    if (found && until !== undefined) break;
  }
  return { schedules: ran, steps, kills, violations, outcomes, first };
}
