import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { deadlineIn, unhurried } from '../../src/deadline.ts';
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
