import { expect, it } from 'vitest';
import { runSchedules } from '../run-schedules.ts';
import { runSubmissions } from './schedule.ts';
import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(100, 1);

it.each([
  ['sends no file again for two refusals that are far apart, where it arrived late between them', 20277158],
  ['does not call unsent what another process has sent, once a stranger has signed in', 31010170],
])('%s', async (_, seed) => {
  const { violations, first } = await runSchedules({
    schedules: 1,
    seed,
    run: (own, traced) => runSubmissions({ seed: own, traced, plant: () => ({}) }),
  });
  expect({ violations, said: first?.violations }).toEqual({ violations: 0, said: undefined });
});
