import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { schemaNumber } from '../../src/sandbox/data-folder.ts';
import { dataFolder, ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { SandboxError } from '../../src/sandbox/sandbox-error.ts';
import { ensureIdentity } from '../../src/sandbox/process/identity.ts';
import { ensurePort, portFile } from '../../src/sandbox/process/port.ts';
import { requestLoopback } from '../../src/sandbox/process/probe.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { fillFolder } from '../support/filled.ts';
import { startSandbox } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

let built: Bundle;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let holders: Server[];
beforeAll(async () => {
  built = await bundle({ sandbox: 'src/sandbox/main.ts' });
});
afterAll(() => built.remove());
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = dataFolder(folder.path);
  await fillFolder(dataDir);
  holders = [];
});
afterEach(async () => {
  for (const holder of holders) holder.close();
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

/** A program that is no catalogue of ours takes the port that the data folder has. */
async function hold(holder: Server): Promise<void> {
  holders.push(holder);
  holder.listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  await writeFile(portFile(dataDir), `${address.port}\n`);
}

async function failure(): Promise<string> {
  const error = await ensureSandbox({ home: folder.path, entry: built.program('sandbox') }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SandboxError);
  return error instanceof Error ? error.message : '';
}

function talker(text: string): Server {
  return createServer((socket) => {
    // The client may have disconnected.
    socket.on('error', () => socket.destroy());
    socket.end(text);
  });
}

function webServer(listener: RequestListener): Server {
  return createHttpServer(listener);
}

const ourShape = {
  schema: schemaNumber,
  instance: 'x',
  pid: 1,
  baseUrl: 'http://127.0.0.1:1',
  state: 'ready',
  proof: '00',
};

describe('a port that is held by', () => {
  it.each([
    ['a program that speaks no HTTP', 'another program', () => talker('SSH-2.0-Example\r\n')],
    [
      'a web server',
      'another web server',
      () => webServer((_, response) => response.writeHead(404).end('Not here')),
    ],
    [
      'one that says yes to everything',
      'another web server',
      () => webServer((_, response) => response.end('OK')),
    ],
    [
      'one with other JSON',
      'another web server',
      () => webServer((_, response) => response.end('{"dataId":1}')),
    ],
    [
      'one that never stops',
      'another program',
      () =>
        webServer((_, response) => {
          const more = () => response.write(' '.repeat(10_000), () => response.destroyed || more());
          more();
        }),
    ],
    [
      'a catalogue that is not ours',
      'the embedded catalogue of another data folder',
      () => webServer((_, response) => response.end(JSON.stringify({ ...ourShape, dataId: 'another' }))),
    ],
  ])('%s is a one-line error that says what to do', async (_, who, holder) => {
    await hold(holder());
    const message = await failure();
    expect(message).toMatch(/^Port \d+ of the embedded catalogue is held by [^\n]+$/);
    expect(message).toContain(
      `held by ${who}. End that, or write the number of a free port into ${portFile(dataDir)} `,
    );
    // What the message says mends it.
    await writeFile(portFile(dataDir), `${await freePort()}\n`);
    const running = await ensureSandbox({
      home: folder.path,
      entry: built.program('sandbox'),
      idleSeconds: 60,
    });
    expect((await fetch(`${running.baseUrl}/shows/999999999`)).status).toBe(404);
  });

  it('a program that only pretends is found out', async () => {
    const { dataId } = await ensureIdentity(dataDir);
    await hold(webServer((_, response) => response.end(JSON.stringify({ ...ourShape, dataId }))));
    expect(await failure()).toContain(
      'a program that says it is this catalogue but does not know its secret',
    );
  });

  it('a program that passes requests on to the real one is found out', async () => {
    const real = await startSandbox({ program: built.program('sandbox'), dataDir });
    const relay = webServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', real.baseUrl);
      const reply = await requestLoopback(real.port, { method: 'GET', path: `${pathname}?${searchParams}` });
      response.end(reply.kind === 'answer' ? reply.body : '');
    });
    await hold(relay);
    expect(await failure()).toContain('a program that passes requests on');
    await real.stop();
  });

  it('the real catalogue of another folder is told apart, by the catalogue itself too', async () => {
    const other = await startSandbox({ program: built.program('sandbox') });
    await writeFile(portFile(dataDir), `${other.port}\n`);
    expect(await failure()).toContain('held by the embedded catalogue of another data folder');
    await expect(startSandbox({ program: built.program('sandbox'), dataDir })).rejects.toThrow(
      `held by the embedded catalogue of another data folder. End that, or write the number of a free port into ${portFile(dataDir)}`,
    );
    expect(await stopSandbox({ home: folder.path })).toBe(false);
    expect((await fetch(`${other.baseUrl}/shows/999999999`)).status).toBe(404);
    expect(await other.stop()).toBe(0);
  });
});

/** A free port for a data folder. */
async function freePort(): Promise<number> {
  const other = await temporaryFolder();
  const port = await ensurePort(other.path);
  await other.remove();
  return port;
}
