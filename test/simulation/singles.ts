import { misfortunesMet } from './misfortunes.ts';
import { showsNoViolation } from './shows-no-violation.ts';

const turnedAwayAfterTheEffect = ['/me/assets$', '/me/groups$', '.*/metadata$'].flatMap((path) =>
  [401, 429].map((status) => new RegExp(`^done, and answered ${status}: ${path}`)),
);

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
      // Some hundred schedules meet these only by luck.
      ...(schedules < 3_000
        ? []
        : [
            ...misfortunesMet.map((name) => new RegExp(`^${name}$`)),
            ...turnedAwayAfterTheEffect,
            /^kept back/,
          ]),
    ],
  });
}
