import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { anthropic } from './anthropic.ts';
import { chatCompletions } from './chat-completions.ts';
import { gemini } from './gemini.ts';
import { json, type ModelRequest, type Reply } from './model.ts';
import { responses } from './responses.ts';

const apis = [anthropic, responses, chatCompletions, gemini];

export interface FakeModel {
  /** Its origin; each interface is at the path that it has everywhere. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A model on loopback that says what it is told to, in each of four interfaces.
 * @param log a file that each request is kept in, one line of JSON each
 */
export async function startFakeModel(
  answer: (request: ModelRequest) => Promise<Reply>,
  log: string,
): Promise<FakeModel> {
  const server = createServer((request, response) => {
    respond(request, response, answer, log).catch((error: unknown) => {
      appendFileSync(log, `${JSON.stringify({ path: request.url, fault: String(error) })}\n`);
      response.writeHead(400).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: ModelRequest) => Promise<Reply>,
  log: string,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname } = new URL(request.url ?? '/', 'http://model');
  appendFileSync(log, `${JSON.stringify({ method: request.method, path: request.url, body: text })}\n`);
  const send = ({ contentType, body }: { contentType: string; body: string }, status = 200) =>
    response.writeHead(status, { 'content-type': contentType }).end(body);
  if (request.method !== 'POST') return void send(json(modelList));
  if (/count_?tokens$/i.test(pathname)) return void send(json({ input_tokens: 10, totalTokens: 10 }));
  const given: unknown = JSON.parse(text === '' ? '{}' : text);
  for (const api of apis) {
    const read = api.read(pathname, given);
    if (read !== null) return void send(api.write(await answer(read), read));
  }
  send(json({ error: { message: 'There is no such interface here.' } }), 404);
}

/** Hosts that ask which models there are find the one. */
const modelList = {
  object: 'list',
  data: [{ id: 'fake', object: 'model', type: 'model', owned_by: 'nobody', created: 1 }],
  models: [],
};
