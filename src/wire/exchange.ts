import { channel } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ArtworkError } from '../errors.ts';

/** One request, sent at most once. */
interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** An object that no other request has as its body: the request is known by it (see `watchDeparture`). */
  readonly body?: Buffer | AsyncIterable<Buffer>;
  /** Bytes of the answer's body as they come over the wire. */
  readonly maxBytes: number;
  /** Milliseconds until the answer's head must be there; 0 for no limit but the signal's. */
  readonly headersMs: number;
  /** Milliseconds that the answer's body may pause; 0 for no limit but the signal's. */
  readonly bodyMs: number;
  readonly signal: AbortSignal;
}

/** The head of an answer. */
export interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** How a request ended, without judging it. `sent`: its headers may have left this machine. */
export type Exchange =
  | { readonly end: 'answered'; readonly sent: true; readonly head: Head; readonly body: Buffer }
  /** The answer began, and broke off. */
  | { readonly end: 'cut'; readonly sent: true; readonly head: Head; readonly error: Error }
  | { readonly end: 'failed'; readonly sent: boolean; readonly error: Error };

/** The answer is larger than what is read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * Makes one exchange: sends a request, reads its answer, and knows whether the headers left. Never rejects.
 * Redirects, cookies and repeated requests do not exist on this level.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchange> {
  return new Promise((resolve) => {
    const { signal } = request;
    const departure = request.body === undefined ? null : watchDeparture(request.body);
    let controller: Dispatcher.DispatchController | undefined;
    let began = false;
    let head: Head | undefined;
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (result: Exchange) => {
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const fail = (error: Error) => {
      const sent = began || departure?.left === true;
      settle(head === undefined ? { end: 'failed', sent, error } : { end: 'cut', sent: true, head, error });
    };
    const abort = () => {
      if (controller === undefined) fail(signal.reason);
      else controller.abort(signal.reason);
    };
    if (signal.aborted) return fail(signal.reason);
    signal.addEventListener('abort', abort);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // Aborted while it waited for a connection: undici writes nothing once this is called.
        if (signal.aborted) started.abort(signal.reason);
        else began = true;
      },
      onResponseStart(_started, status, headers) {
        if (status >= 200) head = { status, headers: singleValued(headers) };
      },
      onResponseData(started, chunk) {
        size += chunk.length;
        if (size > request.maxBytes) started.abort(new AnswerTooLarge(`more than ${request.maxBytes} bytes`));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (head === undefined) fail(new Error('the answer had no head'));
        else settle({ end: 'answered', sent: true, head, body: Buffer.concat(chunks) });
      },
      onResponseError(_started, error) {
        fail(error);
      },
    };
    const { method, origin, path, headers, headersMs, bodyMs } = request;
    const options = { method, origin, path, headers, headersTimeout: headersMs, bodyTimeout: bodyMs };
    dispatcher.dispatch(bodyOptions(options, request.body), handler);
  });
}

/** A header that was sent more than once is a list, which its type does not say; HTTP joins such a list. */
function singleValued(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(entries);
}

// undici takes async iterables as bodies, but its type for them leaves them out.
function bodyOptions(options: Dispatcher.DispatchOptions, body: ExchangeRequest['body']) {
  return body === undefined ? options : Object.assign(options, { body });
}

/** Whether the headers of one request have left. */
interface Departure {
  left: boolean;
}

const watched = new WeakMap<object, Departure>();
let listening = false;

/**
 * Watches for the moment in which undici hands a request's headers to its socket. Error codes prove nothing
 * (ECONNRESET comes before sending and after); this event does. undici passes the body on as it is, through
 * proxies too, so the body tells which request an event is about.
 */
function watchDeparture(body: object): Departure {
  if (!listening) {
    channel('undici:client:sendHeaders').subscribe(noteDeparture);
    listening = true;
  }
  const departure = { left: false };
  watched.set(body, departure);
  return departure;
}

function noteDeparture(message: unknown): void {
  const body = member(member(message, 'request'), 'body');
  const departure = typeof body === 'object' && body !== null ? watched.get(body) : undefined;
  if (departure !== undefined) departure.left = true;
}

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

/** A body that is read while it is sent. */
export interface StreamBody {
  /** Bytes; what is read must be exactly as long. */
  readonly length: number;
  /** Called at most once. Its last chunk leaves only after it has ended without an error. */
  open(): AsyncIterable<Buffer>;
  /**
   * Told once the service has answered that it has all of it: the memory of its chunks is not read any more. Of a
   * request that ended otherwise a socket may still hold them.
   */
  arrived?(): void;
}

/** How much of a body has been handed over to be sent. */
export interface Progress {
  bytes: number;
  complete: boolean;
  /** Why the source ended early. */
  failure: Error | null;
}

/**
 * Resolves if a part of a request may leave; a rejection keeps it back. What it resolves to is called at the moment the
 * part leaves: false says that too much time has passed since, because the process was stopped. Then the gate is asked
 * again.
 */
export type Gate = (part: 'first' | 'last') => Promise<() => boolean>;

const openGate: Gate = async () => () => true;

/**
 * Yields what the source yields, one chunk behind: a source that fails at any point, or is longer or shorter
 * than it should be, never has its last chunk sent, so the service never sees a whole body.
 */
export async function* delayLastChunk(
  body: StreamBody,
  progress: Progress,
  gate: Gate = openGate,
): AsyncGenerator<Buffer, void, void> {
  let held: Buffer | null = null;
  let read = 0;
  try {
    await pass(gate, 'first');
    for await (const chunk of body.open()) {
      if (chunk.length === 0) continue;
      read += chunk.length;
      if (read > body.length) throw wrongLength();
      if (held !== null) {
        progress.bytes += held.length;
        yield held;
      }
      held = chunk;
    }
    if (read !== body.length) throw wrongLength();
    await pass(gate, 'last');
  } catch (error) {
    progress.failure = error instanceof Error ? error : new Error('the source of a body failed');
    throw progress.failure;
  }
  if (held === null) return;
  progress.bytes += held.length;
  progress.complete = true;
  yield held;
}

async function pass(gate: Gate, part: 'first' | 'last'): Promise<void> {
  let isStillOpen: () => boolean;
  do isStillOpen = await gate(part);
  while (!isStillOpen());
}

function wrongLength(): ArtworkError {
  return new ArtworkError('upload_refused', 'The file is no longer as long as it was: it changed meanwhile.');
}
