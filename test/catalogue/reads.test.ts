import type http from 'node:http';
import type { RequestListener } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import {
  type CatalogueReading,
  type EntityKind,
  entities,
  type SetKind,
  sets,
} from '../../src/catalogue/records/kinds.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { documentedRecords } from '../support/interface-document.ts';
import { json } from '../support/scripted-service.ts';
import { catalogueAt, serve } from './scripted-server.ts';

const uuid = '6d8f2a52-0c0e-4f6e-9d57-4a3d5d0f7a11';

/** Answers each request with the next of these; the last one again and again. */
function inTurn(...answers: readonly ((response: http.ServerResponse) => void)[]): RequestListener {
  let turn = 0;
  return (_request, response) => answers[Math.min(turn++, answers.length - 1)]?.(response);
}

const ok = (data: unknown, meta?: unknown) => (response: http.ServerResponse) =>
  json(response, 200, { data, meta });
const no =
  (status: number, headers: http.OutgoingHttpHeaders = {}) =>
  (response: http.ServerResponse) => {
    response.writeHead(status, headers).end('{"data":null,"error":{"code":"a.code","message":"No."}}');
  };

describe('where each kind is read', () => {
  it('is its path of the interface document, below the prefix of the base URL', async () => {
    const server = await serve(inTurn(ok({ id: 7 })));
    const catalogue = catalogueAt(`${server.origin}/api/v1/`);
    for (const kind of Object.keys(entities) as EntityKind[]) await catalogue.readEntity(kind, 7);
    for (const kind of Object.keys(sets) as SetKind[]) await catalogue.readSet(kind, '7');
    const documented = documentedRecords.map(({ path }) => `GET /api/v1${path.replace('{id}', '7')}`);
    expect(server.seen.toSorted()).toEqual(documented.toSorted());
    expect(server.headers.every(({ authorization, cookie }) => authorization === cookie)).toBe(true);
  });

  it.each(['..', '.', '', '\ud800'])('is nowhere for the id %j', async (id) => {
    const server = await serve(inTurn(ok({})));
    const reading = catalogueAt(server.origin).readSet('boxset', id);
    await expect(reading).rejects.toMatchObject({ failure: 'invalid_arguments' });
    expect(server.seen).toEqual([]);
  });

  it('holds whatever an id is inside its segment', async () => {
    const server = await serve(inTurn(ok({})));
    await catalogueAt(server.origin).readSet('boxset', '../a?b#c%2f');
    expect(server.seen).toEqual(['GET /boxsets/..%2Fa%3Fb%23c%252f']);
  });
});

describe('a record', () => {
  const read = async (data: unknown) => {
    const server = await serve(inTurn(ok(data)));
    return catalogueAt(server.origin).readEntity('show', 7);
  };
  it('is what was shown, with null for what is of another type, and without elements that are none', async () => {
    const shown = {
      id: '7',
      title: 'A\u0000 title\u202e',
      year: '2002',
      status: 5,
      unnamed: { kept: [1] },
      metadataImages: { poster: 'https://images.example/a', logo: 7 },
      assets: { posters: [1, { id: 'a' }], logos: 'none' },
      seasons: [null, 'one', { id: 8, seasonNumber: '1', title: [] }],
      sets: 'none',
    };
    expect(await read(shown)).toEqual({
      id: 7,
      title: 'A title',
      year: 2002,
      status: null,
      unnamed: { kept: [1] },
      metadataImages: { poster: 'https://images.example/a', logo: null },
      assets: { posters: [1, { id: 'a' }], logos: null },
      seasons: [{ id: 8, seasonNumber: 1, title: null }],
      sets: null,
    });
  });

  const useless: readonly (readonly [string, unknown, string])[] = [
    ['of another id', { id: 8 }, 'bad_response'],
    ['that is a list', [], 'bad_response'],
    ['that is a word', 'x', 'bad_response'],
    ['that is null', null, 'not_found'],
    ['that is not there', undefined, 'bad_response'],
  ];
  test.each(useless)('%s is of no use', async (_what, data, failure) => {
    await expect(read(data)).rejects.toMatchObject({ failure });
  });

  it('is a record also where the answer lacks the frame of the interface document', async () => {
    const server = await serve((_request, response) => void response.end('{"id":7,"title":"Bare"}'));
    const found = await catalogueAt(server.origin).readEntity('show', 7);
    expect(found).toMatchObject({ id: 7, title: 'Bare' });
  });

  it.each([
    ['not JSON', 'data'],
    ['empty', ''],
    ['larger than is read', `"${'x'.repeat(9 * 1024 * 1024)}"`],
  ])('in an answer that is %s is of no use', async (_what, body) => {
    const server = await serve((_request, response) => void response.end(body));
    await expect(catalogueAt(server.origin).readEntity('show', 7)).rejects.toMatchObject({
      failure: 'bad_response',
    });
  });

  it('is told to whoever learns from reads', async () => {
    const server = await serve(inTurn(ok({ id: 7 })));
    const readings: CatalogueReading[] = [];
    const catalogue = catalogueAt(server.origin, { onReading: (reading) => void readings.push(reading) });
    await catalogue.readEntity('show', 7);
    expect(readings).toEqual([{ of: 'entity', kind: 'show', record: { id: 7 } }]);
  });
});

describe('a read', () => {
  const cut = (response: http.ServerResponse) => void response.socket?.destroy();
  const again: readonly (readonly [string, (response: http.ServerResponse) => void])[] = [
    ['503', no(503)],
    ['502', no(502)],
    ['504', no(504)],
    ['429 with a time', no(429, { 'retry-after': '0' })],
    ['a cut connection', cut],
    [
      'half an answer',
      (response) => void response.writeHead(200, { 'content-length': '99' }).write('{', () => cut(response)),
    ],
  ];
  test.each(again)('is made again after %s', async (_what, first) => {
    const server = await serve(inTurn(first, ok({ id: 7 })));
    expect(await catalogueAt(server.origin).readEntity('show', 7)).toEqual({ id: 7 });
    expect(server.seen).toHaveLength(2);
  });

  const once: readonly (readonly [number, http.OutgoingHttpHeaders, string])[] = [
    [400, {}, 'invalid_arguments'],
    [401, {}, 'not_connected'],
    [403, {}, 'forbidden'],
    [404, {}, 'not_found'],
    [410, {}, 'snapshot_expired'],
    [429, {}, 'rate_limited'],
    [500, {}, 'service_unavailable'],
    [302, { location: '/shows/8' }, 'bad_response'],
  ];
  test.each(once)('is not made again after %d', async (status, headers, failure) => {
    const server = await serve(inTurn(no(status, headers)));
    const reading = catalogueAt(server.origin).readEntity('show', 7);
    await expect(reading).rejects.toMatchObject({ failure, code: 'a.code', status });
    expect(server.seen).toHaveLength(1);
  });

  it('is given up after some tries, or where the service asks for more time than is left', async () => {
    const down = await serve(inTurn(no(503, { 'retry-after': '0' })));
    const few = catalogueAt(down.origin, { limits: { tries: 2 } });
    await expect(few.readEntity('show', 7)).rejects.toMatchObject({ failure: 'service_unavailable' });
    expect(down.seen).toHaveLength(2);
    const busy = await serve(inTurn(no(429, { 'retry-after': '60' })));
    const reading = catalogueAt(busy.origin).readEntity('show', 7, deadlineIn(5_000));
    await expect(reading).rejects.toMatchObject({
      failure: 'rate_limited',
      details: { retryAfterSeconds: 60 },
    });
    expect(busy.seen).toHaveLength(1);
  });

  it.each([
    ['nothing', () => undefined],
    ['half an answer', (response: http.ServerResponse) => void response.writeHead(200).write('{')],
  ])('is made again where the service says %s for too long', async (_what, say) => {
    const server = await serve((_request, response) => say(response));
    const catalogue = catalogueAt(server.origin, { limits: { silenceMs: 50, tries: 2 } });
    await expect(catalogue.readEntity('show', 7)).rejects.toMatchObject({ failure: 'network' });
    expect(server.seen).toHaveLength(2);
  });

  it('ends with its call', async () => {
    const server = await serve(() => undefined);
    const catalogue = catalogueAt(server.origin);
    const over = AbortSignal.abort();
    await expect(catalogue.readEntity('show', 7, deadlineIn(9_000, over))).rejects.toMatchObject({
      failure: 'cancelled',
    });
    await expect(catalogue.readEntity('show', 7, deadlineIn(50))).rejects.toMatchObject({
      failure: 'network',
    });
  });

  it('of this machine goes through no proxy', async () => {
    const server = await serve(inTurn(ok({ id: 7 })));
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = 'http://127.0.0.1:1';
    try {
      expect(await catalogueAt(server.origin).readEntity('show', 7)).toEqual({ id: 7 });
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
  });

  it('finds the catalogue again after it refused a connection', async () => {
    const server = await serve(inTurn(ok({ id: 7 })));
    const asked: boolean[] = [];
    const locate = async (fresh: boolean) => {
      asked.push(fresh);
      const baseUrl = fresh ? server.origin : 'http://127.0.0.1:1';
      return { baseUrl, assetOrigin: baseUrl };
    };
    expect(await catalogueAt(server.origin, { locate }).readEntity('show', 7)).toEqual({ id: 7 });
    expect(asked).toEqual([false, true]);
  });
});

describe('a list', () => {
  it('is read page by page, with what is known of the page', async () => {
    const meta = { snapshot: uuid, page: 1, totalPages: '2', nextPage: `/feeds/sets/pages/${uuid}/2` };
    const server = await serve(inTurn(ok([{ setId: '5' }, null, 'x'], meta), ok([])));
    const catalogue = catalogueAt(server.origin);
    const first = await catalogue.readFeedPage('sets', null);
    expect(first).toEqual({ items: [{ setId: 5 }], ...meta, totalPages: 2 });
    const last = await catalogue.readFeedPage('sets', first.nextPage);
    expect(last).toEqual({ items: [], nextPage: null, page: null, totalPages: null, snapshot: null });
    expect(server.seen).toEqual(['GET /feeds/sets', `GET /feeds/sets/pages/${uuid}/2`]);
  });

  it('goes on below the prefix of the base URL, whether or not its paths have it', async () => {
    const server = await serve(inTurn(ok([])));
    const catalogue = catalogueAt(`${server.origin}/api`);
    for (const page of ['/episodes?page=2', '/api/episodes?page=3']) await catalogue.readEpisodesPage(page);
    expect(server.seen).toEqual(['GET /api/episodes?page=2', 'GET /api/episodes?page=3']);
  });

  it.each([
    'https://elsewhere.example/episodes/2',
    '//elsewhere.example/episodes/2',
    '/episodes',
    '/episodes/',
    '/episodesandmore',
    '/feeds/sets',
    '/episodes/../me/assets/1',
    '/episodes/%2e%2e/me',
    '/episodes/a%2f..%2fme',
    '/episodes/..',
    '/episodes/.?page=2',
    '/episodes\\..\\me',
    '/episodes/2#x',
    '/episodes/2 HTTP/1.1',
    `/episodes/${'x'.repeat(3_000)}`,
  ])('does not go on at %j', async (nextPage) => {
    const server = await serve(inTurn(ok([])));
    const reading = catalogueAt(server.origin).readEpisodesPage(nextPage);
    await expect(reading).rejects.toMatchObject({ failure: 'bad_response' });
    expect(server.seen).toEqual([]);
  });

  it.each([
    ['of nothing but wrong elements', { data: [1, 'x'] }],
    ['that is none', { data: { items: [] } }],
    ['whose next page can not be read', { data: [], meta: { nextPage: 7 } }],
  ])('%s is an error, not an empty list', async (_what, body) => {
    const server = await serve((_request, response) => json(response, 200, body));
    await expect(catalogueAt(server.origin).readFeedPage('assets', null)).rejects.toMatchObject({
      failure: 'bad_response',
    });
  });
});
