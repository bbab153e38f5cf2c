import { expect, it, onTestFinished } from 'vitest';
import { hurried } from '../support/connected.ts';
import { listAt, visitor } from '../support/person.ts';
import { runCli } from '../support/run-cli.ts';
import { json, startScriptedService } from '../support/scripted-service.ts';
import { change } from './scripted-feed.ts';

const shows = ['Breaking Bad', 'Fawlty Towers', 'The Wire'].map((title, at) => ({
  ...{ id: at + 1, kind: 'show', title, firstReleaseDate: '2008-01-20' },
  seasons: [1, 2].map((seasonNumber) => ({ id: (at + 1) * 10 + seasonNumber, seasonNumber })),
}));
const episodes = shows.flatMap(({ seasons, ...show }) =>
  seasons.flatMap((season) =>
    [1, 2, 3, 4, 5].map((number) => ({
      ...{ id: season.id * 10 + number, title: `Part ${number}`, season },
      // Lists name a show without its dates.
      show: { id: show.id, kind: show.kind, title: show.title },
      ...{ seasonNumber: season.seasonNumber, episodeNumber: number },
    })),
  ),
);
const film = { id: 7, kind: 'movie', title: 'Arrival', releaseDate: '2016-09-01' };

/** All that a reading of this catalogue asks for. */
const shown: Readonly<Record<string, unknown>> = {
  '/feeds/assets': [{ ...change(1), target: { id: film.id, kind: film.kind } }],
  '/feeds/sets': [],
  '/episodes': episodes,
  '/movies/7': film,
  ...Object.fromEntries(shows.map((show) => [`/shows/${show.id}`, show])),
};

/** The scripted catalogue, for one test. */
async function listed() {
  const service = await startScriptedService(({ url = '' }, response) => {
    const data = shown[url];
    const meta = { snapshot: '00000000-0000-4000-8000-00000000feed', page: 1, totalPages: 1, nextPage: null };
    json(response, data === undefined ? 404 : 200, Array.isArray(data) ? { data, meta } : { data });
  });
  onTestFinished(() => service.close());
  return service;
}

it('a person hears of the command that reads the rest only where nothing reads it now', async () => {
  const { baseUrl } = await listed();
  const me = await visitor(baseUrl, { ARTWORK_INDEX: 'passive' });
  await me.call('get_entity', { kind: 'show', id: 1 });
  const command = /(cli\.js|artwork-mcp)\W* index\b/;
  const found = async (host: typeof me) => {
    const answer = await host.call('find_titles', { query: 'Breaking Bad' });
    expect(answer).toMatchObject({ data: [{ kind: 'show', id: 1 }], index: { complete: false } });
    return JSON.stringify(answer.warnings);
  };
  expect(await found(me)).toMatch(command);
  expect(await found(await me.again({ ARTWORK_INDEX: 'on' }))).not.toMatch(command);
});

it('the index is empty, is filled by a command, and finds by name, slip and episode number in every server', async () => {
  const service = await listed();
  const me = await visitor(service.baseUrl, { ARTWORK_INDEX: 'passive' });
  expect(await me.call('find_titles', { query: 'Breaking Bad' })).toMatchObject({
    data: [],
    index: { titles: 0, complete: false },
  });
  // It asks once a second.
  const filled = await runCli(['index', '--json'], { ...me.env, ...hurried(50) });
  expect(filled.code).toBe(0);
  for (const path of Object.keys(shown)) expect(service.requests.map(({ url }) => url)).toContain(path);

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
    ...{ kind: 'episode', season: 2, episode: 5 },
  });
  expect(await find({ query: 'Arrival', kind: 'movie' })).toMatchObject({ kind: 'movie', title: 'Arrival' });
  expect(await find({ query: 'Zzyzx Qwertyuiop', kind: 'show' })).toBeUndefined();
  expect((await later.call('find_titles', {})).error).toMatchObject({ category: 'invalid_arguments' });

  const off = await me.again({ ARTWORK_INDEX: 'off' });
  expect((await off.call('find_titles', { query: 'Breaking Bad' })).isError).toBe(true);
});
