import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Planner, startPlanner } from '../../../curation/plan/planner.ts';
import { heldBack } from './held-back.ts';
import { open } from './open.ts';
import { judge } from './runner.ts';

let planner: Planner;
beforeEach(async () => {
  planner = await startPlanner();
});
afterEach(() => planner.leave());

it.each([
  ['the open half', open],
  ['the half that was held back', heldBack],
] as const)(
  'asks about names of the wild rather than guess: %s',
  async (half, rows) => {
    const { verdicts, counts, served } = await judge(planner, rows);
    for (const { name, verdict, came } of verdicts)
      if (verdict === 'wrong' || verdict === 'otherwise')
        process.stdout.write(`${verdict}: ${name.work.title}: ${name.path}: ${came}\n`);
    const share = `${(100 * served).toFixed(1)} % right or asked`;
    process.stdout.write(`${half}: ${JSON.stringify(counts)} of ${rows.length}, ${share}\n`);
    expect(counts.wrong).toBe(0);
  },
  60_000,
);
