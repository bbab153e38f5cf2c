import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dig, listAt, numberAt, owner, startVisitor, visitor } from '../support/person.ts';
import { json } from '../support/scripted-service.ts';
import { artwork, type SetService, showSet, startSetService } from '../support/set-service.ts';
import { change } from './scripted-feed.ts';

let service: SetService;
let me: Awaited<ReturnType<typeof startVisitor>>;
beforeAll(async () => {
  service = await startSetService();
  me = await startVisitor(service.baseUrl);
});
beforeEach(() => {
  for (const shown of [service.sets, service.pictures, service.feeds]) shown.clear();
});
afterAll(async () => {
  await me.leave();
  await service.close();
});

it('an audit says what a Set lacks, and what it could not read', async () => {
  plantShow(4);
  service.sets.set('/show-set/7', showSet(7, 'Show 7', [artwork(1), null, artwork(3), null]));
  const codes = async (id: number) => {
    const [line] = listAt(await me.call('audit_sets', { kind: 'show_set', id }), 'data');
    expect(line).toMatchObject({ kind: 'show_set', id });
    return listAt(line, 'findings').map((finding) => dig(finding, 'code'));
  };
  expect(await codes(7)).toContain('missing');
  expect((await me.call('audit_sets', { kind: 'show_set', id: 404 })).isError).toBe(true);

  // One that can't be read is told among those that can.
  const member = (id: number) => ({
    ...{ id, kind: 'show_set', title: `Show ${id}`, createdBy: 'Ada', dateUpdated: '2026-11-01T00:00:00Z' },
    show: { id: 1, title: `Show ${id}`, year: 2008 },
  });
  service.sets.set('/boxsets/1', {
    ...{ id: 1, title: 'Box', description: null, createdBy: 'Ada', language: 'en', poster: null },
    ...{ dateCreated: '2026-01-01T00:00:00Z', dateUpdated: '2026-11-01T00:00:00Z' },
    sets: [member(7), member(9)],
  });
  service.pictures.set('/show-set/9', (response) => json(response, 500, { data: null }));
  const told = await me.call('audit_sets', { kind: 'boxset', id: 1 });
  expect(told.isError).toBe(false);
  expect(dig(told, 'counts')).toMatchObject({ sets: 2, failed: 1 });
});

it('an audit of sixty Sets of a show has a line for each, and joins what follows one another', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => 100 + at);
  // This server has not yet read the show of the audit before.
  const me = await visitor(service.baseUrl);
  plantShow(40, ids);
  // Each has the title card of one episode of the first season, and of none of the second.
  for (const id of ids) {
    const cards = Array.from({ length: 40 }, (_, at) => (at === id % 40 ? artwork(id) : null));
    service.sets.set(`/show-set/${id}`, showSet(id, `A rather long name of a Set, ${id}`, cards));
  }
  const told = await me.call('audit_sets', { targetKind: 'show', targetId: 1 });
  expect(listAt(told, 'data').map((line) => dig(line, 'id'))).toEqual(ids);
  expect(dig(told, 'counts')).toMatchObject({ sets: 60, withFindings: 60 });
  expect(told.text.length).toBeLessThan(18_000);
  const [one] = listAt(await me.call('audit_sets', { kind: 'show_set', id: 100 }), 'data');
  const [finding] = listAt(one, 'findings');
  expect(dig(finding, 'words')).toMatch(/\bS02E01–E40\b/);
  expect(dig(finding, 'words')).not.toMatch(/[“”(]/);
});

/** A show with so many episodes in each of its seasons: one, and another where Sets of it are listed. */
function plantShow(episodes: number, sets: readonly number[] = []): void {
  const show = { id: 1, kind: 'show', title: 'Show 7' };
  const seasons = (sets.length > 0 ? [1, 2] : [1]).map((seasonNumber) => ({
    ...{ id: 10 * seasonNumber, kind: 'season', title: `Season ${seasonNumber}`, seasonNumber },
    airDate: '2008-01-01',
  }));
  service.sets.set('/shows/1', {
    ...{ ...show, overview: '', tagline: null, status: 'ended', year: 2008 },
    ...{
      firstAirDate: '2008-01-01',
      lastAirDate: '2008-02-01',
      numberOfSeasons: seasons.length,
      numberOfEpisodes: episodes,
    },
    metadataImages: { poster: null, backdrop: null, logo: null },
    assets: { posters: [], backdrops: [], logos: [], squareArts: [], thumbs: [] },
    ...{ seasons, sets: sets.map((id) => ({ id, title: `Set ${id}`, createdBy: 'Ada' })) },
  });
  for (const season of seasons) {
    service.sets.set(`/seasons/${season.id}`, {
      ...{ ...season, metadataImages: { poster: null }, assets: { posters: [], backdrops: [] }, show },
      episodes: Array.from({ length: episodes }, (_, index) => ({
        ...{ id: season.id * 100 + index, kind: 'episode', title: `Episode ${index + 1}` },
        ...{ episodeNumber: index + 1, airDate: '2008-01-01' },
      })),
    });
  }
}

it('an audit of one’s own Sets has a line for each', async () => {
  const creator = await owner(1);
  const own = await creator.call('find_upload_destinations', { kind: 'media_set' });
  const ids = listAt(own, 'data').map((one) => numberAt(one, 'id'));
  const told = await creator.call('audit_sets', { mine: true });
  expect(told.isError).toBe(false);
  for (const id of ids.slice(0, 3)) expect(told.text).toContain(String(id));
});

it('changes are told by creator and target since a time, and since the last look where none is given', async () => {
  const feeds = { at: Date.now() };
  const item = (id: number, minutesAgo: number) => ({
    ...{ setId: id, kind: 'show_set', changeType: 'updated' },
    changedAt: new Date(feeds.at - minutesAgo * 60_000).toISOString(),
  });
  for (const id of [7, 8]) service.sets.set(`/show-set/${id}`, showSet(id, `Show ${id}`, [artwork(id)]));
  service.feeds.set('assets', [change(1)]);
  service.feeds.set('sets', [item(8, 5), item(7, 90), item(7, 600)]);
  const since = new Date(feeds.at - 60 * 60_000).toISOString();
  const recent = await me.call('list_changes', { since });
  expect(recent.text).toContain('Show 8');
  expect(recent.text).not.toContain('Show 7');
  expect(dig(recent, 'coverage')).toMatchObject({ complete: true });
  const all = await me.call('list_changes', { since: new Date(feeds.at - 3 * 60 * 60_000).toISOString() });
  expect(all.text).toContain('Show 7');
});

it('what is watched is kept for one user across servers, and told alone', async () => {
  for (const id of [7, 8]) service.sets.set(`/show-set/${id}`, showSet(id, `Show ${id}`, [artwork(id)]));
  service.feeds.set('assets', []);
  service.feeds.set(
    'sets',
    [7, 8].map((setId) => ({
      ...{ setId, kind: 'show_set', changeType: 'updated' },
      changedAt: new Date(Date.now() - 60_000).toISOString(),
    })),
  );
  expect((await me.call('watch')).data).toEqual([]);
  const added = await me.call('watch', { add: [{ kind: 'show_set', id: 7 }] });
  expect(listAt(added, 'data')).toMatchObject([{ kind: 'show_set', id: 7 }]);
  const later = await me.again();
  const news = await later.call('list_changes', {
    scope: 'watched',
    since: new Date(Date.now() - 3_600_000).toISOString(),
  });
  expect(news.text).toContain('Show 7');
  expect(news.text).not.toContain('Show 8');
  const stranger = await me.again({ ARTWORK_USER: 'other' });
  expect((await stranger.call('watch')).data).toEqual([]);
  const removed = await later.call('watch', { remove: [{ kind: 'show_set', id: 7 }] });
  expect(removed.data).toEqual([]);
});

it('the news of one title are found among those of many others, in one answer', async () => {
  const at = Date.now();
  const ids = Array.from({ length: 300 }, (_, number) => number + 1);
  for (const id of ids) {
    const assets = { posters: [{ id: change(id).assetId, createdBy: 'Ada', setId: null }] };
    service.sets.set(`/movies/${id}`, { id, kind: 'movie', title: `Film ${id}`, assets });
  }
  service.feeds.set(
    'assets',
    ids.map((id) => ({
      ...change(id),
      target: { id, kind: 'movie' },
      changedAt: new Date(at - id * 60_000).toISOString(),
    })),
  );
  service.sets.set('/show-set/7', showSet(7, 'Show 7', [artwork(7)]));
  const changedAt = new Date(at - 400 * 60_000).toISOString();
  service.feeds.set('sets', [{ setId: 7, kind: 'show_set', changeType: 'updated', changedAt }]);
  await me.call('watch', { add: [{ kind: 'movie', id: 300 }] });
  const since = new Date(at - 3_600_000 * 24).toISOString();
  const news = await me.call('list_changes', { scope: 'watched', since });
  expect(listAt(news, 'data', 0, 'targets')).toMatchObject([{ kind: 'movie', id: 300 }]);
  const all = await me.call('list_changes', { since, changeType: 'updated' });
  expect(listAt(all, 'data', 0, 'targets')).toMatchObject([{ kind: 'show_set', id: 7 }]);
});
