import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { eras } from '../support/host.ts';
import { at, catalogue, dig, listAt, madeId, numberAt, owner, visitor } from '../support/person.ts';
import { writeAnimation } from '../support/unique-pictures.ts';

describe.each(eras)('a person looks around, over %s', (era) => {
  it('goes from the news to a Set, its work and its pictures side by side', async () => {
    const { baseUrl } = await catalogue();
    const me = await visitor(baseUrl, {}, { era });
    const news = await me.call('read_feed', { feed: 'sets', kind: 'show_set', limit: 1 });
    const id = numberAt(news, 'data', 0, 'setId');
    const set = await me.call('get_set', { kind: 'show_set', id });
    expect(set.data).toMatchObject({ id, show: { id: expect.any(Number) } });
    const show = await me.call('get_entity', { kind: 'show', id: numberAt(set, 'data', 'show', 'id') });
    expect(show.data).toMatchObject({ kind: 'show' });
    const seasons = await me.call('get_entity', {
      kind: 'show',
      id: numberAt(show, 'data', 'id'),
      include: ['seasons'],
    });
    const season = numberAt(seasons, 'data', 'seasons', 0, 'id');
    expect((await me.call('get_entity', { kind: 'season', id: season })).data).toMatchObject({
      kind: 'season',
      show: { id: numberAt(show, 'data', 'id') },
    });

    const films = await me.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 2 });
    const looked = await me.call('view_artwork', {
      items: [0, 1].map((one) => ({
        kind: 'movie_set',
        id: numberAt(films, 'data', one, 'setId'),
        slot: 'poster',
      })),
      size: 128,
      page: true,
    });
    expect(listAt(looked, 'data')).toHaveLength(2);
    expect(looked.pictures).toHaveLength(1);
    const { width = 0, height = 0 } = await sharp(looked.pictures[0]).metadata();
    expect(Math.max(width, height)).toBeGreaterThan(100);
    const page = new URL(at(looked, 'page'));
    expect(page.protocol).toBe('file:');
    expect(existsSync(fileURLToPath(page))).toBe(true);
  });
});

it('a person pages through a long list with cursors that outlive the server, and that are for this list alone', async () => {
  const { baseUrl } = await catalogue();
  const me = await visitor(baseUrl);
  const first = await me.call('list_episodes', { limit: 3 });
  const cursor = at(first, 'nextCursor');
  await me.kill();
  const later = await me.again();
  const second = await later.call('list_episodes', { limit: 3, cursor });
  const ids = [first, second].flatMap((answer) => listAt(answer, 'data').map((one) => at(one, 'id')));
  expect(new Set(ids).size).toBe(6);
  const wrong = await later.call('read_feed', { feed: 'sets', cursor });
  expect(wrong.error).toMatchObject({ category: 'invalid_arguments' });
});

it('a person is told what is not there, and which argument is wrong, before anything is asked', async () => {
  const me = await owner();
  const { control } = me;
  expect((await me.call('get_entity', { kind: 'movie', id: 987_654_321 })).error).toMatchObject({
    category: 'not_found',
    status: 404,
  });
  const before = (await control.requests()).length;
  for (const args of [{ kind: 'movie' }, { kind: 'movie', id: 'x' }, { kind: 'movie', id: 1, more: 1 }])
    expect((await me.call('get_entity', args)).error).toMatchObject({ category: 'invalid_arguments' });
  expect(await control.requests()).toHaveLength(before);
});

it('looks at an upload once it is shown, at its frames, and at the one that stands for it', async () => {
  const me = await owner();
  // Another category than the one that other journeys of this server give their pictures to: it has a page of its own.
  const feed = await me.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 200 });
  const targetId = Math.max(
    ...listAt(feed, 'data').map((_, at) => numberAt(feed, 'data', at, 'target', 'id')),
  );
  const file = await writeAnimation(me.uploads);
  const upload = { operation: 'add', slot: 'poster', targetKind: 'category', targetId, file };
  const made = await me.call('upload_asset', {
    ...upload,
    clientMutationId: await me.newId(),
    expectedUpdatedAt: 'none',
  });
  const assetId = madeId(made);
  const items = [{ kind: 'category', id: targetId, slot: 'posters' }];
  const mine = async () => {
    const { data } = await me.call('view_artwork', { items, size: 64 });
    return (Array.isArray(data) ? data : []).find((one) => JSON.stringify(one).includes(assetId)) ?? null;
  };
  await expect.poll(mine).toMatchObject({ original: { frames: 3 } });

  const frames = await me.call('view_artwork', { items: [{ assetId }], frames: true });
  expect(listAt(frames, 'data').map((one) => dig(one, 'selectedSourceFrame'))).toEqual([0, 1, 2]);
  const tones = async (picture: Buffer | string | undefined, page = 0) =>
    (await sharp(picture, { page }).removeAlpha().stats()).channels.map(({ mean }) => mean);
  /** The number of the frame whose tones are nearest to those of the picture that is shown. */
  const shown = async () => {
    const { pictures } = await me.call('view_artwork', { items: [{ assetId }], size: 64 });
    const seen = await tones(pictures[0]);
    const distances = await Promise.all(
      [0, 1, 2].map(async (page) => {
        const frame = await tones(file, page);
        return frame.reduce((sum, tone, channel) => sum + Math.abs(tone - (seen[channel] ?? 0)), 0);
      }),
    );
    return distances.indexOf(Math.min(...distances));
  };
  expect(await shown()).toBe(0);
  const own = await me.call('get_owned', { type: 'asset', id: assetId });
  await me.call('select_preview_frame', {
    clientMutationId: await me.newId(),
    expectedUpdatedAt: at(own, 'updatedAt'),
    assetId,
    selectedSourceFrame: 2,
  });
  expect(await shown()).toBe(2);
});

it('reads every kind of work, Set and group that the catalogue has', async () => {
  const me = await owner();
  for (const kind of works) {
    const feed = await me.call('read_feed', { feed: 'assets', targetKind: kind, limit: 1 });
    const id = numberAt(feed, 'data', 0, 'target', 'id');
    expect((await me.call('get_entity', { kind, id })).data).toMatchObject({ id, kind });
  }
  for (const kind of sets) {
    const feed = await me.call('read_feed', { feed: 'sets', kind, limit: 1 });
    const id = numberAt(feed, 'data', 0, 'setId');
    expect((await me.call('get_set', { kind, id })).data).toMatchObject({ id });
  }
  for (const [kind, family] of [['boxset'], ['loadout', 'game']]) {
    const own = await me.call('find_upload_destinations', { kind: 'boxset', ...(family ? { family } : {}) });
    const id = numberAt(own, 'data', 0, 'id');
    expect((await me.call('get_set', { kind, id })).data).toMatchObject({ id, sets: expect.any(Array) });
  }
});

const works = [
  ...['show', 'season', 'episode', 'movie', 'collection', 'game'],
  ...['company', 'network', 'person', 'category'],
];
const sets = ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set'];
