import type { Writable } from 'node:stream';
import type { Log } from '../log.ts';
import { jsonOf } from '../text.ts';
import { createOpening } from './legacy/opening.ts';
import type { LegacyServer } from './legacy/server.ts';
import {
  failureLine,
  has,
  internalError,
  invalidParams,
  invalidRequest,
  is,
  isId,
  isNotification,
  isObject,
  isRequest,
  type Json,
  type Request,
  withoutNullArguments,
} from './messages.ts';
import { createModernOpening, namesRevision, refuseUnintroduced } from './modern/opening.ts';
import type { Cancelled, ModernServer } from './modern/server.ts';
import { faultIn, parameters } from './parameters.ts';
import type { ServerOptions } from './requests.ts';

/** A conversation with one host. */
export interface Conversation {
  /** Takes what the host writes, line by line: it resolves once the next line may come. */
  hear(line: Buffer): Promise<void>;
  /** Tells the host what has to be told before the connection ends. */
  farewell(): Promise<void>;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

/**
 * Speaks with hosts of both eras. A request that names its revision is answered by that alone, whatever came before;
 * the others are of a host that has begun with `initialize`. Each era has an SDK of its own, which is loaded by the
 * first request that the build has made no answer to.
 * @param leftOut is told of each line that is no message
 */
export function createConversation(
  options: ServerOptions,
  output: Writable,
  log: Log,
  leftOut: () => void,
): Conversation {
  const write = (text: string): void => void output.write(text);
  const legacyOpening = createOpening(options);
  const modernOpening = createModernOpening(options);
  let legacy: LegacyServer | null = null;
  let modern: ModernServer | null = null;
  let isInitialized = false;
  let isTold = false;

  /** Its files may not be there, as when another version was installed over a server that runs. */
  const notLoaded = (error: unknown, { id }: Request): void => {
    const name = error instanceof Error ? error.name : typeof error;
    if (!isTold) log.error(`the server can't be loaded (${name})`);
    isTold = true;
    write(failureLine(id, { code: internalError, message: otherFiles }));
  };

  const hearModern = async (request: Request): Promise<void> => {
    const verdict = modernOpening.judge(request);
    if ('answer' in verdict) return write(verdict.answer);
    try {
      modern ??= (await import('./modern/server.ts')).connectModernServer(options, output);
    } catch (error) {
      return notLoaded(error, request);
    }
    modern.take(verdict.forServer);
  };

  const hearLegacy = async (request: Request): Promise<void> => {
    const answer = legacy === null ? legacyOpening.answer(request) : null;
    if (answer !== null) return write(answer);
    const fault = faultInParameters(request);
    if (fault !== null) return write(failureLine(request.id, { code: invalidParams, message: fault }));
    if (legacy === null) {
      try {
        const { connectLegacyServer } = await import('./legacy/server.ts');
        legacy = await connectLegacyServer(options, legacyOpening.heard(), output);
      } catch (error) {
        return notLoaded(error, request);
      }
    }
    if (!legacy.take(request)) leftOut();
  };

  return {
    async hear(line) {
      const message = jsonOf(line.toString());
      if (!isObject(message)) return leftOut();
      if (isUnanswerable(message)) {
        leftOut();
        const id = isId(message.id) ? message.id : null;
        return write(failureLine(id, { code: invalidRequest, message: notARequest }));
      }
      if (isRequest(message)) {
        const request = withoutNullArguments(message);
        if (namesRevision(request)) return hearModern(request);
        isInitialized ||= message.method === 'initialize';
        if (!isInitialized && message.method !== 'ping') return write(refuseUnintroduced(message.id));
        return hearLegacy(request);
      }
      // Before an SDK is loaded there is no request that it could be about.
      if (isCancelled(message)) modern?.take(message);
      const isKnown = legacy === null ? isNotification(message) : legacy.take(message);
      if (!isKnown) leftOut();
    },
    async farewell() {
      await legacy?.farewell();
    },
    async close() {
      await Promise.allSettled([legacy?.close(), modern?.close()]);
    },
  };
}

/** It wants an answer, and is no request. */
function isUnanswerable(message: Json): boolean {
  return Object.hasOwn(message, 'method') && Object.hasOwn(message, 'id') && !isRequest(message);
}

function faultInParameters({ method, params }: Request): string | null {
  const members = parameters.get(method);
  return members === undefined ? null : faultIn(isObject(params) ? params : {}, members, 'params');
}

function isCancelled(message: Json): message is Json & Cancelled {
  const about = (params: unknown) => has(params, { requestId: isId });
  return has(message, { jsonrpc: is('2.0'), method: is('notifications/cancelled'), params: about });
}

const notARequest = 'A request has "jsonrpc": "2.0", an id that is a string or an integer, and a method.';
const otherFiles =
  "This server's files are not there any more, or are others: the person has to start it again.";
