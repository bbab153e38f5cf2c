import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { StartedServer } from './client.ts';
import { ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { isRunning } from './is-running.ts';

/** Ends the catalogue of a data directory, in the given way; answers the port that it leaves. */
export async function endCatalogue(home: string, how: 'killed' | 'stopped' = 'killed'): Promise<number> {
  const { pid, port } = await ensureSandbox({ home });
  if (how === 'stopped') await stopSandbox({ home });
  else process.kill(pid, 'SIGKILL');
  while (isRunning(pid)) await sleep(10);
  return port;
}

export interface Stranger {
  /** All that it was sent. */
  heard(): string;
  leave(): Promise<void>;
}

/** Another program at the catalogue's port: it answers everything with an empty page, and notes all it gets. */
export async function strangerAt(port: number): Promise<Stranger> {
  let heard = '';
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"data":[]}',
      );
    });
  });
  // The port of a process that was just killed is free only once the last of its threads has gone.
  while (!server.listening) {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return sleep(10);
    });
  }
  return {
    heard: () => heard,
    async leave() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const changes = z.looseObject({
  data: z.array(
    z.looseObject({ setId: z.int().optional(), target: z.looseObject({ id: z.int() }).optional() }),
  ),
});

/** A category to upload artwork to, and a path of artwork that the catalogue has. */
export async function someArtwork(server: StartedServer): Promise<{ category: number; path: string }> {
  const read = async (args: Record<string, unknown>) =>
    changes.parse((await server.call('read_feed', { limit: 10, ...args })).structuredContent).data;
  const [change] = await read({ feed: 'assets', targetKind: 'category' });
  for (const { setId } of await read({ feed: 'sets', kind: 'show_set' })) {
    const { structuredContent } = await server.call('get_set', { kind: 'show_set', id: setId });
    const path = /"poster":"(\/[^"]+)"/.exec(JSON.stringify(structuredContent))?.[1];
    if (path !== undefined && change?.target !== undefined) return { category: change.target.id, path };
  }
  throw new Error('The catalogue has no artwork.');
}
