import { runSchedule } from './schedule.ts';
import { showsNoViolation } from './shows-no-violation.ts';

const steps = {
  singles: ['upload', 'group', 'group edit', 'metadata'],
  submissions: ['admission', 'transfer', 'completion'],
} as const;

/** What befalls each step. */
const befalling = [
  'not sent: STEP',
  'lost: STEP',
  'late: STEP',
  'doubled: STEP',
  'answer lost: STEP',
  'answer late: STEP',
  '401: STEP',
  '(403|429): STEP',
  '50[03]: STEP',
  'done, and answered 50[03]: STEP',
  'done, and answered 401: STEP',
  'done, and answered 409: STEP',
  'done, and answered 429: STEP',
  'killed (before|after) send STEP',
  '(killed|stopped) (before|after) hear STEP',
];

/** What happens to the machine, the account and the connection, whatever is changed. */
const misfortunes = [
  '(killed|stopped) (before|after) write .*',
  'a read lags',
  'a sleeper wakes before a write',
  'a write that nobody hears of',
  'the disk is full for a write',
  'asks for its lease again: .*',
  'kept back in its body: .*',
  'the access token ends',
  'another token after a 401',
  'no other token after a 401',
  'the owner signs in again',
  'the owner signs in again, unnamed',
  'a stranger signs in',
  'a stranger signs in, unnamed',
  'a call is given up',
  'a host ends its server',
  'given up',
  'at a person: .*',
];

/** What a submission of each kind goes through, and what befalls its files. */
const undergone = [
  ...['admitted: KIND', 'admitted before, the receipt again: KIND', 'arrived: KIND'],
  ...['turned away for good: KIND', 'not completed, for what is pending: KIND'],
  ...['completed succeeded: KIND', 'completed partial: KIND', 'completed (failed|rolled_back): KIND'],
].flatMap((what) => ['creation', 'edit'].map((kind) => what.replace('KIND', kind)));
const ofFiles = [
  ...['not completed, once: .*', 'completed before: .*', 'arrived before, .*: transfer'],
  ...['the pictures in the folder change', 'the pictures in the folder are deleted'],
  ...['the kept bytes are deleted', 'its id stands for another submission'],
  ...['admitted and completed elsewhere: .*', '(killed|stopped) (before|after) (keep|free) .*'],
];

/** All that is judged, in many schedules. What is rare is looked for only where there are thousands of them. */
export function showsSimulation(of: 'singles' | 'submissions', schedules: number, seed: number): void {
  const each = befalling.flatMap((what) => steps[of].map((step) => what.replace('STEP', step)));
  const names = [...each, ...misfortunes, ...(of === 'submissions' ? [...undergone, ...ofFiles] : [])];
  const isShare = schedules < 3_000;
  showsNoViolation({
    ...{ of, schedules, seed },
    run: (own, traced) => runSchedule({ seed: own, traced, of, plant: () => ({}) }),
    heard: isShare
      ? ['succeeded', 'not_sent', 'unresolved']
      : ['succeeded', 'failed', 'refused', 'not_sent', 'processing', 'interrupted', 'unresolved'],
    reached: isShare ? [] : names.map((name) => new RegExp(`^${name}$`)),
  });
}
