import { showsNoViolation } from './shows-no-violation.ts';

/** Single mutations: guard, claim, send, settle, and the renewal of tokens. */
export function showsSingles(seed: number): void {
  showsNoViolation({
    of: 'single mutations',
    schedules: 10_000,
    seed,
    heard: ['succeeded', 'failed', 'refused', 'not_sent', 'processing', 'unresolved', 'none'],
    reached: [/^lost: /, /^late: /, /^not sent: /, /^answer lost: /, /^answer late: /, /^killed /],
  });
}
