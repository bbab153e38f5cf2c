import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Answer } from '../support/host.ts';
import { at, dig, listAt, startVisitor } from '../support/person.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { change, scriptedFeed } from './scripted-feed.ts';

let service: ScriptedService;
let me: Awaited<ReturnType<typeof startVisitor>>;
/** What the service answers in a journey. */
let answer: RequestListener;
beforeAll(async () => {
  service = await startScriptedService((request, response) => answer(request, response));
  me = await startVisitor(service.baseUrl);
});
beforeEach(() => {
  service.requests.splice(0);
});
afterAll(async () => {
  await me.leave();
  await service.close();
});

const idsOf = (answer: Answer) => listAt(answer, 'data').map((one) => at(one, 'assetId'));

/** Every id from here on, until there is no cursor; `between` is done after each part. */
async function readOn(args: Record<string, unknown>, between: () => void = () => {}) {
  const ids: string[] = [];
  for (let cursor: unknown; cursor !== null; ) {
    const part = await me.call('read_feed', {
      feed: 'assets',
      ...args,
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...idsOf(part));
    cursor = dig(part, 'nextCursor');
    between();
  }
  return ids;
}

it('a feed is read to its end through the paths that it names, whatever the size of a part, and filtered', async () => {
  const feed = scriptedFeed(35);
  answer = feed.answer;
  expect(await readOn({ limit: 4 })).toEqual(feed.changes.map(({ assetId }) => assetId));
  expect(feed.guessed).toEqual([]);
  const posters = await readOn({ slot: 'poster', limit: 200 });
  expect(posters).toEqual(feed.changes.flatMap(({ slot, assetId }) => (slot === 'poster' ? [assetId] : [])));
  const recent = await me.call('read_feed', { feed: 'assets', since: feed.changes[9]?.changedAt ?? '' });
  expect(idsOf(recent)).toHaveLength(10);
  expect(dig(recent, 'coverage')).toMatchObject({ newest: feed.changes[0]?.changedAt });
});

it('a feed is not read further back than the time that is asked for, and never beyond one page more', async () => {
  const feed = scriptedFeed(300);
  answer = feed.answer;
  const since = feed.changes[24]?.changedAt ?? '';
  const recent = await me.call('read_feed', { feed: 'assets', since, limit: 200 });
  expect([idsOf(recent).length, dig(recent, 'nextCursor')]).toEqual([25, null]);
  expect(service.requests).toHaveLength(4);
});

it('a feed that grows while its first page is read in parts tells each change once', async () => {
  const feed = scriptedFeed(30);
  answer = feed.answer;
  const all = feed.changes.map(({ assetId }) => assetId);
  let number = 100;
  const ids = await readOn({ limit: 3 }, () => {
    number += 1;
    if (number < 140) feed.changes = [change(number), change(number + 100), ...feed.changes];
  });
  expect(ids.filter((id) => all.includes(id))).toEqual(all);
  expect(new Set(ids).size).toBe(ids.length);
});

it('a feed whose snapshot expires between two parts is begun anew: each change once, with what is new', async () => {
  const feed = scriptedFeed(25);
  answer = feed.answer;
  const all = feed.changes.map(({ assetId }) => assetId);
  let isOnce = true;
  const ids = await readOn({ limit: 7 }, () => {
    if (isOnce) {
      feed.changes = [change(99), ...feed.changes];
      feed.expire();
    }
    isOnce = false;
  });
  expect(ids.filter((id) => all.includes(id))).toEqual(all);
  expect(new Set(ids).size).toBe(ids.length);
});

it('a feed that runs in circles ends, after twenty pages at most for a call; one that says nothing is an error of that call alone', async () => {
  const snapshot = '00000000-0000-4000-8000-00000000feed';
  answer = ({ url }, response) =>
    url?.startsWith('/feeds/sets') === true
      ? json(response, 500, { data: null })
      : json(response, 200, {
          data: [change(1)],
          meta: { snapshot, page: 1, totalPages: 9_999, nextPage: `/feeds/assets/pages/${snapshot}/2` },
        });
  const circling = await me.call('read_feed', { feed: 'assets', slot: 'logo' });
  expect(circling.error).toMatchObject({ category: 'bad_response' });
  expect(service.requests.length).toBeLessThanOrEqual(20);
  const unsaid = await me.call('read_feed', { feed: 'sets' });
  expect(unsaid.error).toMatchObject({ category: 'service_unavailable' });
});

it('a feed without end is read twenty pages at a time', async () => {
  const snapshot = '00000000-0000-4000-8000-00000000feed';
  answer = ({ url = '' }, response) => {
    const page = Number(/\/(\d+)$/.exec(url)?.[1] ?? 1);
    const nextPage = `/feeds/assets/pages/${snapshot}/${page + 1}`;
    json(response, 200, { data: [change(page)], meta: { snapshot, page, totalPages: 9_999, nextPage } });
  };
  const part = await me.call('read_feed', { feed: 'assets', slot: 'logo' });
  expect(idsOf(part)).toEqual([]);
  expect(dig(part, 'nextCursor')).toEqual(expect.any(String));
  expect(service.requests).toHaveLength(20);
});
