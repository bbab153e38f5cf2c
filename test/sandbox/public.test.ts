import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { read } from '../contract/read.ts';
import { records } from '../contract/schemas.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

let embedded: Embedded;
let baseUrl: string;

beforeAll(async () => {
  embedded = await startEmbedded();
  baseUrl = embedded.sandbox.baseUrl;
});

afterAll(() => embedded.stop());

const showNamed = async (title: string) => {
  const id = embedded.sandbox.database.only('SELECT id FROM shows WHERE title = ?', title).integer('id');
  return (await read(baseUrl, `/shows/${id}`, z.strictObject({ data: records.shows }))).data;
};
const season = async (id: number | undefined) =>
  (await read(baseUrl, `/seasons/${id}`, z.strictObject({ data: records.seasons }))).data;

describe('below a path prefix', () => {
  test('lie the API, and not the pictures', async () => {
    const { origin, database } = embedded.sandbox;
    expect(baseUrl).toBe(`${origin}/catalogue/v1`);
    const show = database.only('SELECT id FROM shows LIMIT 1').integer('id');
    const asset = database.only("SELECT id FROM assets WHERE format = 'png' LIMIT 1").text('id');
    for (const [url, status] of [
      [`${baseUrl}/shows/${show}`, 200],
      [`${origin}/shows/${show}`, 404],
      [`${baseUrl}x/shows/${show}`, 404],
      [`${origin}/artwork/${asset}.png`, 200],
      [`${baseUrl}/artwork/${asset}.png`, 404],
    ] as const) {
      expect((await fetch(url, { method: 'HEAD' })).status, url).toBe(status);
    }
  });

  test('nextPage is still a path of the API', async () => {
    for (const path of ['/feeds/assets', '/feeds/sets', '/episodes']) {
      const body: unknown = await (await fetch(baseUrl + path)).json();
      const { meta } = z.object({ meta: z.object({ nextPage: z.string() }) }).parse(body);
      expect(meta.nextPage.startsWith(`${path}/pages/`)).toBe(true);
    }
  });
});

test('an element of an assets array is as assumed', async () => {
  const element = z.strictObject({
    id: z.uuid(),
    path: z.string().regex(/^\/artwork\/[0-9a-f-]{36}\.(png|jpg|webp)$/),
    languageCode: z.string().nullable(),
    edition: z.string().nullable(),
    createdBy: z.string().nullable(),
    setId: z.int().nullable(),
    width: z.int().positive(),
    height: z.int().positive(),
    dateCreated: z.iso.datetime(),
    dateUpdated: z.iso.datetime(),
  });
  const { assets } = await showNamed('Breaking Bad');
  const elements = z.array(element).parse(Object.values(assets).flat());
  expect(elements.some(({ setId }) => setId === null)).toBe(true);
  expect(elements.some(({ setId }) => setId !== null)).toBe(true);
});

test('a Set is found under its own kind only', async () => {
  const movieSet = embedded.sandbox.database
    .only("SELECT id FROM sets WHERE kind = 'movie_set' LIMIT 1")
    .integer('id');
  expect((await fetch(`${baseUrl}/movie-set/${movieSet}`)).status).toBe(200);
  for (const kind of ['show-set', 'game-set', 'collection-set', 'brand-set']) {
    expect((await fetch(`${baseUrl}/${kind}/${movieSet}`)).status, kind).toBe(404);
  }
});

test('Talent and Category Sets have no public read', async () => {
  const { database } = embedded.sandbox;
  for (const row of database.all("SELECT id FROM sets WHERE kind IN ('talent_set', 'category_set')")) {
    for (const kind of ['movie-set', 'show-set', 'game-set', 'collection-set', 'brand-set']) {
      expect((await fetch(`${baseUrl}/${kind}/${row.integer('id')}`)).status).toBe(404);
    }
  }
});

describe('what is rare', () => {
  test('specials are episodes of season 0, which is no season; dates may be missing; numbers may come twice', async () => {
    const show = await showNamed('The Department of Miscounted Parcels');
    expect(show.tagline).toBeNull();
    expect(show.seasons.map(({ seasonNumber }) => seasonNumber)).toEqual([0, 1, 2]);
    expect(show.numberOfSeasons).toBe(2);
    const [specials, first, second] = await Promise.all(show.seasons.map(({ id }) => season(id)));
    expect(show.numberOfEpisodes).toBe([specials, first, second].flatMap((one) => one?.episodes).length);
    expect([show.firstAirDate, show.lastAirDate]).toEqual(['2018-12-24', '2020-12-24']);
    expect(specials?.episodes.map(({ airDate }) => airDate)).toContain(null);
    const fours = first?.episodes.filter(({ episodeNumber }) => episodeNumber === 4) ?? [];
    expect(new Set(fours.map(({ id }) => id)).size).toBe(2);
    expect(first?.episodes[0]?.episodeNumber).toBe(0);
  });

  test('a show of which nothing was shown has no dates', async () => {
    expect(await showNamed('The Unfilmed Hours of Zibbidy Marmaladium')).toMatchObject({
      year: null,
      firstAirDate: null,
      lastAirDate: null,
      numberOfSeasons: 1,
      numberOfEpisodes: 0,
    });
  });

  test('a show of specials only has their dates', async () => {
    expect(await showNamed('One Very Small Winter Special from Nowhere-on-Sea')).toMatchObject({
      year: 2017,
      firstAirDate: '2017-12-21',
      lastAirDate: '2017-12-21',
      numberOfSeasons: 0,
      numberOfEpisodes: 1,
    });
  });

  test('the end of a show may be a special', async () => {
    expect(await showNamed('The Office')).toMatchObject({
      firstAirDate: '2001-07-09',
      lastAirDate: '2003-12-27',
      numberOfSeasons: 2,
      numberOfEpisodes: 14,
    });
  });

  test('a Show Set names every season and episode, with null where it has nothing', async () => {
    const { sets } = await showNamed('Breaking Bad');
    const ofCards = await Promise.all(
      sets.map(({ id }) => read(baseUrl, `/show-set/${id}`, z.strictObject({ data: records['show-set'] }))),
    );
    const gap = ofCards.find(({ data }) => {
      const cards = data.show.seasons.map(
        ({ episodes }) => episodes.filter(({ titlecard }) => titlecard).length,
      );
      return cards.some((count) => count > 0) && cards.some((count) => count === 0);
    });
    expect(gap?.data.show.seasons.map(({ episodes }) => episodes.length)).toEqual([7, 13, 13, 13, 16]);
  });
});
