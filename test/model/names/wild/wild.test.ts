import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Planner, startPlanner } from '../../../curation/plan/planner.ts';
import { open } from './open.ts';
import { judge } from './runner.ts';

let planner: Planner;
beforeAll(async () => {
  planner = await startPlanner();
});
afterAll(() => planner.leave());

/** How many names are taken wrongly today. It only falls. */
const wrongToday = 0;

it('asks about names of the wild rather than guess', async () => {
  const { verdicts, counts, served } = await judge(planner, open);
  for (const { name, verdict, came } of verdicts)
    if (verdict === 'wrong' || verdict === 'otherwise')
      process.stdout.write(`${verdict}: ${name.work.title}: ${name.path}: ${came}\n`);
  const share = `${(100 * served).toFixed(1)} % right or asked`;
  process.stdout.write(`names of the wild: ${JSON.stringify(counts)} of ${open.length}, ${share}\n`);
  expect(counts.wrong).toBeLessThanOrEqual(wrongToday);
}, 60_000);
