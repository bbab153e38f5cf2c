import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { PublicError } from '../../src/sandbox/http.ts';
import { type Sandbox, type SandboxOptions, serveSandbox } from '../../src/sandbox/serve.ts';
import type { Mount } from '../../src/sandbox/server-context.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function serve(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const folder = await temporaryFolder();
  stops.push(folder.remove);
  await fillFolder(folder.path);
  const sandbox = await serveSandbox({ dataDir: folder.path, port: 0, ...options });
  stops.push(sandbox.close);
  return sandbox;
}

/** The status of a request with exactly this Host header. */
async function statusFor(port: number, host: string): Promise<number | undefined> {
  const asked = request({ host: '127.0.0.1', port, path: '/episodes', headers: { host }, setHost: false });
  asked.end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

async function rawAnswer(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(head);
  let answer = '';
  for await (const chunk of socket.setEncoding('latin1')) answer += chunk;
  return answer;
}

describe('the Host header', () => {
  test('names this machine, or the request is misdirected', async () => {
    const { port } = await serve();
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      expect(await statusFor(port, `${host}:${port}`), host).toBe(200);
    }
    for (const host of [
      'catalogue.example',
      `catalogue.example:${port}`,
      'localhost',
      `localhost:${port + 1}`,
    ]) {
      expect(await statusFor(port, host), host).toBe(421);
    }
  });

  test('protects what is mounted too', async () => {
    const { port } = await serve({
      mounts: [
        () => () => {
          throw new Error('was asked');
        },
      ],
    });
    expect(await statusFor(port, 'catalogue.example')).toBe(421);
  });
});

test('a request for anything but a path is refused', async () => {
  const { port } = await serve();
  for (const target of ['http://catalogue.example/episodes', '*', 'episodes']) {
    const answer = await rawAnswer(port, `OPTIONS ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(answer, target).toMatch(/^HTTP\/1\.1 400 /);
  }
});

describe('a mounted part', () => {
  const asked: string[] = [];
  const mount =
    (name: string, takes: string): Mount =>
    () =>
    (incoming, response) => {
      asked.push(name);
      if (incoming.url !== takes) return false;
      response.end(name);
      return true;
    };

  test('is asked in its order, before the public reads', async () => {
    const { origin } = await serve({ mounts: [mount('first', '/one'), mount('second', '/two')] });
    expect(await (await fetch(`${origin}/one`)).text()).toBe('first');
    expect(asked.splice(0)).toEqual(['first']);
    expect(await (await fetch(`${origin}/two`)).text()).toBe('second');
    expect(asked.splice(0)).toEqual(['first', 'second']);
    expect((await fetch(`${origin}/episodes`)).status).toBe(200);
    expect(asked.splice(0)).toEqual(['first', 'second']);
  });

  test('knows the address and the database before it is asked', async () => {
    const seen: unknown[] = [];
    const sandbox = await serve({
      basePath: '/api',
      mounts: [
        async ({ origin, baseUrl, database }) => {
          seen.push(
            origin,
            baseUrl,
            database.only('SELECT count(*) > 0 AS filled FROM shows').flag('filled'),
          );
          return () => false;
        },
      ],
    });
    expect(seen).toEqual([sandbox.origin, `${sandbox.origin}/api`, true]);
  });

  test('may refuse in public words; what it breaks is reported, and not told', async () => {
    const reports: unknown[] = [];
    const { origin } = await serve({
      report: (defect) => reports.push(defect),
      mounts: [
        () => (incoming) => {
          if (incoming.url === '/refuse') throw new PublicError(418, 'teapot', 'No coffee.');
          if (incoming.url === '/break') throw new Error('secret detail');
          return false;
        },
      ],
    });
    const refused = await fetch(`${origin}/refuse`);
    expect(refused.status).toBe(418);
    expect(await refused.json()).toEqual({ data: null, error: { code: 'teapot', message: 'No coffee.' } });
    expect(reports).toEqual([]);
    const broken = await fetch(`${origin}/break`);
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain('secret');
    expect(reports).toEqual([new Error('secret detail')]);
  });
});

describe('closing', () => {
  test('lets what is under way end, and takes nothing new', async () => {
    let answer = () => {};
    let hold: (() => void) | undefined;
    const sandbox = await serve({
      mounts: [
        ({ beginWork: holdOpen }) =>
          (incoming, response) => {
            if (incoming.url !== '/slow') return false;
            hold = holdOpen();
            answer = () => response.end('at last');
            return true;
          },
      ],
    });
    const slow = fetch(`${sandbox.origin}/slow`);
    await expect.poll(() => sandbox.activity().pending).toBe(2);
    let closed = false;
    const closing = sandbox.close().then(() => {
      closed = true;
    });
    await expect(fetch(`${sandbox.origin}/episodes`)).rejects.toThrow();
    answer();
    expect(await (await slow).text()).toBe('at last');
    await expect.poll(() => sandbox.activity().pending).toBe(1);
    expect(closed).toBe(false);
    expect(sandbox.database.only('SELECT 1 AS one').integer('one')).toBe(1);
    hold?.();
    await closing;
    expect(() => sandbox.database.only('SELECT 1 AS one')).toThrow();
  });

  test('does not wait for connections that ask nothing', async () => {
    const sandbox = await serve();
    await (await fetch(`${sandbox.origin}/episodes`)).arrayBuffer();
    const silent = connect(sandbox.port, '127.0.0.1');
    await once(silent, 'connect');
    const ended = once(silent, 'close');
    silent.on('error', () => {});
    await sandbox.close();
    await ended;
  });
});

test('activity tells the last use', async () => {
  const sandbox = await serve();
  const before = sandbox.activity();
  expect(before.pending).toBe(0);
  await (await fetch(`${sandbox.origin}/episodes`)).arrayBuffer();
  await expect.poll(() => sandbox.activity().pending).toBe(0);
  expect(sandbox.activity().lastUsedAt).toBeGreaterThanOrEqual(before.lastUsedAt);
});

test('a taken port is an error before the data folder is touched', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const folder = await temporaryFolder();
  await expect(serveSandbox({ dataDir: folder.path, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(await readdir(folder.path)).toEqual([]);
  other.close();
  await folder.remove();
});

test('a start that fails gives the port back', async () => {
  const folder = await temporaryFolder();
  await fillFolder(folder.path);
  const failing: Mount = () => {
    throw new Error('no such part');
  };
  await expect(serveSandbox({ dataDir: folder.path, port: 0, mounts: [failing] })).rejects.toThrow(
    'no such part',
  );
  const sandbox = await serveSandbox({ dataDir: folder.path, port: 0 });
  await sandbox.close();
  await folder.remove();
});
