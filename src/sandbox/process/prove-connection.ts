import { randomBytes } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { systemCode } from '../sandbox-error.ts';
import { type ConnectionEnds, helloPath, proofHeader } from './handshake.ts';
import type { FolderIdentity } from './identity.ts';
import { loopback } from './port.ts';
import { verifyHello } from './probe.ts';

/** The result of an attempt to connect. Only `proven` leaves a connection open. */
export type ConnectionResult =
  | { readonly kind: 'proven'; readonly socket: Socket }
  /** Nothing listens there. */
  | { readonly kind: 'closed' }
  /** Something listens but gave no answer that can be verified: it may be starting, or just ending. */
  | { readonly kind: 'silent' }
  /** Our catalogue, but it is ending and takes no new requests. */
  | { readonly kind: 'draining' }
  | { readonly kind: 'foreign'; readonly holder: string };

const timeoutMs = 5_000;
const maxCharacters = 16_384;
const neverAborted = new AbortController().signal;

/**
 * Opens a TCP connection to the catalogue of a data folder and has it prove on this connection that it knows
 * the folder's secret, before anything else is sent. The proof covers the addresses and ports of both ends,
 * so that an answer from another connection is invalid. Throws only when `signal` aborts.
 */
export async function proveConnection(
  port: number,
  identity: FolderIdentity,
  signal: AbortSignal = neverAborted,
): Promise<ConnectionResult> {
  signal.throwIfAborted();
  const socket = createConnection({ host: loopback, port, noDelay: true, keepAlive: true });
  const result = await reach(socket, port, identity, signal);
  if (result.kind !== 'proven') {
    // A late error must not end the process.
    socket.on('error', () => socket.destroy()).destroy();
    signal.throwIfAborted();
  }
  return result;
}

async function reach(
  socket: Socket,
  port: number,
  identity: FolderIdentity,
  signal: AbortSignal,
): Promise<ConnectionResult> {
  const nonce = randomBytes(32).toString('hex');
  const reply = await ask(
    socket,
    { path: `${helloPath}?nonce=${nonce}&join=1&keep=1`, proof: identity.prove('join', [nonce]) },
    port,
    signal,
  );
  if (reply.kind !== 'answer') return reply;
  if (reply.status !== 200) return { kind: 'foreign', holder: 'another web server' };
  const verified = verifyHello(reply.body, nonce, port, identity, reply.ends);
  if (verified.kind === 'foreign') return verified;
  if (verified.hello.state !== 'ready') return { kind: 'draining' };
  return { kind: 'proven', socket };
}

type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly ends: ConnectionEnds }
  | Extract<ConnectionResult, { kind: 'closed' | 'silent' | 'foreign' }>;

/** Sends one HTTP request over a connection that is used afterwards: the whole answer has to be read. */
function ask(
  socket: Socket,
  { path, proof }: { readonly path: string; readonly proof: string },
  port: number,
  signal: AbortSignal,
): Promise<Reply> {
  return new Promise((resolve) => {
    let received = '';
    let ends: ConnectionEnds = { client: '', server: '' };
    const settle = (reply: Reply) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', silent);
      socket.off('connect', connected).off('readable', read);
      socket.off('end', silent).off('close', silent).off('error', failed);
      resolve(reply);
    };
    const silent = () => settle({ kind: 'silent' });
    const failed = (error: Error) =>
      settle({ kind: systemCode(error) === 'ECONNREFUSED' ? 'closed' : 'silent' });
    const connected = () => {
      ends = {
        client: `${socket.localAddress}:${socket.localPort}`,
        server: `${socket.remoteAddress}:${socket.remotePort}`,
      };
      const head = [
        `GET ${path} HTTP/1.1`,
        `host: ${loopback}:${port}`,
        `${proofHeader}: ${proof}`,
        'connection: keep-alive',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
    };
    const read = () => {
      for (let chunk: unknown = socket.read(); Buffer.isBuffer(chunk); chunk = socket.read()) {
        received += chunk.toString('latin1');
      }
      const answer = readAnswer(received);
      if (answer === 'foreign') settle({ kind: 'foreign', holder: 'another program' });
      else if (answer !== null) settle({ kind: 'answer', ...answer, ends });
    };
    const timer = setTimeout(silent, timeoutMs);
    signal.addEventListener('abort', silent, { once: true });
    socket.once('connect', connected).on('readable', read);
    socket.once('end', silent).once('close', silent).once('error', failed);
  });
}

/** A whole answer in the form that the catalogue sends here; null while more may come. */
function readAnswer(received: string): { status: number; body: string } | 'foreign' | null {
  const start = 'HTTP/1.1 ';
  if (!received.startsWith(start.slice(0, received.length)) || received.length > maxCharacters) {
    return 'foreign';
  }
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = received.slice(0, end);
  const status = Number(head.slice(start.length, start.length + 3));
  // The body of another web server does not matter.
  if (status !== 200) return { status, body: '' };
  const length = /\r\ncontent-length: (\d{1,5})(?:\r\n|$)/i.exec(head)?.[1];
  if (length === undefined) return { status: 0, body: '' };
  const body = received.slice(end + 4);
  if (body.length > Number(length)) return 'foreign';
  return body.length === Number(length) ? { status, body } : null;
}
