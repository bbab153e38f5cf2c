import { randomBytes } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { judge } from './greet.ts';
import { type Ends, helloPath } from './handshake.ts';
import type { Identity } from './identity.ts';
import { loopback } from './port.ts';
import { systemCode } from '../sandbox-error.ts';

/** What an attempt to connect came to. Only `proven` leaves a connection open. */
export type Reached =
  | { readonly kind: 'proven'; readonly socket: Socket }
  /** Nothing listens there. */
  | { readonly kind: 'nobody' }
  /** Something listens, but an answer that could be judged did not come: it may be starting, or just ending. */
  | { readonly kind: 'silent' }
  /** Ours, and it takes nothing new: it ends, or is an earlier version of this program. */
  | { readonly kind: 'leaving' }
  | { readonly kind: 'stranger'; readonly who: string };

const patienceMs = 5_000;
const mostCharacters = 16_384;
const neverAborted = new AbortController().signal;

/**
 * Opens a TCP connection to the catalogue of a data folder, and has it prove on this very connection that it
 * knows the folder's secret, before anything else is sent over it. The proof covers both ends' addresses and
 * ports, so that an answer which was fetched over another connection is worth nothing. Throws only when
 * `signal` aborts.
 */
export async function proveConnection(
  port: number,
  identity: Identity,
  signal: AbortSignal = neverAborted,
): Promise<Reached> {
  signal.throwIfAborted();
  const socket = createConnection({ host: loopback, port, noDelay: true, keepAlive: true });
  const reached = await reach(socket, port, identity, signal);
  if (reached.kind !== 'proven') {
    // It may still fail, which nobody waits for any longer.
    socket.on('error', () => socket.destroy()).destroy();
    signal.throwIfAborted();
  }
  return reached;
}

async function reach(
  socket: Socket,
  port: number,
  identity: Identity,
  signal: AbortSignal,
): Promise<Reached> {
  const nonce = randomBytes(32).toString('hex');
  const reply = await ask(socket, `${helloPath}?nonce=${nonce}&join=1&keep=1`, port, signal);
  if (reply.kind !== 'answer') return reply;
  if (reply.status !== 200) return { kind: 'stranger', who: 'another web server' };
  const judged = judge(reply.body, nonce, port, identity, reply.ends);
  if (judged.kind === 'stranger') return judged;
  if (judged.older || judged.hello.state !== 'ready') return { kind: 'leaving' };
  return { kind: 'proven', socket };
}

type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly ends: Ends }
  | Extract<Reached, { kind: 'nobody' | 'silent' | 'stranger' }>;

/** One HTTP question over a connection that is to be used afterwards: nothing of the answer may stay in it. */
function ask(socket: Socket, path: string, port: number, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve) => {
    let received = '';
    let ends: Ends = { client: '', server: '' };
    const settle = (reply: Reply) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', silent);
      socket.off('connect', connected).off('readable', read);
      socket.off('end', silent).off('close', silent).off('error', failed);
      resolve(reply);
    };
    const silent = () => settle({ kind: 'silent' });
    const failed = (error: Error) =>
      settle({ kind: systemCode(error) === 'ECONNREFUSED' ? 'nobody' : 'silent' });
    const connected = () => {
      ends = {
        client: `${socket.localAddress}:${socket.localPort}`,
        server: `${socket.remoteAddress}:${socket.remotePort}`,
      };
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${loopback}:${port}\r\nconnection: keep-alive\r\n\r\n`);
    };
    const read = () => {
      for (let chunk: unknown = socket.read(); Buffer.isBuffer(chunk); chunk = socket.read()) {
        received += chunk.toString('latin1');
      }
      const answer = readAnswer(received);
      if (answer === 'stranger') settle({ kind: 'stranger', who: 'another program' });
      else if (answer !== null) settle({ kind: 'answer', ...answer, ends });
    };
    const timer = setTimeout(silent, patienceMs);
    signal.addEventListener('abort', silent, { once: true });
    socket.once('connect', connected).on('readable', read);
    socket.once('end', silent).once('close', silent).once('error', failed);
  });
}

/** A whole answer of the one form that the catalogue sends here; null while it may still become one. */
function readAnswer(received: string): { status: number; body: string } | 'stranger' | null {
  const start = 'HTTP/1.1 ';
  if (!received.startsWith(start.slice(0, received.length)) || received.length > mostCharacters) {
    return 'stranger';
  }
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = received.slice(0, end);
  const status = Number(head.slice(start.length, start.length + 3));
  // What another web server goes on to say tells nothing.
  if (status !== 200) return { status, body: '' };
  const length = /\r\ncontent-length: (\d{1,5})(?:\r\n|$)/i.exec(head)?.[1];
  if (length === undefined) return { status: 0, body: '' };
  const body = received.slice(end + 4);
  if (body.length > Number(length)) return 'stranger';
  return body.length === Number(length) ? { status, body } : null;
}
