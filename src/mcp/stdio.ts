import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Log } from '../log.ts';
import { signals } from '../machine.ts';
import { createConversation } from './conversation.ts';
import { longestLine, readLines } from './lines.ts';
import type { ServerOptions } from './requests.ts';

/** How long a host that has closed stdin, or writes ever more, may leave answers unread. ms */
const unreadMs = 3_000;
/** How long what is in flight may take to end by itself. ms */
const drainMs = 500;

/**
 * Serves on stdin and stdout until the host is gone: the end of stdin, a closed stdout, or a signal that asks for the
 * end. Requests in flight are aborted. The process exits here, since a request that hangs, or a watcher that a library
 * left, would keep it alive.
 */
export function serveStdio(options: ServerOptions, log: Log, close: () => Promise<void>): void {
  const { stdin, stdout } = process;
  const conversation = createConversation(options, stdout, log);
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    const exit = () => process.exit(0);
    setTimeout(exit, drainMs);
    Promise.allSettled([conversation.close(), close()]).then(exit, exit);
  };
  // One call's defect must not end the other calls. Only names are logged: an error's words may hold secrets.
  const survive = (error: unknown): void => {
    if (isEnding) return;
    log.error(`a fault outside every call: ${error instanceof Error ? error.name : typeof error}`);
  };
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
  // A host that died takes its end of the pipe with it: EPIPE is the ordinary way to learn it.
  stdout.on('error', end).once('close', end);
  for (const signal of signals.ending) process.on(signal, end);

  // What a host writes is read ahead of the answers, so that its end is seen while the host does not read them.
  const ahead = new PassThrough({ readableHighWaterMark: longestLine });
  const converse = async (): Promise<void> => {
    for await (const line of readLines(ahead)) {
      // All that such a host asks for would be held here.
      if (stdout.writableNeedDrain) await once(stdout, 'drain');
      if (isEnding) return;
      await conversation.hear(line);
    }
    end();
  };
  stdin.on('error', end).once('end', () => setTimeout(end, unreadMs));
  // With so much read ahead no more is read, and the end would not be seen.
  stdin.on('pause', () => {
    const stalled = setTimeout(end, unreadMs);
    ahead.once('drain', () => clearTimeout(stalled));
  });
  if (stdin.isTTY) log.info('waits for an MCP client on stdin; artwork-mcp --help tells more');
  stdin.pipe(ahead);
  converse().catch((error: unknown) => {
    survive(error);
    end();
  });
}
