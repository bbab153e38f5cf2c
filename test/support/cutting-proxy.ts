import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands before a server and loses its answers. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * From now on one of so many answers is lost: the server has done what it was asked, and the connection ends. 0: none.
   */
  cutEvery(answers: number): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(to: number): Promise<CuttingProxy> {
  let every = 0;
  let answers = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(to, '127.0.0.1');
    let asks = false;
    const end = () => {
      client.destroy();
      behind.destroy();
    };
    for (const socket of [client, behind]) {
      open.add(socket);
      socket.on('error', end).on('close', () => {
        open.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => {
      // P begins a statement with parameters: before it there is only the sign-in.
      asks ||= bytes[0] === 'P'.charCodeAt(0);
      behind.write(bytes);
    });
    behind.on('data', (bytes) => {
      if (asks) answers += 1;
      if (asks && every > 0 && answers % every === 0) end();
      else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return {
    port: address.port,
    cutEvery(count) {
      every = count;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
