import type { Writable } from 'node:stream';
import type { Log } from '../log.ts';
import { jsonOf } from '../text.ts';
import type { LegacyServer } from './legacy/server.ts';
import { type LongLine, longestLine } from './lines.ts';
import {
  failureLine,
  heardIn,
  internalError,
  invalidRequest,
  type Request,
  servedParams,
} from './messages.ts';
import type { ModernServer } from './modern/server.ts';
import { createLegacyOpening, createModernOpening, namesRevision, toldToServer } from './opening.ts';
import type { ServerOptions, Write } from './requests.ts';

const otherFiles =
  "This server's files are gone, or they were replaced. The person has to start the server again.";
const tooLong = `a message may have ${longestLine / 1024 / 1024} MiB`;

/**
 * A conversation with a host of either era. A request that names its revision is answered by that alone, whatever came
 * before. The others are of a host that begins with `initialize`. Each era has an SDK, which the first request loads
 * that the build has made no answer to.
 */
export function createConversation(options: ServerOptions, output: Writable, log: Log) {
  const write: Write = (line) => void output.write(line);
  const beginLegacy = createLegacyOpening(options);
  const beginModern = createModernOpening(options);
  let legacy: LegacyServer | null = null;
  let modern: ModernServer | null = null;
  let isTold = false;
  let leftOut = 0;

  const serve = async (request: Request): Promise<void> => {
    if (namesRevision(request)) {
      const answer = beginModern(request);
      if (answer !== null) return write(answer);
      modern ??= (await import('./modern/server.ts')).connectModernServer(options, write);
      return modern.take(toldToServer(request));
    }
    const answer = beginLegacy(request);
    if (typeof answer === 'string') return write(answer);
    legacy ??= await (await import('./legacy/server.ts')).connectLegacyServer(options, answer, write);
    legacy.take({ ...request, params: servedParams(request) });
  };

  const hearMessage = async (message: unknown): Promise<void> => {
    const heard = heardIn(message);
    switch (heard.is) {
      case 'request':
        try {
          return await serve(heard.request);
        } catch (error) {
          // Another version may have been installed over a server that runs.
          const name = error instanceof Error ? error.name : typeof error;
          if (!isTold) log.error(`the server can't be loaded (${name})`);
          isTold = true;
          return write(failureLine(heard.request.id, { code: internalError, message: otherFiles }));
        }
      case 'unsound':
        return write(failureLine(heard.id, heard.fault));
      case 'cancelled': {
        // Which era the request was of isn't said.
        const { requestId } = heard;
        for (const server of [legacy, modern])
          server?.take({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
        return;
      }
      case 'answer':
        return legacy?.take(heard.message);
      case 'ignored':
        return;
      case 'no message':
        leftOut += 1;
        // A host that writes nothing else would fill the log: the 1st, 10th, 100th … is told.
        if (/^10*$/.test(String(leftOut)))
          log.warn(`a line on stdin is no message of the protocol, and was left out (${leftOut} so far)`);
    }
  };

  return {
    /** Takes what the host writes, line by line: it resolves once the next line may come. */
    async hear(line: Buffer | LongLine): Promise<void> {
      if (!Buffer.isBuffer(line)) {
        log.warn(`a message of ${line.bytes} bytes was left out: ${tooLong}`);
        const message = `The message has ${line.bytes} bytes, and ${tooLong}. Ask for less in one call.`;
        if (line.id !== null) write(failureLine(line.id, { code: invalidRequest, message }));
        return;
      }
      // Some shells put a byte order mark before the first line that they pipe. It goes with the blanks.
      const text = line.toString().trim();
      if (text === '') return;
      const message = jsonOf(text);
      // 2025-03-26 has batches. Each of its messages is answered by itself, in every revision.
      if (!Array.isArray(message) || message.length === 0) return hearMessage(message);
      for (const one of message) await hearMessage(one);
    },
    /** Aborts what is in flight. */
    async close(): Promise<void> {
      await Promise.allSettled([legacy?.close(), modern?.close()]);
    },
  };
}
