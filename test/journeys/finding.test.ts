import { expect, it } from 'vitest';
import { listAt, newcomer } from '../support/person.ts';
import { runCli } from '../support/run-cli.ts';

it('the index is empty, is filled by a command, and finds by name, slip and episode number in every server', async () => {
  const me = await newcomer({ ARTWORK_INDEX: 'passive' });
  expect(await me.call('find_titles', { query: 'Breaking Bad' })).toMatchObject({
    data: [],
    index: { titles: 0, complete: false },
  });
  expect((await runCli(['index', '--json'], me.env)).code).toBe(0);

  const later = await me.again();
  const find = async (args: Record<string, unknown>) =>
    listAt(await later.call('find_titles', args), 'data')[0];
  expect(await find({ query: 'breaking bad' })).toMatchObject({
    kind: 'show',
    title: 'Breaking Bad',
    tool: 'get_entity',
  });
  expect(await find({ query: 'faulty towers', kind: 'show' })).toMatchObject({ title: 'Fawlty Towers' });
  expect(await find({ query: 'S02E05 of the wire' })).toMatchObject({
    kind: 'episode',
    season: 2,
    episode: 5,
  });
  expect(await find({ query: 'Arrival', kind: 'movie' })).toMatchObject({ kind: 'movie', title: 'Arrival' });
  expect(await find({ query: 'Zzyzx Qwertyuiop', kind: 'show' })).toBeUndefined();
  expect((await later.call('find_titles', {})).error).toMatchObject({ category: 'invalid_arguments' });

  const off = await me.again({ ARTWORK_INDEX: 'off' });
  expect((await off.call('find_titles', { query: 'Breaking Bad' })).isError).toBe(true);
});
