import type { Dispatcher } from 'undici';
import { ArtworkError } from '../errors.ts';
import { retryAfterMs } from '../wire/backoff.ts';
import type { CallTime } from './request-time.ts';
import { type Exchange, exchange, type Head } from '../wire/exchange.ts';
import { maskToken } from './mask-token.ts';
import { mayFailurePass, networkFailure, wasConnectionRefused } from './network-failure.ts';
import { refusalOfAnswer } from './refusal.ts';
import type { EndpointFinder, Endpoint } from './endpoint.ts';
import { decodeBody } from './wire-body.ts';

/** Where one GET goes. */
export interface ReadTarget {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** With its query. */
  readonly path: string;
}

export interface ReadRequest {
  /** Asked before every try, since the catalogue may have moved. */
  readonly to: (found: Endpoint) => ReadTarget | Promise<ReadTarget>;
  readonly accept: string;
  readonly maxBytes: number;
  /** The access token, for protected reads. */
  readonly bearer?: string;
}

/** A 2xx answer, its content encoding undone. */
export interface Answer {
  readonly head: Head;
  readonly body: Buffer;
}

export type Reader = (request: ReadRequest, time: CallTime) => Promise<Answer>;

const usualTries = 5;
const firstPauseMs = 200;

/**
 * GETs, the only requests that are ever repeated: after a fault of the network, 502, 503 or 504, and after
 * 429 when the service says when, as long as the call's time lasts. `silenceMs`: how long a
 * service may say nothing before a try is given up. `tries`: how often a request is sent at most. Rejects with
 * ArtworkErrors.
 */
export function createReader(
  endpoints: EndpointFinder,
  userAgent: string,
  silenceMs: number,
  tries = usualTries,
): Reader {
  return async (request, time) => {
    for (let tried = 1; ; tried++) {
      const target = await request.to(await endpoints.find(time));
      const { maxBytes, bearer } = request;
      const result = await exchange(target.dispatcher, {
        method: 'GET',
        origin: target.origin,
        path: target.path,
        headers: {
          accept: request.accept,
          'accept-encoding': 'identity',
          'user-agent': userAgent,
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        },
        maxBytes,
        headersMs: silenceMs,
        bodyMs: silenceMs,
        signal: time.signal,
      });
      if (result.end === 'answered' && isSuccess(result.head.status)) {
        return { head: result.head, body: await bodyOf(result, request) };
      }
      if (result.end === 'failed' && wasConnectionRefused(result.error)) endpoints.refused();
      const pause = pauseAfter(result, tried);
      if (pause === null || tried === tries || pause >= time.left()) {
        throw await failureOf(result, target.origin, request);
      }
      await time.wait(pause);
    }
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
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
      return asked === null ? pause : Math.max(asked, pause);
    default:
      return null;
  }
}

type Answered = Extract<Exchange, { end: 'answered' }>;

async function bodyOf({ head, body }: Answered, { maxBytes, bearer }: ReadRequest): Promise<Buffer> {
  return maskToken(await decodeBody(head, body, maxBytes), bearer ?? null);
}

async function failureOf(result: Exchange, origin: string, request: ReadRequest): Promise<ArtworkError> {
  const { maxBytes, bearer } = request;
  if (result.end === 'failed') return networkFailure(origin, result.error, maxBytes);
  if (result.end === 'cut') return networkFailure(origin, result.error, maxBytes, result.head.status);
  const error = refusalOfAnswer(result.head, await bodyOf(result, request), bearer !== undefined);
  const wait = retryAfterMs(result.head.headers);
  if (wait === null) return error;
  const at = new Date(Date.now() + wait).toISOString();
  return new ArtworkError(error.category, error.message, {
    ...error,
    next: {
      why: `The service asks to be left alone until ${at}: make the same call again then, not before.`,
    },
  });
}
