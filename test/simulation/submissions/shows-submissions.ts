import { showsNoViolation } from '../shows-no-violation.ts';
import { mustBeReached } from './reached.ts';
import { runSubmissions } from './schedule.ts';

const frequent = ['succeeded', 'not_sent', 'processing', 'unresolved'];

/** Media Set creations and grouped Set edits, in all of their steps. */
export function showsSubmissions(schedules: number, seed: number): void {
  // What is rarer takes some hundred schedules to be met.
  const isShare = schedules < 300;
  showsNoViolation({
    of: 'submissions',
    schedules,
    seed,
    run: (each, traced) => runSubmissions({ seed: each, traced, plant: () => ({}) }),
    heard: isShare ? frequent : [...frequent, 'partial', 'rolled_back', 'failed', 'refused', 'none'],
    reached: isShare ? [] : mustBeReached,
  });
}
