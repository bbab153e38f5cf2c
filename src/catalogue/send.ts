import { callBudgetMs, type Deadline, deadlineIn } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { type Clean, cleanerWithout } from '../text.ts';
import {
  delayLastChunk,
  type Exchange,
  exchange,
  type Gate,
  type Head,
  type Progress,
  type StreamBody,
} from '../wire/exchange.ts';
import { answerBytes, decodeBody, type ParsedBody, parseJson } from './answer-body.ts';
import {
  type Endpoint,
  type EndpointFinder,
  type Query,
  type ServicePath,
  untilDeadline,
  writeQuery,
} from './call.ts';
import { createFreshConnections, type FreshConnection, type OpenConnection } from './dispatchers.ts';
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

/** Sends requests that change something, each once, and proves whether one left. */
export function createSender(endpoints: EndpointFinder, userAgent: string, open?: OpenConnection) {
  const connections = createFreshConnections(open);

  const sendNow = async (request: SendRequest, within: Deadline): Promise<SendOutcome> => {
    if (request.body.length === 0)
      return notSent(new ArtworkError('invalid_arguments', 'The body is empty.'));
    let found: Endpoint;
    let connection: FreshConnection;
    let path: string;
    try {
      found = await endpoints.find(within);
      path = found.prefix + request.path + writeQuery(request.query ?? {});
      connection = connections.acquire(found.origin);
    } catch (error) {
      return notSent(beforeSending(error));
    }
    const progress: Progress = { bytes: 0, complete: false, failure: null };
    const body = delayLastChunk(asStream(request.body), progress, request.gate);
    const result = await exchange(connection.dispatcher, {
      method: 'POST',
      origin: found.origin,
      path,
      headers: headersOf(request, userAgent),
      body,
      maxBytes: answerBytes,
      headersMs: 0,
      bodyMs: 15_000,
      signal: within.signal,
    });
    if (result.end === 'answered') connection.keep();
    else connection.drop();
    if (result.end === 'failed' && wasConnectionRefused(result.error)) endpoints.refused();

    // undici writes the headers of a streamed request together with the first chunk of its body.
    const left = result.sent && progress.bytes > 0;
    if (!left) return notSent(failureOf(result, found.origin, progress));
    const outcome = await judgeSent(result, found.origin, progress.complete, progress, request.bearer);
    if (outcome.outcome === 'applied' && !Buffer.isBuffer(request.body)) request.body.arrived?.();
    return outcome;
  };

  return {
    /**
     * Sends a request once and says what became of it. Nothing underneath repeats it, follows a redirect, or
     * puts it on a connection that was idle for over a second. Never rejects.
     */
    send: (request: SendRequest, deadline: Deadline = deadlineIn(callBudgetMs)): Promise<SendOutcome> =>
      untilDeadline(deadline, (within) => sendNow(request, within)),
    destroy: connections.destroy,
  };
}

async function judgeSent(
  result: Exchange,
  origin: string,
  bodyComplete: boolean,
  progress: Progress,
  bearer: string | null,
): Promise<SendOutcome> {
  if (result.end !== 'answered') {
    const status = result.end === 'cut' ? result.head.status : null;
    return unknownOutcome(failureOf(result, origin, progress), status, bodyComplete);
  }
  const { head } = result;
  try {
    const body = await decodeBody(head, result.body, answerBytes);
    return judgeAnswer(head, body, bodyComplete, cleanerWithout(bearer));
  } catch (cause) {
    if (cause instanceof ArtworkError) return unknownOutcome(cause, head.status, bodyComplete);
    // A defect of ours. The request has left, and what became of it can still be looked up.
    const message = `The service answered ${head.status}, and its answer could not be read.`;
    const error = new ArtworkError('bad_response', message, { status: head.status, cause });
    return unknownOutcome(error, head.status, bodyComplete);
  }
}

function failureOf(result: Exchange, origin: string, progress: Progress): ArtworkError {
  if (progress.failure instanceof ArtworkError) return progress.failure;
  if (progress.failure !== null) {
    return new ArtworkError('upload_refused', 'The file could not be read to its end.', {
      cause: progress.failure,
    });
  }
  if (result.end === 'answered')
    return new ArtworkError('internal', 'A request was answered before it left.');
  if ('code' in result.error && result.error.code === 'UND_ERR_INVALID_ARG') {
    const message = 'A header of the request holds characters that HTTP does not allow.';
    return new ArtworkError('invalid_arguments', message, { cause: result.error });
  }
  return networkFailure(origin, result.error, answerBytes, result.end === 'cut' ? result.head.status : 0);
}

function beforeSending(error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  return new ArtworkError('internal', 'The address of the catalogue could not be found.', { cause: error });
}

function notSent(error: ArtworkError): SendOutcome {
  return { outcome: 'not_sent', error };
}

/** Each body is read while it is sent: only so are its headers held back until the gate has opened. */
function asStream(body: Buffer | StreamBody): StreamBody {
  if (!Buffer.isBuffer(body)) return body;
  return {
    length: body.length,
    async *open() {
      yield body;
    },
  };
}

function headersOf({ headers, body, bearer }: SendRequest, userAgent: string): Record<string, string> {
  return {
    ...headers,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-length': String(body.length),
    'user-agent': userAgent,
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
  };
}

/** What became of a request that may be sent only once. */
export type SendOutcome =
  /** Nothing of it reached the service. */
  | { readonly outcome: 'not_sent'; readonly error: ArtworkError }
  /** The service said no; this request changed nothing. */
  | { readonly outcome: 'refused'; readonly status: number; readonly error: ArtworkError }
  /** The service said yes. `body` is its cleaned JSON, null where it sent an empty one. */
  | { readonly outcome: 'applied'; readonly status: number; readonly body: unknown }
  /**
   * It may or may not have been applied. `bodyComplete` false: the service never got the whole body, which
   * the interface document lets it apply only against its own rule (Content-Length). `status`: its answer
   * began with it, but proves nothing or was cut off.
   */
  | {
      readonly outcome: 'unknown';
      readonly status: number | null;
      readonly error: ArtworkError;
      readonly bodyComplete: boolean;
    };

/**
 * Judges a whole answer; `bodyComplete`: all of the request had been handed over when it came. `clean`: as for
 * `parseJson`.
 */
export function judgeAnswer(head: Head, body: Buffer, bodyComplete: boolean, clean: Clean): SendOutcome {
  const { status } = head;
  const parsed = parseJson(body, clean, 'leave out');
  if (status < 300) {
    const receipt = body.length === 0 && isFramed(head) ? emptyReceipt : readReceipt(parsed);
    if (receipt.valid && bodyComplete) return { outcome: 'applied', status, body: receipt.body };
    const why = receipt.valid ? 'came before the request was complete' : receipt.why;
    const message = `The service answered ${status}, but its answer ${why}.`;
    return unknownOutcome(new ArtworkError('bad_response', message, { status }), status, bodyComplete);
  }
  const error = refusalOfAnswer(head, parsed, true);
  return isRefusal(status, parsed)
    ? { outcome: 'refused', status, error }
    : unknownOutcome(error, status, bodyComplete);
}

/** What one request came to where it may have been applied and no answer says so. */
export function unknownOutcome(
  error: ArtworkError,
  status: number | null,
  bodyComplete: boolean,
): SendOutcome {
  return { outcome: 'unknown', status, error, bodyComplete };
}

type Receipt =
  | { readonly valid: true; readonly body: Record<string, unknown> | null }
  | { readonly valid: false; readonly why: string };

const emptyReceipt: Receipt = { valid: true, body: null };

function readReceipt(parsed: ParsedBody): Receipt {
  if (!parsed.json) return { valid: false, why: parsed.why };
  const { value } = parsed;
  if (!isRecord(value)) return { valid: false, why: 'is not a receipt' };
  const hasError = value.error !== undefined && value.error !== null;
  const hasData = value.data !== undefined && value.data !== null;
  return hasError && !hasData ? { valid: false, why: 'holds an error' } : { valid: true, body: value };
}

/** An answer without a length ends when its connection does, and so may have been longer. */
function isFramed({ status, headers }: Head): boolean {
  return (
    status === 204 || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  );
}

function isRefusal(status: number, body: ParsedBody): boolean {
  switch (status) {
    // These two ask for the very same request at another address (RFC 9110, 15.4.8 and 15.4.9): a
    // service that had applied it and asked for it once more would have it applied twice. The other redirects may be answered
    // with a GET, which is how a form that was applied sends its caller on.
    case 307:
    case 308:
      return true;
    // A proxy gave up waiting: the service itself may not have.
    case 408:
    case 425:
    case 499:
      return false;
    default:
      if (status < 400 || status >= 500) return false;
      // Without the service's own error it may be anybody's answer.
      return body.json && serviceError(body.value) !== null;
  }
}
