import type { Writable } from 'node:stream';
import type { Log } from '../log.ts';
import { jsonOf } from '../text.ts';
import type { LegacyServer } from './legacy/server.ts';
import { failureLine, heardIn, internalError, type Request, servedParams } from './messages.ts';
import type { ModernServer } from './modern/server.ts';
import { createLegacyOpening, createModernOpening, namesRevision, toldToServer } from './opening.ts';
import type { ServerOptions } from './requests.ts';

/** A conversation with one host. */
export interface Conversation {
  /** Takes what the host writes, line by line: it resolves once the next line may come. */
  hear(line: Buffer): Promise<void>;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

const otherFiles =
  "This server's files are gone, or they were replaced. The person has to start the server again.";

/**
 * Speaks with hosts of both eras. A request that names its revision is answered by that alone, whatever came before. The
 * others are of a host that begins with `initialize`. Each era has an SDK, which the first request loads that the build
 * has made no answer to.
 * @param leftOut is told of each line that is no message
 */
export function createConversation(
  options: ServerOptions,
  output: Writable,
  log: Log,
  leftOut: () => void,
): Conversation {
  const write = (text: string): void => void output.write(text);
  const legacyOpening = createLegacyOpening(options);
  const modernOpening = createModernOpening(options);
  let legacy: LegacyServer | null = null;
  let modern: ModernServer | null = null;
  let isTold = false;

  const serve = async (request: Request): Promise<void> => {
    if (namesRevision(request)) {
      const answer = modernOpening.answer(request);
      if (answer !== null) return write(answer);
      modern ??= (await import('./modern/server.ts')).connectModernServer(options, output);
      return modern.take(toldToServer(request));
    }
    const answer = legacyOpening.answer(request);
    if (typeof answer === 'string') return write(answer);
    legacy ??= await (await import('./legacy/server.ts')).connectLegacyServer(options, answer, output);
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
        return leftOut();
    }
  };

  return {
    async hear(line) {
      const message = jsonOf(line.toString());
      // 2025-03-26 has batches. Each of its messages is answered by itself, in every revision.
      if (!Array.isArray(message) || message.length === 0) return hearMessage(message);
      for (const one of message) await hearMessage(one);
    },
    async close() {
      await Promise.allSettled([legacy?.close(), modern?.close()]);
    },
  };
}
