import type { IncomingHttpHeaders } from 'node:http';
import { type FileRequest, type JsonRequest, jsonBytes, sendable } from '../../src/catalogue/request.ts';
import { json } from '../support/scripted-service.ts';
import { catalogueAt, serve } from './scripted-server.ts';

export interface Seen {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with the real sender and answers what a service sees of it. */
export async function sent(
  request: JsonRequest | FileRequest,
  file: Buffer = Buffer.alloc(0),
): Promise<Seen> {
  let seen: Seen | undefined;
  const server = await serve((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const line = `${incoming.method} ${incoming.url}`;
      seen = { line, headers: incoming.headers, body: Buffer.concat(chunks).toString('latin1') };
      json(response, 200, { data: {} });
    });
  });
  const bearer = 'token';
  const { body } = request;
  const bytes = body.kind === 'json' ? jsonBytes({ ...request, body }) : file;
  const outcome = await catalogueAt(server.origin).send(sendable(request, bearer, bytes));
  if (outcome.outcome !== 'applied' || seen === undefined)
    throw new Error(`it was not applied: ${outcome.outcome}`);
  return seen;
}
