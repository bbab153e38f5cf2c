import type { Dispatcher } from 'undici';
import { sleep } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import type { ArtworkError } from '../errors.ts';
import type { Dispatchers } from '../http/dispatchers.ts';
import { type Exchange, exchange, retryAfterMs } from '../http/exchange.ts';
import { type Answer, answerBytes, cleanerOf, parseJson } from './answer.ts';
import type { Endpoint, EndpointFinder, ServicePath } from './call.ts';
import { mayFailurePass, networkFailure, refusalOfAnswer, wasConnectionRefused } from './failures.ts';

/** Where one GET goes. */
export interface ReadTarget {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** With its query. */
  readonly path: string;
}

interface ReadRequest {
  /** Asked before every try, since the catalogue may have moved. */
  readonly to: (found: Endpoint) => ReadTarget | Promise<ReadTarget>;
  readonly accept: string;
  readonly maxBytes: number;
  /** The access token, for protected reads. */
  readonly bearer?: string;
}

/** A JSON answer of the service, at a path below `{base_url}`. */
export function jsonAt(path: ServicePath, dispatchers: Dispatchers): Omit<ReadRequest, 'bearer'> {
  const to = ({ origin, prefix }: Endpoint) => ({
    dispatcher: dispatchers.for(origin),
    origin,
    path: prefix + path,
  });
  return { to, accept: 'application/json', maxBytes: answerBytes };
}

export type Reader = (request: ReadRequest, deadline: Deadline) => Promise<Answer>;

const firstPauseMs = 200;

/**
 * GETs, the only requests that are ever repeated: after a fault of the network, 502, 503 or 504, and after 429 where the
 * service says when, until the deadline. Rejects with ArtworkErrors.
 * @param silenceMs how long the service may say nothing before a try is given up
 * @param tries how often a request is sent at most
 */
export function createReader(
  endpoints: EndpointFinder,
  userAgent: string,
  silenceMs: number,
  tries: number,
): Reader {
  return async ({ to, accept, maxBytes, bearer }, deadline) => {
    const clean = cleanerOf(bearer ?? null);
    for (let tried = 1; ; tried++) {
      const { dispatcher, origin, path } = await to(await endpoints.find(deadline));
      const result = await exchange(dispatcher, {
        method: 'GET',
        origin,
        path,
        headers: {
          accept,
          'accept-encoding': 'identity',
          'user-agent': userAgent,
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        maxBytes,
        headersMs: silenceMs,
        bodyMs: silenceMs,
        signal: deadline.signal,
      });
      if (result.end === 'answered' && result.head.status < 300) return { ...result, clean };
      if (result.end === 'failed' && wasConnectionRefused(result.error)) endpoints.refused();
      const pause = pauseAfter(result, tried);
      if (pause !== null && tried < tries && pause < deadline.left()) {
        await sleep(pause, deadline.signal);
        deadline.signal.throwIfAborted();
        continue;
      }
      if (result.end === 'answered') throw refusal({ ...result, clean }, bearer !== undefined);
      throw networkFailure(origin, result);
    }
  };
}

/** Milliseconds until the next try; null when another try can't help. */
function pauseAfter(result: Exchange, tried: number): number | null {
  // Half of the pause is drawn, so that clients that failed together don't come back together.
  const pause = firstPauseMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
  if (result.end !== 'answered') return mayFailurePass(result.error) ? pause : null;
  const asked = retryAfterMs(result.head.headers);
  switch (result.head.status) {
    case 429:
      return asked === null ? null : Math.max(asked, pause);
    case 502:
    case 503:
    case 504:
      return Math.max(asked ?? 0, pause);
    default:
      return null;
  }
}

function refusal(answer: Answer, isAuthorized: boolean): ArtworkError {
  const error = refusalOfAnswer(answer.head, parseJson(answer), isAuthorized);
  const retryAt = error.details?.retryAt;
  if (retryAfterMs(answer.head.headers) === null) return error;
  const why = `The service takes no calls until ${retryAt}. Make the same call again then, not before.`;
  return error.leadingTo({ why });
}
