import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Bridge } from './conformance.ts';

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
  error: z.looseObject({ code: z.int() }).optional(),
});
type Message = z.output<typeof message>;

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** What HTTP has for the errors of 2026-07-28 (Streamable HTTP, Server Validation). */
function statusOf({ error }: Message): number {
  if (error === undefined) return 200;
  return error.code === -32601 ? 404 : error.code === -32603 ? 500 : 400;
}

/**
 * The conformance suite knows servers by HTTP alone: each of its requests is passed on over stdio as it stands, to one
 * server for all of them, since none rests on another. What only HTTP has is checked here: a header that names another
 * revision than the request, and a page of another host.
 */
export async function startStatelessBridge(root: string, home: string): Promise<Bridge> {
  const server = spawn(process.execPath, [path.join(root, 'dist/cli.js')], {
    env: { PATH: process.env.PATH ?? '', HOME: home, ARTWORK_HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<unknown, (answer: Message) => void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const answer = message.parse(JSON.parse(line));
    waiting.get(answer.id)?.(answer);
  });
  let last = 0;

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = message.parse(JSON.parse(await text(request)));
    const { id } = body;
    if (id === undefined) {
      server.stdin.write(`${JSON.stringify(body)}\n`);
      response.writeHead(202).end();
      return;
    }
    const tell = (answer: object, status: number) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...answer, id }));
    const named = body.params?._meta?.[versionKey];
    const header = request.headers['mcp-protocol-version'];
    if (named !== undefined && header !== named) {
      return tell({ jsonrpc: '2.0', error: { code: -32020, message: 'Header mismatch' } }, 400);
    }
    // Requests of several clients may have the same id.
    last += 1;
    const own = last;
    const answered = new Promise<Message>((resolve) => void waiting.set(own, resolve));
    server.stdin.write(`${JSON.stringify({ ...body, id: own })}\n`);
    const answer = await answered;
    waiting.delete(own);
    tell(answer, statusOf(answer));
  };

  const http = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The bridge has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    async stop() {
      server.stdin.end();
      await once(server, 'exit');
      http.closeAllConnections();
      http.close();
    },
  };
}
