import { showsNoViolation } from '../shows-no-violation.ts';
import { mustBeReached } from './reached.ts';
import { runSubmissions } from './schedule.ts';

/** Media Set creations and grouped Set edits, in all of their steps. */
export function showsSubmissions(schedules: number, seed: number): void {
  showsNoViolation({
    of: 'submissions',
    schedules,
    seed,
    run: (each, traced) => runSubmissions({ seed: each, traced, plant: () => ({}) }),
    heard: [
      'succeeded',
      'partial',
      'rolled_back',
      'failed',
      'refused',
      'not_sent',
      'processing',
      'unresolved',
      'none',
    ],
    reached: mustBeReached,
  });
}
