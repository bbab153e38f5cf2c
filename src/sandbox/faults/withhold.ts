import type { ServerResponse } from 'node:http';

/**
 * Keeps what a handler sends from being sent, and hands it over once it is whole: the response has its status
 * and headers then, and is as free to be sent, changed or cut as if nobody had touched it.
 */
export function withhold(response: ServerResponse, whole: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  // Own members hide the prototype's until they are deleted: the handlers know no other response.
  response.writeHead = (status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    setHeaders(response, rest.at(-1));
    return response;
  };
  response.write = (chunk: unknown) => {
    collect(chunk);
    return true;
  };
  response.end = (chunk?: unknown) => {
    collect(chunk);
    for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
    whole(Buffer.concat(chunks));
    return response;
  };
}

function setHeaders(response: ServerResponse, headers: unknown): void {
  if (typeof headers !== 'object' || headers === null) return;
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' || typeof value === 'number') response.setHeader(name, value);
    else if (Array.isArray(value)) response.setHeader(name, value.map(String));
  }
}
