import undici from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import connector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { describe, expect, it, test } from 'vitest';
import { longestTimerMs } from '../../src/clock.ts';
import { retryAfterMs } from '../../src/http/exchange.ts';
import { isLoopbackHost, mayConnect } from '../../src/http/reach.ts';

it('loads the parts of undici that its index has', () => {
  expect(Agent).toBe(undici.Agent);
  expect(EnvHttpProxyAgent).toBe(undici.EnvHttpProxyAgent);
  expect(UndiciDispatcher).toBe(undici.Dispatcher);
  expect(connector).toBe(undici.buildConnector);
  expect(UndiciDispatcher.prototype.connect).toBe(connect);
});

const now = Date.parse('2026-03-01T12:00:00Z');
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
    ['two of them, joined', '5, 7', null],
  ])('of %s', (_what, value, wait) => {
    expect(retryAfterMs({ 'retry-after': value }, now)).toBe(wait);
  });
});

describe('addresses', () => {
  const within = {
    nowhere: ['10.0.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    'nowhere, as IPv6': [
      'fe80::1',
      'fc00::1',
      '::',
      '::ffff:10.0.0.1',
      '64:ff9b::a9fe:a9fe',
      'not an address',
    ],
    'this machine': ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'],
    anywhere: ['93.184.216.34', '2606:2800:220:1::1', '64:ff9b::5db8:d822'],
  };
  test.each(Object.entries(within))('%s', (where, addresses) => {
    const reached = addresses.map((one) => [
      mayConnect(one, 'public'),
      mayConnect(one, 'public or loopback'),
    ]);
    const expected = where === 'anywhere' ? [true, true] : [false, where === 'this machine'];
    expect(reached).toEqual(addresses.map(() => expected));
  });

  it('are of this machine by name or number only', () => {
    const own = ['localhost', '127.0.0.1', '[::1]', '127.255.0.1'].map(isLoopbackHost);
    expect(own).toEqual([true, true, true, true]);
    expect(['localhost.example', '127.0.0.1.example', '10.0.0.1'].map(isLoopbackHost)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
