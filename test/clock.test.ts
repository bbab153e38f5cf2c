import { expect, test } from 'vitest';
import { longestTimerMs, sleep, timerMs } from '../src/clock.ts';

test.each([
  [5, 5],
  [0, 0],
  [-3, 0],
  [Number.NaN, 0],
  [longestTimerMs + 1, longestTimerMs],
  [3e9, longestTimerMs],
  [Number.POSITIVE_INFINITY, longestTimerMs],
])('of %d ms a timer runs %d', (asked, runs) => {
  expect(timerMs(asked)).toBe(runs);
});

test('a sleep that no timer can last does not end at once, but when it is aborted', async () => {
  const abort = new AbortController();
  let ended = false;
  const sleeping = sleep(3e9, abort.signal).then(() => {
    ended = true;
  });
  await sleep(50);
  expect(ended).toBe(false);
  abort.abort();
  await sleeping;
});
