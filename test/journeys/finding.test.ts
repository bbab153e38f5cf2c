import { expect, it } from 'vitest';
import { listAt, newcomer } from '../support/person.ts';
import { runCli } from '../support/run-cli.ts';

it('a newcomer finds by name, by a slip of spelling, by an episode’s number, and a creator’s Sets', async () => {
  const me = await newcomer();
  const first = await me.call('find_titles', { query: 'breaking bad' });
  expect(listAt(first, 'data')[0]).toMatchObject({ kind: 'show', title: 'Breaking Bad', tool: 'get_entity' });
  const slip = await me.call('find_titles', { query: 'faulty towers', kind: 'show' });
  expect(listAt(slip, 'data')[0]).toMatchObject({ kind: 'show', title: 'Fawlty Towers' });
  const episode = await me.call('find_titles', { query: 'S02E05 of the wire' });
  expect(listAt(episode, 'data')[0]).toMatchObject({ kind: 'episode', season: 2, episode: 5 });
  const film = await me.call('find_titles', { query: 'Arrival', kind: 'movie' });
  const [hit] = listAt(film, 'data');
  expect(hit).toMatchObject({ kind: 'movie', title: 'Arrival' });
  const nothing = await me.call('find_titles', { query: 'Zzyzx Qwertyuiop', kind: 'show' });
  expect(nothing.data).toEqual([]);
  expect((await me.call('find_titles', {})).error).toMatchObject({ category: 'invalid_arguments' });
});

it('the index is filled by a command, kept for the next server, and never read where it is off', async () => {
  const me = await newcomer({ ARTWORK_INDEX: 'passive' });
  expect(await me.call('find_titles', { query: 'Breaking Bad' })).toMatchObject({
    data: [],
    index: { titles: 0, complete: false },
  });
  const ran = await runCli(['index', '--json'], me.env);
  expect(ran.code).toBe(0);
  const later = await me.again();
  const found = await later.call('find_titles', { query: 'Breaking Bad' });
  expect(listAt(found, 'data')[0]).toMatchObject({ kind: 'show', title: 'Breaking Bad' });
  const status = await runCli(['index', '--status', '--json'], me.env);
  expect(JSON.parse(status.stdout)).toMatchObject({});
  const off = await me.again({ ARTWORK_INDEX: 'off' });
  expect((await off.call('find_titles', { query: 'Breaking Bad' })).isError).toBe(true);
});
