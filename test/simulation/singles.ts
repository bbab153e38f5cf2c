import { showsNoViolation } from './shows-no-violation.ts';

/** Single mutations: guard, claim, send, settle, and the renewal of tokens. */
export function showsSingles(schedules: number, seed: number): void {
  showsNoViolation({
    of: 'single mutations',
    schedules,
    seed,
    heard: ['succeeded', 'failed', 'refused', 'not_sent', 'processing', 'unresolved', 'none'],
    reached: [
      /^lost: /,
      /^late: /,
      /^asks for its lease again: /,
      /^not sent: /,
      /^answer lost: /,
      /^answer late: /,
      /^killed /,
    ],
  });
}
