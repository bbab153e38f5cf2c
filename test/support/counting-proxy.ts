import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What becomes of a request, instead of being passed on. */
export type Turn = 'pass' | 'hold' | { readonly status: number; readonly headers?: Record<string, string> };

export interface CountingProxy {
  readonly baseUrl: string;
  /** The path of each request so far, in the order in which they came. */
  readonly paths: readonly string[];
  /** The most that were under way at a time. */
  mostAtOnce(): number;
  /** Resolves once so many requests have come. */
  came(count: number): Promise<void>;
  /** Decides from now on; `nth` counts from 1. Without, everything is passed on. */
  decide(turn: (path: string, nth: number) => Turn): void;
  close(): Promise<void>;
}

/** Stands before a service on loopback, counts what is asked of it, and may be slow, silent or unwilling. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const paths: string[] = [];
  const waiting = new Set<() => void>();
  let decide: (path: string, nth: number) => Turn = () => 'pass';
  let underWay = 0;
  let most = 0;

  const take = (asked: IncomingMessage, answer: ServerResponse): void => {
    const path = asked.url ?? '';
    paths.push(path);
    underWay += 1;
    most = Math.max(most, underWay);
    answer.once('close', () => {
      underWay -= 1;
    });
    const turn = decide(path, paths.length);
    for (const look of waiting) look();
    if (turn === 'hold') return;
    if (turn !== 'pass') {
      answer.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
      answer.end(JSON.stringify({ data: null, error: { code: 'refused', message: 'Not now.' } }));
      return;
    }
    const url = new URL(target + path);
    const passed = request(
      url,
      { method: asked.method, headers: { ...asked.headers, host: url.host } },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    passed.once('error', () => answer.destroy());
    answer.once('close', () => passed.destroy());
    asked.pipe(passed);
  };
  const server = createServer(take);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    paths,
    mostAtOnce: () => most,
    came: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (paths.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    decide(turn) {
      decide = turn;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
