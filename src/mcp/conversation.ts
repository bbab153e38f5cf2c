import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../log.ts';
import type { ConnectedServer } from './connect-server.ts';
import type { Output } from './output.ts';
import { isPlainRequest } from './plain-request.ts';
import { createLists, createPrebuilt } from './prebuilt.ts';
import type { ServerOptions } from './server-options.ts';

/** The conversation with a host. */
export interface Conversation {
  /** Takes one line of the host's. */
  take(line: Buffer): void;
  /** Tells the host what has to be told before the connection ends. */
  farewell(): Promise<void>;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

/**
 * Answers what the build has made already. The first message that needs more loads the SDK's server, which hears how
 * the host opened the conversation, and then all that goes on.
 * @param leftOut is told of each line that is no message
 */
export function createConversation(
  options: ServerOptions,
  output: Output,
  log: Log,
  leftOut: () => void,
): Conversation {
  const lists = createLists(options);
  const prebuilt = createPrebuilt(options, lists);
  let isConnecting = false;
  let server: ConnectedServer | null = null;
  /** What the SDK's server has to hear once it is there. */
  let waiting: unknown[] = [];

  const connect = async (): Promise<void> => {
    try {
      const { connectServer } = await import('./connect-server.ts');
      server = await connectServer(options, lists, output, leftOut, prebuilt.opening());
      for (const message of waiting) server.take(message);
    } catch (error) {
      // Its files are not there, as when another version was installed over a server that runs.
      log.error(`the server can't be loaded (${error instanceof Error ? error.name : typeof error})`);
      for (const id of waiting.flatMap(idsOf)) void output.send({ jsonrpc: '2.0', id, error: notLoaded });
    }
    waiting = [];
    isConnecting = false;
  };

  return {
    take(line) {
      let message: unknown;
      try {
        message = JSON.parse(line.toString('utf8'));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return leftOut();
      }
      const result = isPlainRequest(message) ? prebuilt.answer(message) : null;
      if (result !== null) {
        void output.send({ result, jsonrpc: '2.0', id: idsOf(message)[0] });
      } else if (server !== null) {
        server.take(message);
      } else {
        waiting.push(message);
        if (isConnecting || (isOpened(message) && waiting.length === 1)) return;
        isConnecting = true;
        void connect();
      }
    },
    farewell: async () => server?.farewell(),
    close: async () => server?.close(),
  };
}

/** The end of the opening, which wants no answer. */
function isOpened(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'notifications/initialized' &&
    !('id' in message)
  );
}

/** The id under which a message waits for an answer. */
function idsOf(message: unknown): RequestId[] {
  return isPlainRequest(message) ? [message.id] : [];
}

/** The code of JSON-RPC 2.0 for a defect of the server. */
const notLoaded = {
  code: -32603,
  message: "This server's files are not there any more, or are others: the person has to start it again.",
};
