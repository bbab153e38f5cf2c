import type { IncomingMessage, ServerResponse } from 'node:http';
import { schemaNumber } from '../data-folder.ts';
import type { FolderIdentity } from './identity.ts';

/** `draining`: finishes running work, then ends. */
export type ProcessState = 'ready' | 'draining';

/** What a running catalogue says about itself, signed by `proof`. */
export interface Hello {
  readonly dataId: string;
  readonly schema: number;
  /** Drawn by each process, so that a proof for one is invalid for the next. */
  readonly instance: string;
  readonly pid: number;
  readonly baseUrl: string;
  readonly state: ProcessState;
}

export const helloPath = '/.sandbox/hello';
export const stopPath = '/.sandbox/stop';
export const proofHeader = 'x-sandbox-proof';

/**
 * What `proof` in the answer to `hello` covers. The port in the base URL binds it to the port that was asked.
 */
export function helloFacts(nonce: string, hello: Hello): readonly string[] {
  return [nonce, String(hello.schema), hello.instance, String(hello.pid), hello.baseUrl, hello.state];
}

interface Handshake {
  readonly identity: FolderIdentity;
  readonly instance: string;
  readonly baseUrl: string;
  state(): ProcessState;
  /** A server that knows the data folder's secret has joined, which counts as use. */
  joined(): void;
  /** A caller that knows the data folder's secret has asked for the end. */
  stop(): void;
}

interface HandshakeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The two routes by which launchers recognise and stop a catalogue of their data folder.
 * @returns a handler that returns whether the request was for one of the two.
 */
export function handshakeRoutes(
  handshake: Handshake,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const [path, query = ''] = (request.url ?? '').split('?', 2);
    if (path === helloPath) send(response, hello(handshake, request, new URLSearchParams(query)));
    else if (path === stopPath) send(response, stop(handshake, request, response));
    else return false;
    return true;
  };
}

function hello(handshake: Handshake, request: IncomingMessage, query: URLSearchParams): HandshakeReply {
  if (request.method !== 'GET') return { status: 405, headers: { allow: 'GET' } };
  const nonce = query.get('nonce') ?? '';
  if (!/^[0-9a-f]{32,128}$/.test(nonce)) return { status: 400 };
  const facts: Hello = {
    dataId: handshake.identity.dataId,
    schema: schemaNumber,
    instance: handshake.instance,
    pid: process.pid,
    baseUrl: handshake.baseUrl,
    state: handshake.state(),
  };
  const proofOfCaller = request.headers[proofHeader];
  // A page from elsewhere can send this request, and not the proof.
  const joins =
    typeof proofOfCaller === 'string' && handshake.identity.isProof(proofOfCaller, 'join', [nonce]);
  if (query.get('join') === '1' && joins) handshake.joined();
  const proof = handshake.identity.prove('hello', helloFacts(nonce, facts));
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...facts, proof }),
  };
}

function stop(handshake: Handshake, request: IncomingMessage, response: ServerResponse): HandshakeReply {
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
  const proof = request.headers[proofHeader];
  if (typeof proof !== 'string' || !handshake.identity.isProof(proof, 'stop', [handshake.instance])) {
    return { status: 403 };
  }
  // After the answer: the caller gets it before the process ends.
  response.once('close', () => handshake.stop());
  return { status: 202 };
}

function send(response: ServerResponse, { status, headers, body = '' }: HandshakeReply): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, {
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': length,
    ...headers,
  });
  response.end(body);
}
