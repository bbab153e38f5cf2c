import type net from 'node:net';
import { type Finished, type RawServed, serveRaw } from './scripted-server.ts';

/** One request as the bytes of a connection show it. */
export interface Received {
  /** Which connection it came on, counted from 0. */
  readonly connection: number;
  /** The how-manieth request of that connection, counted from 0. */
  readonly nth: number;
  head: string;
  bodyBytes: number;
  /** All of its body has come. */
  whole: boolean;
}

export interface PostScript {
  /** A connection was accepted. */
  connected?(socket: net.Socket, connection: number): void;
  /** A request's head has come, and whatever came with it. */
  head?(socket: net.Socket, request: Received): void;
  /** The whole request has come. */
  whole?(socket: net.Socket, request: Received): void;
}

export interface PostServer extends RawServed {
  readonly received: Received[];
  /** Bytes over all connections. */
  bytes(): number;
}

/** A TCP server that knows just enough HTTP to tell the moments of a request apart, and does what it is told. */
export async function servePosts(script: PostScript, finished?: Finished): Promise<PostServer> {
  const received: Received[] = [];
  let bytes = 0;
  const raw = await serveRaw((socket, connection) => {
    let pending = '';
    let current: Received | null = null;
    let nth = 0;
    let length = 0;
    script.connected?.(socket, connection);
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      pending += chunk.toString('latin1');
      for (;;) {
        if (current === null) {
          const end = pending.indexOf('\r\n\r\n');
          if (end < 0) return;
          const head = pending.slice(0, end);
          pending = pending.slice(end + 4);
          length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 'NaN');
          current = { connection, nth: nth++, head, bodyBytes: 0, whole: false };
          received.push(current);
          current.bodyBytes = Math.min(pending.length, length);
          script.head?.(socket, current);
        }
        current.bodyBytes = Math.min(pending.length, length);
        if (pending.length < length) return;
        pending = pending.slice(length);
        current.whole = true;
        const done = current;
        current = null;
        script.whole?.(socket, done);
      }
    });
  }, finished);
  return { ...raw, received, bytes: () => bytes };
}

/** An answer with a length, on a connection that stays open. */
export function answer(status: number, body: string, headers = 'content-type: application/json'): string {
  return `HTTP/1.1 ${status} X\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export const receipt = '{"data":{"id":"a1"}}';
