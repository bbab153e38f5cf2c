import { ArtworkError } from '../errors.ts';
import { type Exchange, exchange } from '../wire/exchange.ts';
import { type Call, type CallTime, withinTime } from './request-time.ts';
import type { OpenConnection } from './dispatchers.ts';
import { type SendOutcome, judgeAnswer, unknownOutcome } from './send-outcome.ts';
import { createFreshConnections, type FreshConnection } from './fresh-connections.ts';
import { maskToken } from './mask-token.ts';
import { networkFailure, wasConnectionRefused } from './network-failure.ts';
import { type Query, type ServicePath, writeQuery } from './path.ts';
import { delayLastChunk, type Progress, type StreamBody } from '../wire/stream-body.ts';
import type { EndpointFinder, Endpoint } from './endpoint.ts';
import { answerBytes, decodeBody } from './wire-body.ts';

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
}

export interface Sender {
  /**
   * Sends a request once and says what became of it. Nothing underneath repeats it, follows a redirect, or
   * puts it on a connection that was idle for over a second. Never rejects.
   */
  send(request: SendRequest, call?: Call): Promise<SendOutcome>;
  destroy(): Promise<void>;
}

/** Sends requests that change something, each once, and proves whether one left. */
export function createSender(endpoints: EndpointFinder, userAgent: string, open?: OpenConnection): Sender {
  const connections = createFreshConnections(open);

  const sendNow = async (request: SendRequest, time: CallTime): Promise<SendOutcome> => {
    if (request.body.length === 0)
      return notSent(new ArtworkError('invalid_arguments', 'The body is empty.'));
    let found: Endpoint;
    let connection: FreshConnection;
    let path: string;
    try {
      found = await endpoints.find(time);
      path = found.prefix + request.path + writeQuery(request.query ?? {});
      connection = connections.acquire(found.origin);
    } catch (error) {
      return notSent(beforeSending(error));
    }
    const progress: Progress = { bytes: 0, complete: false, failure: null };
    const body = freshBody(request.body, progress);
    const result = await exchange(connection.dispatcher, {
      method: 'POST',
      origin: found.origin,
      path,
      headers: headersOf(request, userAgent),
      body,
      maxBytes: answerBytes,
      headersMs: 0,
      bodyMs: 15_000,
      signal: time.signal,
    });
    if (result.end === 'answered') connection.keep();
    else connection.drop();
    if (result.end === 'failed' && wasConnectionRefused(result.error)) endpoints.refused();

    // undici writes the headers of a streamed request together with the first chunk of its body.
    const left = result.sent && (Buffer.isBuffer(request.body) || progress.bytes > 0);
    const bodyComplete = Buffer.isBuffer(request.body) || progress.complete;
    return left
      ? await judgeSent(result, found.origin, bodyComplete, progress, request.bearer)
      : notSent(failureOf(result, found.origin, progress));
  };

  return {
    send: (request, call = {}) => withinTime(call, (time) => sendNow(request, time)),
    destroy: () => connections.destroy(),
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
    const body = maskToken(await decodeBody(head, result.body, answerBytes), bearer);
    return judgeAnswer(head, body, bodyComplete);
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

/** An object that only this request has as its body. */
function freshBody(body: Buffer | StreamBody, progress: Progress): Buffer | AsyncIterable<Buffer> {
  return Buffer.isBuffer(body) ? body.subarray() : delayLastChunk(body, progress);
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
