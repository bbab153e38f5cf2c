import { expect, it } from 'vitest';
import { runSchedules } from './run-schedules.ts';
import { showsSingles } from './singles.ts';

showsSingles(600, 1);

it('sends nothing under an id of which the service could not say whether it knows it', async () => {
  const { violations, first } = await runSchedules({ schedules: 1, seed: 31919522 });
  expect({ violations, said: first?.violations }).toEqual({ violations: 0, said: undefined });
});
