/** What one schedule came to. */
export interface Ran {
  readonly seed: number;
  readonly steps: number;
  readonly kills: number;
  readonly violations: readonly string[];
  /** Every outcome that anybody heard. */
  readonly outcomes: ReadonlySet<string>;
  /** How often what really happened. */
  readonly reached: ReadonlyMap<string, number>;
  readonly trace: readonly string[];
}

/** Runs one schedule; the same seed gives the same one again. */
export type Run = (seed: number, traced: boolean) => Promise<Ran>;

export interface Runs {
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
  /** How often what really happened. */
  readonly reached: ReadonlyMap<string, number>;
  /** The first schedule that violated something, run again with its trace. */
  readonly first: Ran | null;
}

/** Counts what really happened, by its name. */
export class Reached {
  readonly counts = new Map<string, number>();
  readonly note = (what: string): void => add(this.counts, what, 1);
}

export function add(to: Map<string, number>, what: string, times: number): void {
  to.set(what, (to.get(what) ?? 0) + times);
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
  const reached = new Map<string, number>();
  let first: Ran | null = null;
  for (; ran < schedules; ran += 1) {
    const result = await run(seed + ran, false);
    steps += result.steps;
    kills += result.kills;
    violations += result.violations.length;
    for (const outcome of result.outcomes) add(outcomes, outcome, 1);
    for (const [what, times] of result.reached) add(reached, what, times);
    const found = result.violations.some((violation) => until?.test(violation) ?? true);
    if (found) first ??= await run(seed + ran, true);
    if (found && until !== undefined) break;
  }
  return { schedules: ran, steps, kills, violations, outcomes, reached, first };
}
