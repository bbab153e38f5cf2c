import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { wrongParams } from './wrong-params.ts';

/** A line that is no message of the protocol. */
interface Unread {
  /** What a request has for its id, where it can be told without loss; else null. Undefined: it waits for no answer. */
  readonly id: RequestId | null | undefined;
}

/**
 * The protocol on lines: one message each. A request that can't be read is answered, as far as its id can be told
 * (JSON-RPC 2.0, Response object: else null); of any other line that is no message `leftOut` is told.
 * @param lines of Buffers, each a whole line
 */
export function createLineTransport(lines: Readable, output: Writable, leftOut: () => void): Transport {
  const write = async (message: object): Promise<void> => {
    if (output.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      output.once('drain', resolve);
    });
  };
  const refuse = (id: RequestId | null, code: ErrorCode, message: string) =>
    // A stream's fault is an event of it; writing itself does not reject.
    void write({ jsonrpc: '2.0', id, error: { code, message } });

  const take = (line: Buffer): void => {
    const read = readMessage(line.toString('utf8'));
    if ('message' in read) {
      const { message } = read;
      const wrong = isJSONRPCRequest(message) ? wrongParams(message) : null;
      if (wrong !== null && 'id' in message) refuse(message.id ?? null, ErrorCode.InvalidParams, wrong);
      else transport.onmessage?.(message);
    } else if (read.id !== undefined) {
      refuse(read.id, ErrorCode.InvalidRequest, notARequest);
    } else {
      leftOut();
    }
  };
  const transport: Transport = {
    async start() {
      lines.on('data', take);
    },
    send: write,
    async close() {
      lines.off('data', take);
      transport.onclose?.();
    },
  };
  return transport;
}

const notARequest =
  'The message is no request of JSON-RPC 2.0: jsonrpc must be "2.0", id a string or an integer up to 2^53, params an object.';

function readMessage(line: string): { readonly message: JSONRPCMessage } | Unread {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return { id: undefined };
    throw error;
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) return { message: parsed.data };
  if (typeof value !== 'object' || value === null || !('id' in value && 'method' in value))
    return { id: undefined };
  return { id: toldId(value.id) };
}

/** A larger number has lost its digits here, and might be the id of another request. */
function toldId(id: unknown): RequestId | null {
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : null;
  return typeof id === 'string' ? id : null;
}
