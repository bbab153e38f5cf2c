import { once } from 'node:events';
import https from 'node:https';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { path } from '../../src/catalogue/call.ts';
import type { Catalogue, SendOutcome, SendRequest } from '../../src/catalogue/client.ts';
import { type Deadline, unhurried } from '../../src/deadline.ts';
import { ArtworkError } from '../../src/errors.ts';
import { freePort } from '../support/free-port.ts';
import { certificate, key } from './certificate.ts';
import { answer, receipt, servePosts } from './post-server.ts';
import { catalogueAt, serveRaw } from './scripted-server.ts';

const content = Buffer.from('0123456789'.repeat(3));

function post(
  catalogue: Catalogue,
  request: Partial<SendRequest> = {},
  deadline?: Deadline,
): Promise<SendOutcome> {
  return catalogue.send(
    { path: path`/me/assets`, headers: {}, body: content, bearer: 't0ken', ...request },
    deadline,
  );
}

const accepting = () => servePosts({ whole: (socket) => socket.write(answer(201, receipt)) });

describe('what is sent', () => {
  test('is exactly the request', async () => {
    const server = await accepting();
    const outcome = await post(catalogueAt(`${server.origin}/api/`), {
      path: path`/me/sets/${12}/assets`,
      query: { operation: 'add', clientMutationId: 'a b&c', targetId: 3 },
      headers: { 'content-type': 'image/png', 'x-upload-filename': 'poster.png' },
    });
    expect(outcome).toEqual({ outcome: 'applied', status: 201, body: { data: { id: 'a1' } } });
    const [request] = server.received;
    const lines = request?.head.split('\r\n') ?? [];
    expect(lines[0]).toBe(
      'POST /api/me/sets/12/assets?operation=add&clientMutationId=a%20b%26c&targetId=3 HTTP/1.1',
    );
    expect(
      lines
        .slice(1)
        .map((line) => line.toLowerCase())
        .toSorted(),
    ).toEqual(
      [
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'content-type: image/png',
        'x-upload-filename: poster.png',
        'accept: application/json',
        'accept-encoding: identity',
        `content-length: ${content.length}`,
        'user-agent: artwork-mcp/0.0.0-test',
        'authorization: bearer t0ken',
      ].toSorted(),
    );
    expect(request).toMatchObject({ bodyBytes: content.length, whole: true });
  });

  test('is read while it is sent, with its length told before', async () => {
    const server = await accepting();
    const big = Buffer.alloc(3 * 1024 * 1024, 7);
    const outcome = await post(catalogueAt(server.origin), {
      body: {
        length: big.length,
        async *open() {
          for (let at = 0; at < big.length; at += 256 * 1024) yield big.subarray(at, at + 256 * 1024);
        },
      },
    });
    expect(outcome.outcome).toBe('applied');
    expect(server.received).toMatchObject([{ bodyBytes: big.length, whole: true }]);
    expect(server.received[0]?.head).not.toMatch(/transfer-encoding/i);
  });

  test('may have its memory used again once the service has taken it, and not before', async () => {
    const told: string[] = [];
    const named = (name: string): SendRequest['body'] => ({
      length: content.length,
      async *open() {
        yield content;
      },
      arrived: () => told.push(name),
    });
    const refusal = JSON.stringify({ error: { code: 'asset.slot.invalid', message: 'No.' } });
    const answers = [answer(201, receipt), answer(422, refusal), answer(500, '{}'), answer(201, 'cut')];
    const server = await servePosts({ whole: (socket) => socket.write(answers.shift() ?? '') });
    const catalogue = catalogueAt(server.origin);
    const outcomes = [];
    for (const body of ['taken', 'refused', 'failed', 'cut'].map(named)) {
      outcomes.push((await post(catalogue, { body })).outcome);
    }
    expect(outcomes).toEqual(['applied', 'refused', 'unknown', 'unknown']);
    expect(told).toEqual(['taken']);
  });

  test('has its answer cleaned', async () => {
    const server = await servePosts({
      whole: (socket) => socket.write(answer(201, JSON.stringify({ data: { title: 'a\u202eb\u0007' } }))),
    });
    expect(await post(catalogueAt(server.origin))).toMatchObject({ body: { data: { title: 'ab' } } });
  });
});

describe('surely not sent', () => {
  test('nobody listens', async () => {
    const catalogue = catalogueAt(`http://127.0.0.1:${await freePort()}`);
    expect(await post(catalogue)).toMatchObject({ outcome: 'not_sent', error: { category: 'network' } });
  });

  test('nobody listens: the next call asks for the address afresh', async () => {
    const server = await accepting();
    const gone = `http://127.0.0.1:${await freePort()}`;
    const asked: boolean[] = [];
    const catalogue = catalogueAt(gone, {
      locate: async (fresh) => {
        asked.push(fresh);
        return { baseUrl: fresh ? server.origin : gone, assetOrigin: gone };
      },
    });
    expect((await post(catalogue)).outcome).toBe('not_sent');
    expect((await post(catalogue)).outcome).toBe('applied');
    expect(asked).toEqual([false, true]);
  });

  test('the address is not to be found', async () => {
    const error = new ArtworkError('service_unavailable', 'The embedded catalogue did not start.');
    const catalogue = catalogueAt('http://127.0.0.1:1', { locate: () => Promise.reject(error) });
    expect(await post(catalogue)).toEqual({ outcome: 'not_sent', error });
  });

  test('what listens does not speak TLS', async () => {
    const server = await serveRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const outcome = await post(catalogueAt(`https://127.0.0.1:${server.port}`));
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { category: 'network' } });
  });

  test('who listens is not who it should be', async () => {
    const server = https.createServer({ cert: certificate, key });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const asked: string[] = [];
    server.on('request', ({ url }) => asked.push(url ?? ''));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const outcome = await post(catalogueAt(`https://localhost:${port}`));
    expect(outcome).toMatchObject({
      outcome: 'not_sent',
      error: { message: expect.stringMatching(/not trusted/) },
    });
    expect(asked).toEqual([]);
  });

  test('cancelled while the connection is being made', async () => {
    const abort = new AbortController();
    // A TLS greeting that is never answered.
    const server = await serveRaw((socket) => socket.once('data', () => abort.abort()));
    const catalogue = catalogueAt(`https://127.0.0.1:${server.port}`);
    const outcome = await post(catalogue, {}, unhurried(abort.signal));
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { category: 'cancelled' } });
    const [socket] = server.sockets;
    if (socket?.destroyed === false) await once(socket, 'close');
  });

  test('cancelled beforehand', async () => {
    const server = await accepting();
    const outcome = await post(catalogueAt(server.origin), {}, unhurried(AbortSignal.abort()));
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { category: 'cancelled' } });
    expect(server.bytes()).toBe(0);
  });

  test.each([
    ['a header with a line break', { headers: { 'x-upload-filename': 'a\r\nb: c' } }],
    ['a header beyond Latin-1', { headers: { 'x-upload-filename': '\u65e5' } }],
    ['an empty body', { body: Buffer.alloc(0) }],
  ])('%s', async (_what, request) => {
    const server = await accepting();
    const outcome = await post(catalogueAt(server.origin), request);
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { category: 'invalid_arguments' } });
    expect(server.bytes()).toBe(0);
  });

  test('the source fails before its first part', async () => {
    const server = await accepting();
    const outcome = await post(catalogueAt(server.origin), {
      body: {
        length: 10,
        // biome-ignore lint/correctness/useYield: it fails before it has anything to yield
        async *open() {
          throw new ArtworkError('upload_refused', 'It is gone.');
        },
      },
    });
    expect(outcome).toMatchObject({
      outcome: 'not_sent',
      error: { category: 'upload_refused', message: 'It is gone.' },
    });
    expect(server.bytes()).toBe(0);
  });
});

describe('a source that breaks its word never has a whole body sent', () => {
  const sources: Record<string, (part: Buffer) => AsyncGenerator<Buffer>> = {
    async *'fails after its first part'(part) {
      yield part;
      yield part;
      throw new Error('read error');
    },
    async *'fails at its very end'(part) {
      yield part;
      yield part;
      yield part;
      throw new Error('the digest is another');
    },
    async *'is too short'(part) {
      yield part;
      yield part;
    },
    async *'is too long'(part) {
      yield part;
      yield part;
      yield part;
      yield part;
    },
  };
  test.each(Object.entries(sources))('%s', async (_what, source) => {
    const server = await accepting();
    const part = content.subarray(0, 10);
    const outcome = await post(catalogueAt(server.origin), {
      body: { length: 30, open: () => source(part) },
    });
    expect(outcome).toMatchObject({
      outcome: 'unknown',
      status: null,
      bodyComplete: false,
      error: { category: 'upload_refused' },
    });
    const [socket] = server.sockets;
    if (socket?.destroyed === false) await once(socket, 'close');
    expect(server.received).toMatchObject([{ whole: false }]);
  });

  test('a single part of the wrong length sends nothing', async () => {
    const server = await accepting();
    const outcome = await post(catalogueAt(server.origin), {
      body: {
        length: 30,
        async *open() {
          yield content.subarray(0, 10);
        },
      },
    });
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { category: 'upload_refused' } });
    expect(server.bytes()).toBe(0);
  });
});

describe('after it was sent', () => {
  test('cancelling closes the connection and leaves it unknown', async () => {
    const abort = new AbortController();
    const server = await servePosts({ whole: () => abort.abort() });
    const outcome = await post(catalogueAt(server.origin), {}, unhurried(abort.signal));
    expect(outcome).toMatchObject({
      outcome: 'unknown',
      status: null,
      bodyComplete: true,
      error: { category: 'cancelled' },
    });
    const [socket] = server.sockets;
    if (socket?.destroyed === false) await once(socket, 'close');
  });

  test('an answer without end is not read to its end', async () => {
    const server = await servePosts({
      whole: (socket) => {
        socket.write('HTTP/1.1 201 X\r\ntransfer-encoding: chunked\r\n\r\n');
        const megabyte = Buffer.alloc(1024 * 1024, ' ');
        const more = () => {
          if (socket.writable) socket.write(`100000\r\n${megabyte}\r\n`, more);
        };
        more();
      },
    });
    const outcome = await post(catalogueAt(server.origin));
    expect(outcome).toMatchObject({ outcome: 'unknown', status: 201, error: { category: 'bad_response' } });
  });

  test('bytes after the answer spoil nothing', async () => {
    const server = await servePosts({
      whole: (socket, { connection }) =>
        socket.write(answer(201, receipt) + (connection === 0 ? answer(500, '{}') : '')),
    });
    const catalogue = catalogueAt(server.origin);
    expect((await post(catalogue)).outcome).toBe('applied');
    expect((await post(catalogue)).outcome).toBe('applied');
    expect(server.received).toHaveLength(2);
  });

  test('many at once each get their own verdict', async () => {
    const server = await servePosts({
      whole: (socket, { head }) => {
        const number = Number(/number=(\d+)/.exec(head)?.[1]);
        if (number % 3 === 0) socket.resetAndDestroy();
        else
          socket.write(
            number % 3 === 1 ? answer(201, `{"data":${number}}`) : answer(409, '{"error":{"code":"c"}}'),
          );
      },
    });
    const catalogue = catalogueAt(server.origin);
    const fates = await Promise.all(
      Array.from({ length: 30 }, (_none, number) => post(catalogue, { query: { number } })),
    );
    for (const [number, outcome] of fates.entries()) {
      expect(outcome.outcome).toBe((['unknown', 'applied', 'refused'] as const)[number % 3]);
      if (outcome.outcome === 'applied') expect(outcome.body).toEqual({ data: number });
    }
    expect(server.received).toHaveLength(30);
  });
});

describe('which connection it takes', () => {
  test('one that was just used, but none that was idle for over a second', async () => {
    const server = await accepting();
    const catalogue = catalogueAt(server.origin);
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    await post(catalogue);
    vi.setSystemTime(Date.now() + 900);
    await post(catalogue);
    vi.setSystemTime(Date.now() + 1001);
    await post(catalogue);
    // A clock that was set back says nothing about how long it was.
    vi.setSystemTime(Date.now() - 500);
    await post(catalogue);
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 0, 1, 2]);
  });

  test('a new one when the service has closed the last one meanwhile', async () => {
    const server = await servePosts({
      whole: (socket) => socket.write(answer(201, receipt), () => setTimeout(() => socket.end(), 20)),
    });
    const catalogue = catalogueAt(server.origin);
    expect((await post(catalogue)).outcome).toBe('applied');
    const [socket] = server.sockets;
    if (socket?.destroyed === false) await once(socket, 'close');
    await pause(20);
    expect((await post(catalogue)).outcome).toBe('applied');
    expect(server.received.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  test('never one on which another request is waiting', async () => {
    const waiting: net.Socket[] = [];
    const server = await servePosts({ whole: (socket) => waiting.push(socket) });
    const catalogue = catalogueAt(server.origin);
    const both = [post(catalogue), post(catalogue)];
    await expect.poll(() => waiting.length).toBe(2);
    for (const socket of waiting) socket.write(answer(201, receipt));
    expect((await Promise.all(both)).map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    expect(server.received.map(({ nth }) => nth)).toEqual([0, 0]);
  });
});

describe('through a proxy', () => {
  /** A proxy that opens tunnels to the upstream, or answers otherwise. */
  async function proxy(onConnect: (socket: net.Socket, head: string) => void) {
    const heads: string[] = [];
    const server = await serveRaw((socket) => {
      socket.once('data', (chunk) => {
        heads.push(chunk.toString('latin1'));
        onConnect(socket, chunk.toString('latin1'));
      });
    });
    vi.stubEnv('HTTP_PROXY', server.origin);
    vi.stubEnv('http_proxy', undefined);
    vi.stubEnv('NO_PROXY', undefined);
    vi.stubEnv('no_proxy', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    return { ...server, heads };
  }
  const tunnel = (upstream: number) => (socket: net.Socket) => {
    const onward = net.connect(upstream, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  };

  test('it is applied, once, and the proxy sees no token', async () => {
    const server = await accepting();
    const { heads } = await proxy(tunnel(server.port));
    expect((await post(catalogueAt('http://catalogue.test'))).outcome).toBe('applied');
    expect(server.received).toMatchObject([{ whole: true }]);
    expect(heads).toHaveLength(1);
    expect(heads[0]).toMatch(/^CONNECT catalogue\.test:80 HTTP\/1\.1\r\n/);
    expect(heads[0]).not.toContain('t0ken');
  });

  test('the proxy refuses the tunnel', async () => {
    await proxy((socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    expect(await post(catalogueAt('http://catalogue.test'))).toMatchObject({
      outcome: 'not_sent',
      error: { category: 'network' },
    });
  });

  test('the proxy hangs up', async () => {
    await proxy((socket) => socket.resetAndDestroy());
    expect((await post(catalogueAt('http://catalogue.test'))).outcome).toBe('not_sent');
  });

  test('the service hangs up behind the proxy', async () => {
    const server = await servePosts({ whole: (socket) => socket.resetAndDestroy() });
    await proxy(tunnel(server.port));
    expect(await post(catalogueAt('http://catalogue.test'))).toMatchObject({
      outcome: 'unknown',
      status: null,
      bodyComplete: true,
    });
    expect(server.received).toHaveLength(1);
  });

  test('loopback never goes through it', async () => {
    const server = await accepting();
    const { heads } = await proxy((socket) => socket.destroy());
    expect((await post(catalogueAt(server.origin))).outcome).toBe('applied');
    expect(heads).toEqual([]);
  });
});
