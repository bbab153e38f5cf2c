import { describe, expect, test } from 'vitest';
import { createBackoff, longestTimerMs, sleep, timerMs } from '../src/clock.ts';

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

describe('pauses that double', () => {
  const limits = { firstMs: 100, longestMs: 500 };
  const recorded = () => {
    const slept: number[] = [];
    const signals: (AbortSignal | undefined)[] = [];
    const sleep = async (milliseconds: number, signal?: AbortSignal) => {
      slept.push(milliseconds);
      signals.push(signal);
    };
    return { slept, signals, backoff: createBackoff({ sleep }, limits) };
  };

  test('go from the first to the longest, and begin anew', async () => {
    const { slept, backoff } = recorded();
    for (let pauses = 0; pauses < 5; pauses += 1) await backoff.pause();
    backoff.reset();
    expect(backoff.nextMs).toBe(100);
    await backoff.pause();
    expect(slept).toEqual([100, 200, 400, 500, 500, 100]);
  });

  test('last at least as long as the service asks, and end with the signal', async () => {
    const { slept, signals, backoff } = recorded();
    const { signal } = new AbortController();
    await backoff.pause(signal, 7000);
    await backoff.pause(signal, 10);
    expect(slept).toEqual([7000, 200]);
    expect(signals).toEqual([signal, signal]);
  });
});
