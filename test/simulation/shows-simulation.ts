import { runSchedule } from './schedule.ts';
import { showsNoViolation } from './shows-no-violation.ts';

/** All that is judged, in many schedules. */
export function showsSimulation(of: 'singles' | 'submissions', schedules: number, seed: number): void {
  showsNoViolation({
    ...{ of, schedules, seed },
    run: (own, traced) => runSchedule({ seed: own, traced, of, plant: () => ({}) }),
    heard: ['succeeded', 'not_sent', 'unresolved'],
    reached: [],
  });
}
