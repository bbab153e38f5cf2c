import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { path } from '../../src/catalogue/call.ts';
import type { Catalogue, SendOutcome, SendRequest } from '../../src/catalogue/client.ts';
import { type Deadline, unhurried } from '../../src/deadline.ts';
import { freePort } from '../support/free-port.ts';
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
});

describe('surely not sent', () => {
  test('nobody listens', async () => {
    const catalogue = catalogueAt(`http://127.0.0.1:${await freePort()}`);
    expect(await post(catalogue)).toMatchObject({ outcome: 'not_sent', error: { category: 'network' } });
  });

  test('what listens does not speak TLS', async () => {
    const server = await serveRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const outcome = await post(catalogueAt(`https://127.0.0.1:${server.port}`));
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { category: 'network' } });
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
});
