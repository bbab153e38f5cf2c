import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createConnection, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handshakeRoutes } from '../../src/sandbox/process/handshake.ts';
import { ensureIdentity, type FolderIdentity } from '../../src/sandbox/process/identity.ts';
import { type ConnectionResult, proveConnection } from '../../src/sandbox/process/prove-connection.ts';
import { createRequestGuard, type RequestGuard } from '../../src/sandbox/process/request-guard.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let identity: FolderIdentity;
const open: (() => void)[] = [];
beforeEach(async () => {
  folder = await temporaryFolder();
  identity = await ensureIdentity(folder.path);
});
afterEach(async () => {
  for (const close of open.splice(0)) close();
  await folder.remove();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}

/** The handshake of a catalogue, which says that its port is the given one. */
function catalogue(says: () => number, by: FolderIdentity = identity): Server {
  const answer = handshakeRoutes({
    identity: by,
    instance: 'one',
    get baseUrl() {
      return `http://127.0.0.1:${says()}`;
    },
    state: () => 'ready',
    joined: () => undefined,
    stop: () => undefined,
  });
  const server = createServer((request, response) => {
    if (!answer(request, response)) response.end('something else');
  });
  open.push(() => server.closeAllConnections());
  return server;
}

async function reach(port: number): Promise<ConnectionResult> {
  const reached = await proveConnection(port, identity);
  if (reached.kind === 'proven') open.push(() => reached.socket.destroy());
  return reached;
}

/** All that comes over a connection until it is closed. */
async function rest(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  await once(socket, 'close');
  return text;
}

describe('a new connection', () => {
  it('is used as it is once the catalogue has proven itself on it', async () => {
    let port = 0;
    port = await listen(catalogue(() => port));
    const reached = await reach(port);
    if (reached.kind !== 'proven') throw new Error(reached.kind);
    reached.socket.write('GET /next HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await rest(reached.socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nsomething else$/);
  });

  it('is not used when what answers only passes on what the catalogue says elsewhere', async () => {
    let port = 0;
    const real = await listen(catalogue(() => port));
    const relay = createTcpServer((socket) => {
      const other = createConnection({ host: '127.0.0.1', port: real });
      socket.on('error', () => other.destroy()).pipe(other);
      other.on('error', () => socket.destroy()).pipe(socket);
      open.push(() => other.destroy());
    });
    port = await listen(relay);
    expect(await reach(port)).toEqual({ kind: 'foreign', holder: 'a program that passes requests on' });
  });

  it('is not used when what answers has another secret, or speaks as it likes', async () => {
    const other = await temporaryFolder();
    const unknown = await ensureIdentity(other.path);
    await other.remove();
    let port = 0;
    const pretending = { ...unknown, dataId: identity.dataId };
    port = await listen(catalogue(() => port, pretending));
    expect(await reach(port)).toEqual({
      kind: 'foreign',
      holder: 'a program that says it is this catalogue but does not know its secret',
    });
    const answers = [
      'SSH-2.0-Example\r\n',
      'HTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 401 Unauthorized\r\n\r\n',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`,
    ];
    for (const answer of answers) {
      const talker = createTcpServer((socket) => {
        socket.on('error', () => socket.destroy()).on('data', () => socket.write(answer));
        open.push(() => socket.destroy());
      });
      expect(await reach(await listen(talker)), answer.slice(0, 60)).toMatchObject({ kind: 'foreign' });
    }
  });

  it('is told where nothing listens, and where the other end hangs up', async () => {
    const hangsUp = createTcpServer((socket) => socket.on('error', () => undefined).destroy());
    const port = await listen(hangsUp);
    expect(await reach(port)).toEqual({ kind: 'silent' });
    hangsUp.close();
    await once(hangsUp, 'close');
    expect(await reach(port)).toEqual({ kind: 'closed' });
  });
});

describe('a catalogue that drains', () => {
  it('still answers on connections to which it had said that it is ready, and on no other', async () => {
    const guard: RequestGuard = createRequestGuard(identity, () => undefined);
    let port = 0;
    const server = createServer(async (request, response) => {
      const mounted = await handler;
      if (!(await mounted(request, response))) response.end('answered');
    });
    port = await listen(server);
    const origin = `http://127.0.0.1:${port}`;
    const handler = Promise.resolve(guard.mount({ baseUrl: origin }));
    const reached = await reach(port);
    if (reached.kind !== 'proven') throw new Error(reached.kind);
    expect(guard.liveConnections()).toBe(1);
    guard.drain();
    expect(await reach(port)).toEqual({ kind: 'draining' });
    expect((await fetch(`${origin}/any`)).status).toBe(503);
    reached.socket.write('POST /change HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
    expect(await rest(reached.socket)).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close[\s\S]*answered$/i,
    );
    await expect.poll(() => guard.liveConnections()).toBe(0);
  });
});
