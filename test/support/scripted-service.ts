import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';

export interface ScriptedService {
  readonly baseUrl: string;
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers']; closed: boolean }[];
  close(): Promise<void>;
}

/** A service that answers as a test tells it, to play what a real one never should. */
export async function startScriptedService(answer: RequestListener): Promise<ScriptedService> {
  const requests: ScriptedService['requests'] = [];
  const server = createServer((request, response) => {
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      closed: false,
    };
    requests.push(seen);
    response.once('close', () => {
      seen.closed = !response.writableFinished;
    });
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The scripted service has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
