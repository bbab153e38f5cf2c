import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFaults } from '../../src/sandbox/faults.ts';
import { type CatalogueControl, controlOf, type OrderedFault } from '../support/catalogue-control.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

let catalogue: Embedded;
let control: CatalogueControl;

beforeAll(async () => {
  catalogue = await startEmbedded({ faults: createFaults() });
  control = controlOf(catalogue.sandbox.baseUrl);
});

afterAll(() => catalogue.stop());

const ask = (path = '/episodes') => fetch(catalogue.sandbox.baseUrl + path);
const fault = (more: { readonly do: string; readonly [name: string]: unknown }): OrderedFault => ({
  method: 'GET',
  path: '/episodes',
  ...more,
});

test('an answer comes instead, as often as it was ordered and after what was to be skipped', async () => {
  await control.fail(
    fault({ do: 'answer', status: 429, headers: { 'retry-after': '1' }, body: 'slow', skip: 1, count: 2 }),
  );
  const answers = [await ask(), await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
  expect(answers[1]?.headers.get('retry-after')).toBe('1');
  expect(await answers[1]?.text()).toBe('slow');
});

test.each(['before', 'received', 'after'])('a connection is cut %s the effect', async (when) => {
  await control.fail(fault({ do: 'cut', when }));
  await expect(ask()).rejects.toThrow();
  expect((await ask()).status).toBe(200);
});

test('half an answer comes', async () => {
  await control.fail(fault({ do: 'truncate' }));
  const answer = await ask();
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test('a fault meets only the requests that it describes, and can be taken back', async () => {
  await control.fail(
    fault({ path: '/shows/*', do: 'answer', status: 500 }),
    fault({ query: { page: '2' }, do: 'answer', status: 500 }),
  );
  expect((await ask()).status).toBe(200);
  expect((await ask('/shows/1')).status).toBe(500);
  expect(await control.left('/episodes')).toBe(1);
  await control.heal();
  expect((await ask('/episodes?page=2')).status).toBe(200);
});

test('each request that arrives is noted, with the status that was sent', async () => {
  await control.fail(fault({ path: '/feeds/sets', do: 'cut' }));
  await ask('/feeds/sets').catch(() => undefined);
  await ask('/nothing?secret=1');
  expect((await control.requests()).slice(-2)).toMatchObject([
    { method: 'GET', path: '/feeds/sets', status: null },
    { method: 'GET', path: '/nothing', query: '', status: 404 },
  ]);
});
