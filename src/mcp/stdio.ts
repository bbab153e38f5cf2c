import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { signals } from '../machine.ts';
import { createConversation } from './conversation.ts';
import { type LongLine, longestLine, readLines } from './lines.ts';
import { failureLine, invalidRequest } from './messages.ts';
import type { ServerOptions } from './requests.ts';

/** How long lines that were read before stdin ended may wait for a host that does not read. ms */
const answerMs = 2_000;
/** How long what is in flight may take to end by itself. ms */
const drainMs = 500;

/**
 * Serves on stdin and stdout until the host is gone: the end of stdin, a closed stdout, or a signal that asks for the
 * end. Requests in flight are aborted. The process exits here, since a request that hangs, or a watcher that a library
 * left, would keep it alive.
 */
export function serveStdio(options: ServerOptions, log: Log, close: () => Promise<void>): void {
  const { stdin, stdout } = process;
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    const exit = () => process.exit(0);
    setTimeout(exit, drainMs);
    Promise.allSettled([conversation.close(), close()]).then(exit, exit);
  };

  const refuseLong = ({ bytes, id }: LongLine): void => {
    const limit = `a message may have ${longestLine / 1024 / 1024} MiB`;
    log.warn(`a message of ${bytes} bytes was left out: ${limit}`);
    if (id === null) return;
    const message = `The message has ${bytes} bytes, and ${limit}. Ask for less in one call.`;
    stdout.write(failureLine(id, { code: invalidRequest, message }));
  };
  let unread = 0;
  const leaveOut = (): void => {
    unread += 1;
    // The 1st, 10th, 100th … is told. A host that writes nothing else would fill the log, and the memory that waits for it.
    if (ending || !/^10*$/.test(String(unread))) return;
    const many = unread === 1 ? '' : ` (${unread} such lines so far)`;
    log.warn(`a line on stdin is no message of the protocol, and was left out${many}`);
  };
  const conversation = createConversation(options, stdout, log, leaveOut);

  // Lines are read ahead of their answers, so that the end of stdin is seen while a host does not read what it asked for.
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let answering: Promise<void> | null = null;
  const answerAll = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined && !ending; line = waiting.shift()) {
      // All that such a host asks for would be held here.
      if (stdout.writableNeedDrain) await once(stdout, 'drain');
      waitingBytes -= line.length;
      await conversation.hear(line);
    }
    answering = null;
  };
  const converse = async (): Promise<void> => {
    for await (const line of readLines(stdin, refuseLong)) {
      waiting.push(line);
      waitingBytes += line.length;
      answering ??= answerAll();
      answering.catch(fail);
      if (waitingBytes > longestLine) await answering;
    }
    await Promise.race([answering, delay(answerMs)]);
    end();
  };

  // One call's defect must not end the other calls. Only names are logged: an error's words may hold secrets.
  const survive = (error: unknown) =>
    log.error(`a fault outside every call: ${error instanceof Error ? error.name : typeof error}`);
  const fail = (error: unknown): void => {
    if (!ending) survive(error);
    end();
  };
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
  // A host that died takes its end of the pipe with it: EPIPE is the ordinary way to learn it.
  stdout.on('error', end).once('close', end);
  // Each answer that is written while the host does not read waits for it by a listener of its own.
  stdout.setMaxListeners(0);
  for (const signal of signals.ending) process.on(signal, end);
  process.stderr.on('error', () => {
    // The log is not read any more, and there is no other place to say so.
  });

  if (stdin.isTTY) log.info('waits for an MCP client on stdin; artwork-mcp --help tells more');
  converse().catch(fail);
}
