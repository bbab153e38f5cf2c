import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../log.ts';
import { signals } from '../machine.ts';
import type { ConnectedServer } from './connect-server.ts';
import { createFrames, createOutput, type LongFrame, longestFrame, type Output } from './frames.ts';
import { createLists, createPrebuilt, isPlainRequest } from './prebuilt.ts';
import type { ServerOptions } from './server.ts';

/**
 * Serves on stdin and stdout until the host is gone: the end of stdin, a closed stdout, or a signal that asks for the
 * end. Requests in flight are aborted. The process exits here, since a request that hangs, or a watcher
 * that a library left, would otherwise keep it alive.
 */
export function serveStdio(options: ServerOptions, log: Log, close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    const exit = () => {
      output.flush();
      process.exit(0);
    };
    setTimeout(exit, drainMs);
    const leave = () => Promise.allSettled([conversation.close(), close()]);
    conversation.farewell().then(leave, leave).then(exit, exit);
  };

  const refuse = ({ bytes, id }: LongFrame): void => {
    const limit = `a message on stdin may have ${longestFrame / 1024 / 1024} MiB`;
    log.warn(`a message of ${bytes} bytes was left out: ${limit}`);
    if (id === null) return;
    const message = `The message has ${bytes} bytes, and ${limit}: ask for less in one call.`;
    output.send({ jsonrpc: '2.0', id, error: { code: invalidRequest, message } });
  };
  let unread = 0;
  const leaveOut = (): void => {
    unread += 1;
    // The 1st, 10th, 100th … is told: a host that writes nothing else would fill the log, and the memory that waits for it.
    if (!/^10*$/.test(String(unread))) return;
    const many = unread === 1 ? '' : ` (${unread} such lines so far)`;
    log.warn(`a line on stdin is no message of the protocol; it was left out${many}`);
  };
  const output = createOutput(process.stdout);
  const conversation = createConversation(options, output, log, leaveOut);
  // A host that asks and does not read has to wait, since all that it asks for would be held here. One chunk of its
  // requests may ask for fifty megabytes.
  let held: Buffer[] | null = null;
  const take = (line: Buffer): void => {
    if (held !== null) {
      held.push(line);
      return;
    }
    conversation.take(line);
    if (output.waiting() <= mostWaiting) return;
    held = [];
    process.stdin.pause();
    void output.read().then(goOn);
  };
  const goOn = (): void => {
    const lines = held ?? [];
    held = null;
    for (const line of lines) take(line);
    if (held === null) process.stdin.resume();
  };
  const frames = createFrames(take, refuse);
  process.stdin
    .on('data', (chunk: Buffer) => frames.take(chunk))
    .once('end', () => {
      frames.end();
      for (const line of held ?? []) conversation.take(line);
      end();
    })
    .once('close', end)
    .once('error', end);
  // A host that died takes its end of the pipe with it: EPIPE is the ordinary way to learn it.
  process.stdout.on('error', end).once('close', end);
  for (const signal of signals.ending) process.on(signal, end);
  process.stderr.on('error', () => {
    // The log is not read any more; there is no other place to say so.
  });

  // One call's defect must not end the other calls. Only names are logged: an error's words may hold secrets.
  const survive = (error: unknown) =>
    log.error(`a fault outside every call: ${error instanceof Error ? error.name : typeof error}`);
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);

  if (process.stdin.isTTY) log.info('waits for an MCP client on stdin; artwork-mcp --help tells more');
}

/** The code of JSON-RPC 2.0 for a message that is no request. */
const invalidRequest = -32600;

/** Bytes of answers that wait for the host. Far above what a host that is busy for a moment leaves unread. */
const mostWaiting = 4 * 1024 * 1024;

/** How long what is in flight may take to end by itself. */
const drainMs = 500;

/** The conversation with a host. */
interface Conversation {
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
function createConversation(
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
  /** The log says once that it can't be loaded; each call is told. */
  let isTold = false;

  const connect = async (): Promise<void> => {
    const opening = prebuilt.handOver();
    try {
      const { connectServer } = await import('./connect-server.ts');
      server = await connectServer(options, lists, output, leftOut, opening);
      for (const message of waiting) server.take(message);
    } catch (error) {
      // Its files are not there, as when another version was installed over a server that runs.
      if (!isTold)
        log.error(`the server can't be loaded (${error instanceof Error ? error.name : typeof error})`);
      isTold = true;
      for (const id of waiting.flatMap(idsOf)) output.send({ jsonrpc: '2.0', id, error: notLoaded });
    }
    waiting = [];
    isConnecting = false;
  };

  return {
    take(line) {
      let message: unknown;
      try {
        const text = line.toString('utf8');
        // Some shells put a byte order mark before the first line that they pipe.
        message = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return leftOut();
      }
      const result = isPlainRequest(message) ? prebuilt.answer(message) : null;
      if (result !== null) {
        output.send({ result, jsonrpc: '2.0', id: idsOf(message)[0] });
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
