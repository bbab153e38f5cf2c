import { expect, it } from 'vitest';
import { runSchedules } from '../run-schedules.ts';
import { runSubmissions } from './schedule.ts';
import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(100, 1);

it('sends no file again for two refusals that are far apart, where it arrived late between them', async () => {
  const { violations, first } = await runSchedules({
    schedules: 1,
    seed: 20277158,
    run: (seed, traced) => runSubmissions({ seed, traced, plant: () => ({}) }),
  });
  expect({ violations, said: first?.violations }).toEqual({ violations: 0, said: undefined });
});
