import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system gives to servers that ask for any port, so that no server of another test takes
// the port between the moment it is drawn and the moment it is used; each worker draws from ports of its own.
const first = 10_240;
const perWorker = 1000;
const worker = Number(process.env.VITEST_POOL_ID ?? '0') % 9;

const drawn = new Set<number>();

/** A port of this machine on which nothing listens, and that no other test is given. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < perWorker; attempt++) {
    const port = first + worker * perWorker + randomInt(perWorker);
    if (drawn.has(port)) continue;
    drawn.add(port);
    if (await canBind(port, host)) return port;
  }
  throw new Error(`No port is free from ${first + worker * perWorker}.`);
}

async function canBind(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
