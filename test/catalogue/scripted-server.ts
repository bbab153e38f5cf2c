import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import net from 'node:net';
import { onTestFinished } from 'vitest';
import { type Catalogue, type CatalogueOptions, createCatalogue } from '../../src/catalogue/client.ts';
import { startScriptedService } from '../support/scripted-service.ts';

export interface Served {
  readonly origin: string;
  readonly port: number;
  /** Every request so far, as "METHOD path". */
  readonly seen: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
}

/** Where to say what is to be done when the test is over: a concurrent test has its own. */
export type Finished = (clean: () => Promise<void>) => void;

/** An HTTP server on a free loopback port, gone with the test. */
export async function serve(script: RequestListener, finished: Finished = onTestFinished): Promise<Served> {
  const { baseUrl: origin, requests, close } = await startScriptedService(script);
  finished(close);
  return {
    origin,
    port: Number(new URL(origin).port),
    get seen() {
      return requests.map(({ method, url }) => `${method} ${url}`);
    },
    get headers() {
      return requests.map(({ headers }) => headers);
    },
  };
}

export interface RawServed {
  readonly origin: string;
  readonly port: number;
  readonly sockets: readonly net.Socket[];
}

/** A TCP server on a free loopback port that hands each connection to the script, gone with the test. */
export async function serveRaw(
  script: (socket: net.Socket, index: number) => void,
  finished: Finished = onTestFinished,
): Promise<RawServed> {
  const sockets: net.Socket[] = [];
  // A peer that resets is what these tests are about.
  const ignore = () => undefined;
  const server = net.createServer((socket) => {
    socket.on('error', ignore);
    sockets.push(socket);
    script(socket, sockets.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  finished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  const { port } = address;
  return { origin: `http://127.0.0.1:${port}`, port, sockets };
}

/** A catalogue client for an address, closed with the test. */
export function catalogueAt(
  baseUrl: string,
  options: Partial<CatalogueOptions> = {},
  finished: Finished = onTestFinished,
): Catalogue {
  const catalogue = createCatalogue({
    locate: async () => ({ baseUrl, assetOrigin: new URL(baseUrl).origin }),
    userAgent: 'artwork-mcp/0.0.0-test',
    ...options,
  });
  finished(() => catalogue.close());
  return catalogue;
}
