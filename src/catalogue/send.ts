import type { Dispatcher } from 'undici';
import { callBudgetMs, type Deadline, deadlineIn, untilDeadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { createDispatchers, type OpenConnection } from '../http/dispatchers.ts';
import { exchange, type Gate, type StreamBody } from '../http/exchange.ts';
import { type Answer, answerBytes, cleanerOf, type ParsedBody, parseJson } from './answer.ts';
import { type Endpoint, type EndpointFinder, type Query, type ServicePath, writeQuery } from './call.ts';
import { networkFailure, refusalOfAnswer, serviceError, wasConnectionRefused } from './failures.ts';
import { isRecord } from './records/members.ts';

/** A POST below `{base_url}`: the one method by which the interface document changes anything. */
export interface SendRequest {
  readonly path: ServicePath;
  readonly query?: Query | undefined;
  /** `content-type` and the upload headers; authorization and length are set from the members below. */
  readonly headers: Readonly<Record<string, string>>;
  /** Never empty. */
  readonly body: Buffer | StreamBody;
  /** The access token. */
  readonly bearer: string | null;
  /**
   * Asked before the first byte leaves, the headers' too, and before the last chunk of the body: a rejection keeps back
   * what has not left, so that the service never has the whole request.
   */
  readonly gate?: Gate | undefined;
}

/** What became of a request that may be sent only once. */
export type SendOutcome =
  /** Nothing of it reached the service. */
  | { readonly outcome: 'not_sent'; readonly error: ArtworkError }
  /**
   * The service said no. This request changed nothing, unless `status` is 401 or 429: what a gateway says of a request,
   * it may say after the service has acted.
   */
  | { readonly outcome: 'refused'; readonly status: number; readonly error: ArtworkError }
  /** The service said yes. `body` is its cleaned JSON, null where it sent an empty one. */
  | { readonly outcome: 'applied'; readonly status: number; readonly body: unknown }
  /**
   * It may or may not have been applied. `bodyComplete` false: the service never got the whole body, which the
   * interface document lets it apply only against its own rule (Content-Length). `status`: its answer began with it, but
   * proves nothing or was cut off.
   */
  | {
      readonly outcome: 'unknown';
      readonly status: number | null;
      readonly error: ArtworkError;
      readonly bodyComplete: boolean;
    };

/** Milliseconds that an answer may pause once it has begun. */
const bodyMs = 15_000;

/** Sends requests that change something, each once, and proves whether one left. */
export function createSender(endpoints: EndpointFinder, userAgent: string, open?: OpenConnection) {
  // No connection is used twice: one that was idle may be closed at its other end already.
  const dispatchers = createDispatchers({ connections: 'fresh', open });

  const sendNow = async (request: SendRequest, within: Deadline): Promise<SendOutcome> => {
    const { path, query = {}, headers, body, bearer, gate } = request;
    if (body.length === 0) return notSent(new ArtworkError('invalid_arguments', 'The body is empty.'));
    let found: Endpoint;
    let dispatcher: Dispatcher;
    try {
      found = await endpoints.find(within);
      dispatcher = dispatchers.for(found.origin);
    } catch (cause) {
      if (cause instanceof ArtworkError) return notSent(cause);
      return notSent(new ArtworkError('internal', 'The catalogue could not be found.', { cause }));
    }
    const result = await exchange(dispatcher, {
      method: 'POST',
      origin: found.origin,
      path: found.prefix + path + writeQuery(query),
      headers: {
        ...headers,
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      },
      body,
      gate,
      maxBytes: answerBytes,
      headersMs: 0,
      bodyMs,
      signal: within.signal,
    });
    if (result.end === 'failed' && wasConnectionRefused(result.error)) endpoints.refused();
    if (result.end !== 'answered') {
      const error = networkFailure(found.origin, result);
      const status = result.end === 'cut' ? result.head.status : null;
      return result.sent ? unknownOutcome(error, status, result.complete) : notSent(error);
    }
    if (!result.sent) return notSent(new ArtworkError('internal', 'A request was answered before it left.'));
    const outcome = judgeAnswer({ ...result, clean: cleanerOf(bearer) }, result.complete);
    if (outcome.outcome === 'applied' && !Buffer.isBuffer(body)) body.arrived?.();
    return outcome;
  };

  return {
    /**
     * Sends a request once and says what became of it. Nothing underneath repeats it, follows a redirect, or puts it on
     * a connection that was used before. Never rejects.
     */
    send: (request: SendRequest, deadline: Deadline = deadlineIn(callBudgetMs)): Promise<SendOutcome> =>
      untilDeadline(deadline, (within) => sendNow(request, within)),
    destroy: dispatchers.destroy,
  };
}

function notSent(error: ArtworkError): SendOutcome {
  return { outcome: 'not_sent', error };
}

/** Judges a whole answer. `bodyComplete`: all of the request had been handed over when it came. */
export function judgeAnswer(answer: Answer, bodyComplete: boolean): SendOutcome {
  const { status } = answer.head;
  const parsed = parseJson(answer);
  if (status >= 300) {
    const error = refusalOfAnswer(answer.head, parsed, true);
    if (isRefusal(status, parsed)) return { outcome: 'refused', status, error };
    return unknownOutcome(error, status, bodyComplete);
  }
  const isEmpty = answer.body.length === 0 && isFramed(answer);
  const why = bodyComplete ? (isEmpty ? null : whyNoReceipt(parsed)) : 'came before the request was complete';
  if (why === null) return { outcome: 'applied', status, body: parsed.json ? parsed.value : null };
  const message = `The service answered ${status}, but its answer ${why}.`;
  return unknownOutcome(new ArtworkError('bad_response', message, { status }), status, bodyComplete);
}

/** What one request came to where it may have been applied and no answer says so. */
export function unknownOutcome(
  error: ArtworkError,
  status: number | null,
  bodyComplete: boolean,
): SendOutcome {
  return { outcome: 'unknown', status, error, bodyComplete };
}

function whyNoReceipt(parsed: ParsedBody): string | null {
  if (!parsed.json) return parsed.why;
  if (!isRecord(parsed.value)) return 'is not a receipt';
  const { data = null, error = null } = parsed.value;
  return error !== null && data === null ? 'holds an error' : null;
}

/** An answer without a length ends when its connection does, and so may have been longer. */
function isFramed({ head: { status, headers } }: Answer): boolean {
  return (
    status === 204 || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  );
}

function isRefusal(status: number, body: ParsedBody): boolean {
  switch (status) {
    // These two ask for the very same request at another address (RFC 9110, 15.4.8 and 15.4.9): a service that had
    // applied it and asked for it once more would have it applied twice. The other redirects may be answered with a
    // GET, which is how a form that was applied sends its caller on.
    case 307:
    case 308:
      return true;
    // A proxy gave up waiting: the service itself may not have.
    case 408:
    case 425:
    case 499:
      return false;
    default:
      // Without the service's own error it may be anybody's answer.
      return status >= 400 && status < 500 && body.json && serviceError(body.value) !== null;
  }
}
