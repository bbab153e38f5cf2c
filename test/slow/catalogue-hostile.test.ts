import { jsonOfRecord } from '../../src/catalogue/records/shown.ts';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deadlineIn, unhurried } from '../../src/deadline.ts';
import type { Log } from '../../src/log.ts';
import { freePort } from '../support/free-port.ts';
import { catalogueAt, json, type Script, serve, serveRaw } from '../catalogue/scripted-server.ts';

const good = { data: { id: 1, kind: 'show', title: 'A title' } };

describe('an answer that is of no use says what is wrong, and is not asked for again', () => {
  const say = (body: string, headers: Record<string, string> = {}, status = 200): Script => {
    return (_request, response) => void response.writeHead(status, headers).end(body);
  };
  const useless: readonly (readonly [string, Script, RegExp])[] = [
    ['nothing', say(''), /is empty/],
    ['204', say('', {}, 204), /is empty/],
    ['white space', say(' \n'), /is empty/],
    ['HTML', say('<html>', { 'content-type': 'text/html' }), /not JSON \(content type text\/html\)/],
    ['cut JSON', say('{"data":{"id":1'), /not JSON/],
    ['a string', say('"show"'), /not an object but a string/],
    ['a number', say('5'), /not an object but a number/],
    ['null', say('null'), /no data/],
    ['a list', say('[]'), /not an object but a list/],
    ['no data', say('{}'), /no data/],
    ['null as data', say('{"data":null}'), /no data/],
    ['a string as data', say('{"data":"x"}'), /not an object but a string/],
    ['a list as data', say('{"data":[]}'), /not an object but a list/],
    ['another program’s status', say('{"status":"ok"}'), /no data/],
    ['an abyss', say('['.repeat(100_000) + ']'.repeat(100_000)), /nested too deeply/],
    ['a deep field', say(`{"data":{"a":${'['.repeat(80)}${']'.repeat(80)}}}`), /nested too deeply/],
    ['an unknown encoding', say('x', { 'content-encoding': 'zstd' }), /encoding that was not asked for/],
    ['a broken encoding', say('x', { 'content-encoding': 'gzip' }), /gzip encoding is broken/],
    ['a redirect', say('', { location: '/shows/2' }, 302), /redirect \(302\).*ARTWORK_BASE_URL/],
    ['a lasting redirect', say('', { location: 'https://elsewhere.example/' }, 308), /ARTWORK_BASE_URL/],
    ['an error in a 200', say('{"data":null,"error":{"code":"odd","message":"Odd."}}'), /Odd\./],
  ];
  test.each(useless)('%s', async (_what, script, message) => {
    const server = await serve(script);
    await expect(catalogueAt(server.origin).readEntity('show', 1)).rejects.toMatchObject({
      name: 'ArtworkError',
      category: 'bad_response',
      message: expect.stringMatching(message),
    });
    expect(server.seen).toEqual(['GET /shows/1']);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'wrong elements alone',
      { data: [1, 'two', null] },
      /the list holds nothing but elements of a wrong type/,
    ],
    [
      'more wrong elements than can be an oversight',
      { data: [{ setId: 1 }, ...Array.from({ length: 200 }, () => 0), { setId: 2 }] },
      /more than 100 of its fields and elements .* \[1\] first/,
    ],
    [
      'more wrong fields than can be an oversight',
      { data: Array.from({ length: 200 }, (_, setId) => ({ setId, kind: 5 })) },
      /more than 100 of its fields and elements .* \[0\]\.kind first/,
    ],
    [
      'a next page that is no path',
      { data: [{ setId: 1 }], meta: { nextPage: 5 } },
      /nextPage is not a path/,
    ],
  ])('a feed of %s', async (_what, body, message) => {
    const server = await serve((_request, response) => json(response, 200, body));
    await expect(catalogueAt(server.origin).readFeedPage('sets', null)).rejects.toMatchObject({
      category: 'bad_response',
      message: expect.stringMatching(message),
    });
    expect(server.seen).toHaveLength(1);
  });

  test('a record with a list of wrong elements alone', async () => {
    const data = { id: 1, seasons: ['one', 'two'] };
    const server = await serve((_request, response) => json(response, 200, { data }));
    await expect(catalogueAt(server.origin).readEntity('show', 1)).rejects.toMatchObject({
      category: 'bad_response',
      message: expect.stringMatching(/seasons holds nothing but elements of a wrong type/),
    });
  });

  test('a feed that is no list', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 1 } }));
    await expect(catalogueAt(server.origin).readFeedPage('sets', null)).rejects.toMatchObject({
      category: 'bad_response',
      message: expect.stringMatching(/not a list but a object|not a list but an object/),
    });
  });
});

describe('an answer that is odd is read all the same', () => {
  test('missing, null and further fields, unknown words, numbers as strings', async () => {
    const show = {
      id: '17',
      kind: 'anime',
      title: null,
      status: 'postponed by weather',
      seasons: [{ id: 's1', seasonNumber: '2', airDate: null, mood: 'good' }],
      assets: { posters: [{ x: 1 }, 'p', null], holograms: [1] },
      metadataImages: null,
      rating: { stars: 5 },
    };
    const server = await serve((_request, response) => json(response, 200, { data: show, meta: {}, v: 2 }));
    expect(await catalogueAt(server.origin).readEntity('show', 17)).toEqual({
      ...show,
      id: 17,
      seasons: [{ id: 's1', seasonNumber: 2, airDate: null, mood: 'good' }],
    });
  });

  test('without its wrapping', async () => {
    const server = await serve((_request, response) => json(response, 200, { id: 3, data: 'a field' }));
    expect(await catalogueAt(server.origin).readSet('movie_set', 3)).toEqual({ id: 3, data: 'a field' });
  });

  test('a list without its wrapping, or without meta', async () => {
    const server = await serve((request, response) =>
      json(response, 200, request.url === '/episodes' ? [{ id: 1 }] : { data: [{ setId: '2' }], meta: 'x' }),
    );
    const catalogue = catalogueAt(server.origin);
    expect(await catalogue.readEpisodesPage(null)).toMatchObject({ items: [{ id: 1 }], nextPage: null });
    expect(await catalogue.readFeedPage('sets', null)).toMatchObject({
      items: [{ setId: 2 }],
      nextPage: null,
    });
  });

  test('fields of the wrong type become null, elements are left out, and both are told', async () => {
    const warnings: string[] = [];
    const log = { warn: (line: string) => warnings.push(line) } as unknown as Log;
    const server = await serve((_request, response) =>
      json(response, 200, {
        data: [
          { assetId: 5, slot: 'poster', target: 'movie', replacements: [1, { newAssetId: 'n' }, null] },
          'not an item',
          { assetId: 'a2', changedAt: ['x'] },
        ],
        meta: { nextPage: null, page: 'one', totalPages: '9' },
      }),
    );
    const page = await catalogueAt(server.origin, { log }).readFeedPage('assets', null);
    expect(page).toEqual({
      items: [
        { assetId: null, slot: 'poster', target: null, replacements: [{ newAssetId: 'n' }] },
        { assetId: 'a2', changedAt: null },
      ],
      nextPage: null,
      page: null,
      totalPages: 9,
      snapshot: null,
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Answer of \/feeds\/assets: \[0\]\.assetId is not what .*, and 3 more\.$/);
  });

  test('names that reach for prototypes are only names', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        '{"data":{"id":1,"__proto__":{"polluted":true},"constructor":"c","\\u200b__proto__":{"polluted":1}}}',
      );
    });
    const show = jsonOfRecord(await catalogueAt(server.origin).readEntity('show', 1));
    expect(show.polluted).toBeUndefined();
    expect(Object.getPrototypeOf(show)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(show.constructor).toBe('c');
  });

  test('compressed, though nothing of the kind was asked for', async () => {
    const server = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(good)));
    });
    expect(await catalogueAt(server.origin).readEntity('show', 1)).toEqual(good.data);
  });

  test('with a byte order mark', async () => {
    const server = await serve((_request, response) => void response.end(`\ufeff${JSON.stringify(good)}`));
    expect(await catalogueAt(server.origin).readEntity('show', 1)).toEqual(good.data);
  });
});

describe('an answer that is too much', () => {
  test('is refused while it is read', async () => {
    let written = 0;
    const server = await serve((_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      const more = () => {
        if (response.destroyed) return;
        written += chunk.length;
        response.write(chunk, more);
      };
      more();
    });
    await expect(catalogueAt(server.origin).readEntity('show', 1)).rejects.toMatchObject({
      category: 'bad_response',
      message: expect.stringMatching(/larger than 8 MiB/),
    });
    expect(server.seen).toHaveLength(1);
    await vi.waitFor(() => expect(written).toBeLessThan(32 * 1024 * 1024));
  });

  test('is refused when it only grows when it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const server = await serve(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect(catalogueAt(server.origin).readEntity('show', 1)).rejects.toMatchObject({
      category: 'bad_response',
      message: expect.stringMatching(/larger than 8 MiB/),
    });
  });

  test('is read when it is just not too much', async () => {
    const overview = 'x'.repeat(1024 * 1024 - 60);
    const body = JSON.stringify({ data: { id: 1, overview } });
    const server = await serve((_request, response) => void response.end(body));
    const limits = { answerBytes: Buffer.byteLength(body) };
    expect(await catalogueAt(server.origin, { limits }).readEntity('show', 1)).toEqual({ id: 1, overview });
    const tighter = catalogueAt(server.origin, { limits: { answerBytes: limits.answerBytes - 1 } });
    await expect(tighter.readEntity('show', 1)).rejects.toMatchObject({ category: 'bad_response' });
  });
});

describe('errors', () => {
  const cases: readonly (readonly [number, string, string, string])[] = [
    [400, '{"data":null,"error":{"code":"invalid_id","message":"No."}}', 'invalid_arguments', 'invalid_id'],
    [401, '{"error":{"code":"token","message":"No."}}', 'not_connected', 'token'],
    [403, '{"error":"forbidden_here"}', 'forbidden', 'forbidden_here'],
    [404, '{"data":null,"error":{"code":"not_found","message":"No."}}', 'not_found', 'not_found'],
    [404, '<html>', 'not_found', 'not_found'],
    [405, '{"data":null,"error":{"code":"method","message":"No."}}', 'bad_response', 'method'],
    [409, '{"error":{"code":"busy","message":"No."}}', 'conflict', 'busy'],
    [410, '', 'snapshot_expired', 'snapshot_expired'],
    [418, '"teapot"', 'bad_response', 'bad_response'],
    [429, '{"code":"slow_down","message":"No."}', 'rate_limited', 'slow_down'],
    [500, '[]', 'service_unavailable', 'service_unavailable'],
    [500, '{"error":{"code":5,"message":["x"]}}', 'service_unavailable', 'service_unavailable'],
  ];
  test.each(cases)('%i %s', async (status, body, category, code) => {
    const server = await serve((_request, response) => void response.writeHead(status).end(body));
    await expect(catalogueAt(server.origin).readEntity('show', 1)).rejects.toMatchObject({
      category,
      code,
      status,
    });
    expect(server.seen).toHaveLength(1);
  });

  test('carry what the service said of fields, and nothing that only hides something', async () => {
    const server = await serve((_request, response) =>
      json(response, 400, {
        error: {
          code: 'x',
          message: `Bad\u202e \u0000title${'!'.repeat(5000)}`,
          details: { 'max\u200bBytes': 5 },
          issues: [{ code: 'c', message: 'm', path: ['items', 3] }, 'odd', { path: 'p' }],
        },
      }),
    );
    const error = await catalogueAt(server.origin)
      .readEntity('show', 1)
      .catch((rejection: unknown) => rejection);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^The service answered 400: “Bad title!+…”\.$/),
      details: { maxBytes: 5 },
      issues: [
        { code: 'c', message: 'm', path: ['items', '3'] },
        { code: '', message: '', path: [] },
      ],
    });
    expect(error instanceof Error && error.message.length).toBeLessThan(1100);
  });
});

describe('tries again', () => {
  test.each([502, 503, 504])('after %i', async (status) => {
    const server = await serve((_request, response) =>
      server.seen.length < 3 ? json(response, status, {}) : json(response, 200, good),
    );
    expect(await catalogueAt(server.origin).readEntity('show', 1)).toEqual(good.data);
    expect(server.seen).toHaveLength(3);
  });

  test.each([
    ['in seconds', () => '1'],
    ['as a date', () => new Date(Date.now() + 2000).toUTCString()],
  ])('when the service says, %s', async (_how, retryAfter) => {
    const times: number[] = [];
    const server = await serve((_request, response) => {
      times.push(performance.now());
      if (times.length > 1) return json(response, 200, good);
      response.setHeader('retry-after', retryAfter());
      json(response, times.length === 1 ? 429 : 503, {});
    });
    expect(await catalogueAt(server.origin).readEntity('show', 1)).toEqual(good.data);
    expect(server.seen).toHaveLength(2);
    // A lower bound: the service asked for at least as much (a date has whole seconds).
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test.each([
    ['429', 429, '120', 'rate_limited'],
    ['503', 503, '120', 'service_unavailable'],
    ['429 without a time', 429, '', 'rate_limited'],
    ['429 with a time that is none', 429, 'tomorrow', 'rate_limited'],
  ])('not when the call would not live to see it: %s', async (_what, status, retryAfter, category) => {
    const server = await serve((_request, response) => {
      if (retryAfter !== '') response.setHeader('retry-after', retryAfter);
      json(response, status, { error: { code: 'wait', message: 'Wait.' } });
    });
    const error = await catalogueAt(server.origin)
      .readEntity('show', 1)
      .catch((rejection: unknown) => rejection);
    expect(error).toMatchObject({ category, status, code: 'wait' });
    expect(server.seen).toHaveLength(1);
    if (retryAfter === '120') {
      expect(error).toMatchObject({
        message: expect.stringMatching(/120 seconds/),
        details: { retryAfterSeconds: 120, retryAt: expect.stringMatching(/Z$/) },
      });
    }
  });

  test('after a connection that broke, at any moment', async () => {
    const body = JSON.stringify(good);
    const server = await serveRaw((socket, index) => {
      socket.once('data', () => {
        switch (index) {
          case 0:
            return socket.resetAndDestroy();
          case 1:
            return socket.end('HTTP/1.1 200 O');
          case 2:
            return socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n${body}`);
          default:
            return socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        }
      });
    });
    expect(await catalogueAt(server.origin).readEntity('show', 1)).toEqual(good.data);
    expect(server.sockets).toHaveLength(4);
  });

  test('but not for ever', async () => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(catalogueAt(server.origin).readEntity('show', 1)).rejects.toMatchObject({
      category: 'network',
      message: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/),
    });
    expect(server.sockets).toHaveLength(5);
  });

  test.each([
    ['says nothing', ''],
    ['stops within a body', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'],
  ])('after a service that %s', async (_what, begun) => {
    const whole = JSON.stringify(good);
    const server = await serveRaw((socket, index) => {
      socket.on('data', () =>
        socket.write(
          index === 0 ? begun : `HTTP/1.1 200 OK\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`,
        ),
      );
    });
    const catalogue = catalogueAt(server.origin, { limits: { silenceMs: 100 } });
    expect(await catalogue.readEntity('show', 1)).toEqual(good.data);
    expect(server.sockets).toHaveLength(2);
  });

  test('not what is no HTTP', async () => {
    const server = await serveRaw((socket) =>
      socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')),
    );
    await expect(catalogueAt(server.origin).readEntity('show', 1)).rejects.toMatchObject({
      category: 'bad_response',
    });
    expect(server.sockets).toHaveLength(1);
  });

  test('at the address that is found afresh when nobody listens any more', async () => {
    const server = await serve((_request, response) => json(response, 200, good));
    const gone = `http://127.0.0.1:${await freePort()}`;
    const asked: boolean[] = [];
    const catalogue = catalogueAt(gone, {
      locate: async (fresh) => {
        asked.push(fresh);
        return { baseUrl: fresh ? server.origin : gone, assetOrigin: gone };
      },
    });
    expect(await catalogue.readEntity('show', 1)).toEqual(good.data);
    expect(asked).toEqual([false, true]);
  });
});

describe('time', () => {
  const slow: readonly (readonly [string, Script])[] = [
    ['a service that says nothing', () => undefined],
    ['a body that stops', (_request, response) => void response.writeHead(200).write('{')],
    [
      'a body that drips',
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ];
  test.each(slow)('ends %s', async (_what, script) => {
    const server = await serve(script);
    await expect(catalogueAt(server.origin).readEntity('show', 1, deadlineIn(300))).rejects.toMatchObject({
      category: 'network',
      message: 'The catalogue did not answer within 0.3 seconds.',
    });
  });

  test.each(slow)('cancelling ends %s, and its connection', async (_what, script) => {
    const abort = new AbortController();
    const server = await serveOpen((request, response) => {
      script(request, response);
      setTimeout(() => abort.abort(), 50);
    });
    const catalogue = catalogueAt(server.origin);
    await expect(catalogue.readEntity('show', 1, unhurried(abort.signal))).rejects.toMatchObject({
      category: 'cancelled',
    });
    await expect.poll(() => server.open()).toBe(0);
  });

  test('cancelling ends a wait between two tries', async () => {
    const abort = new AbortController();
    const server = await serve((_request, response) => {
      response.setHeader('retry-after', '30');
      json(response, 503, {});
      setTimeout(() => abort.abort(), 50);
    });
    await expect(
      catalogueAt(server.origin).readEntity('show', 1, unhurried(abort.signal)),
    ).rejects.toMatchObject({ category: 'cancelled' });
    expect(server.seen).toHaveLength(1);
  });

  test('cancelling ends a wait for the address', async () => {
    const catalogue = catalogueAt('http://127.0.0.1:1', { locate: () => new Promise(() => undefined) });
    const signal = AbortSignal.timeout(30);
    await expect(catalogue.readEntity('show', 1, unhurried(signal))).rejects.toMatchObject({
      category: 'cancelled',
    });
  });

  test('cancelling one of many leaves the others alone', async () => {
    const server = await serve((request, response) =>
      setTimeout(() => json(response, 200, { data: { title: request.url } }), 20),
    );
    const catalogue = catalogueAt(server.origin);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_none, id) => {
        const abort = new AbortController();
        const reading = catalogue.readEntity('show', id, unhurried(abort.signal));
        if (id % 2 === 1) setTimeout(() => abort.abort(), id);
        return reading;
      }),
    );
    for (const [id, result] of results.entries()) {
      if (id % 2 === 0)
        expect(result).toMatchObject({ status: 'fulfilled', value: { title: `/shows/${id}` } });
      else if (result.status === 'rejected') expect(result.reason).toMatchObject({ category: 'cancelled' });
    }
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
  });

  /** Like serve, and knows how many connections are open. */
  async function serveOpen(script: Script) {
    let open = 0;
    const server = await serve((request, response) => {
      open++;
      request.socket.once('close', () => open--);
      script(request, response);
    });
    return { ...server, open: () => open };
  }
});

test('closing ends what is in flight', async () => {
  const server = await serveRaw((socket) => socket.resume());
  const catalogue = catalogueAt(server.origin);
  const reading = catalogue.readEntity('show', 1);
  const rejection = expect(reading).rejects.toMatchObject({ category: 'cancelled' });
  await expect.poll(() => server.sockets.length).toBe(1);
  const [socket] = server.sockets;
  const closed = socket === undefined ? Promise.resolve() : once(socket, 'close');
  await catalogue.close();
  await rejection;
  await closed;
});

test('reads go through a proxy too, loopback apart', async () => {
  const server = await serve((_request, response) => json(response, 200, good));
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await freePort()}`);
  vi.stubEnv('http_proxy', undefined);
  vi.stubEnv('NO_PROXY', 'direct.test');
  vi.stubEnv('no_proxy', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await catalogueAt(server.origin).readEntity('show', 1)).toEqual(good.data);
  await expect(catalogueAt('http://catalogue.test').readEntity('show', 1)).rejects.toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
  });
  await expect(catalogueAt('http://direct.test').readEntity('show', 1)).rejects.toMatchObject({
    message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
  });
});
