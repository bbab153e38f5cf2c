import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { replaceOne, withCatalogue } from '../support/feed-truth.ts';

const list = z.object({
  data: z.array(z.object({ kind: z.string(), id: z.int(), title: z.string() })),
  warnings: z.array(z.string()).optional(),
});

let household: Household;
let server: StartedServer;

beforeAll(async () => {
  household = await startHousehold();
  server = await startServer({ ARTWORK_HOME: household.home });
});

afterAll(async () => {
  await server.stop();
  await household.remove();
});

const watch = async (args: Record<string, unknown> = {}, by = server) =>
  list.parse(toldBy(await by.call('watch', args)));

it('keeps a list with titles for one user, of which list_changes tells alone', async () => {
  expect(await watch()).toEqual({ data: [] });
  const { show, film, set } = withCatalogue(household.home, (database) => ({
    show: database.only("SELECT id FROM shows WHERE title = 'Breaking Bad'").integer('id'),
    film: database.only("SELECT id FROM movies WHERE title = 'Arrival'").integer('id'),
    set: database
      .only("SELECT id FROM sets WHERE kind = 'show_set' AND title LIKE 'Breaking Bad%' LIMIT 1")
      .integer('id'),
  }));
  const added = await watch({
    add: [
      { kind: 'Shows', id: String(show) },
      { kind: 'movie', id: film },
    ],
  });
  expect(added.data).toEqual([
    { kind: 'show', id: show, title: 'Breaking Bad (2008)' },
    { kind: 'movie', id: film, title: 'Arrival (2016)' },
  ]);

  // Of what is not watched nothing is told.
  const other = withCatalogue(household.home, (database) => {
    replaceOne(database, set, 2);
    const alien = database.only(
      "SELECT id FROM sets WHERE kind = 'movie_set' AND title LIKE 'The Terminator%' LIMIT 1",
    );
    replaceOne(database, alien.integer('id'), 1);
    return alien.integer('id');
  });
  const since = new Date(Date.now() - 60_000).toISOString();
  const changed = z.looseObject({
    data: z.array(z.object({ targets: z.array(z.looseObject({ kind: z.string(), id: z.int() })) })),
  });
  const told = changed.parse(toldBy(await server.call('list_changes', { since, scope: 'watched' })));
  const ids = told.data.flatMap(({ targets }) => targets.map(({ id }) => id));
  expect(ids).toContain(set);
  expect(ids).not.toContain(other);

  // Another process has the same list, another user none.
  const beside = await startServer({ ARTWORK_HOME: household.home });
  const stranger = await startServer({ ARTWORK_HOME: household.home, ARTWORK_USER: 'other' });
  try {
    const removed = await watch(
      {
        remove: [
          { kind: 'movie', id: film },
          { kind: 'game', id: 5 },
        ],
      },
      beside,
    );
    expect(removed.data).toEqual([{ kind: 'show', id: show, title: 'Breaking Bad (2008)' }]);
    expect(removed.warnings).toEqual(['The game 5 was not on the list.']);
    expect(await watch({}, stranger)).toEqual({ data: [] });
    const nothing = await stranger.call('list_changes', { scope: 'watched' });
    expect(toldBy(nothing)).toMatchObject({
      data: [],
      until: null,
      warnings: expect.arrayContaining([expect.stringContaining('Nothing is watched yet')]),
    });
  } finally {
    await Promise.all([beside.stop(), stranger.stop()]);
  }
  expect(await watch()).toEqual({ data: [{ kind: 'show', id: show, title: 'Breaking Bad (2008)' }] });
});

it('says from when on it tells of what is newly watched, once a look was acknowledged', async () => {
  const game = withCatalogue(household.home, (database) =>
    database.only('SELECT id FROM games LIMIT 1').integer('id'),
  );
  const seenUntil = '2026-01-08T00:00:00.000Z';
  await server.call('list_changes', { scope: 'watched', seenUntil });
  const add = [{ kind: 'game', id: game }];
  const { warnings } = await watch({ add });
  expect(warnings).toEqual([expect.stringContaining('"since":"2026-01-01T00:00:00.000Z"')]);
  expect((await watch({ add })).warnings).toBeUndefined();
  await watch({ remove: add });
});

it.each([
  ['creator', 'change_relationship'],
  ['asset', 'another id'],
  ['media_set', 'movie_set'],
  ['talent_set', 'person'],
  ['shelf', 'show'],
])('says of a %s, which has no id that stays, what would do', async (kind, words) => {
  const before = await watch();
  const { error } = errorOf(await server.call('watch', { add: [{ kind, id: 1 }] }));
  expect(error).toMatchObject({ category: 'invalid_arguments', message: expect.stringContaining(words) });
  expect(await watch()).toEqual(before);
});

it('adds nothing that is not there, and leaves the list as it was', async () => {
  const before = await watch();
  const missing = errorOf(await server.call('watch', { add: [{ kind: 'movie', id: 1 }] }));
  expect(missing.error).toMatchObject({ category: 'not_found' });
  expect(missing.next).toEqual({ why: expect.stringContaining('find_titles with kind "movie"') });
  const named = errorOf(await server.call('watch', { add: [{ kind: 'movie', id: 'Arrival' }] }));
  expect(named.error).toMatchObject({ category: 'invalid_arguments' });
  const both = [{ kind: 'movie', id: 1 }];
  const torn = errorOf(await server.call('watch', { add: both, remove: both }));
  expect(torn.error).toMatchObject({ category: 'invalid_arguments' });
  expect(await watch()).toEqual(before);
});
