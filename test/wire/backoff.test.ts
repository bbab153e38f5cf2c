import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { longestTimerMs } from '../../src/clock.ts';
import { createBackoff, retryAfterMs } from '../../src/wire/pacing.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const asked = (value: string | string[]) => {
  const headers: IncomingHttpHeaders = {};
  // undici hands a header that came twice over as a list, which the type of headers does not say.
  Reflect.set(headers, 'retry-after', value);
  return retryAfterMs(headers, now);
};

describe('Retry-After', () => {
  test.each([
    ['seconds', '120', 120_000],
    ['none', '0', 0],
    ['parts of a second', '1.5', 1500],
    ['34 days', '3000000', longestTimerMs],
    ['twenty digits', '9'.repeat(20), longestTimerMs],
    ['more digits than a number has', '9'.repeat(400), longestTimerMs],
    ['a date', 'Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['a date that is past', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['a date in seven thousand years', 'Fri, 31 Dec 9999 23:59:59 GMT', longestTimerMs],
    ['a date that no calendar has', 'Sun, 99 Nov 99999999999 08:49:37 GMT', null],
    ['less than nothing', '-5', null],
    ['a number of another spelling', '1e9', null],
    ['a number of another script', '١٢٠', null],
    ['a word', 'tomorrow', null],
    ['nothing', '', null],
    ['two of them', ['5', '7'], null],
    ['two of them, joined', '5, 7', null],
  ])('of %s', (_what, value, wait) => {
    expect(asked(value)).toBe(wait);
  });
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
