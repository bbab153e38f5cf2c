import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { timerMs } from '../clock.ts';
import { ArtworkError } from '../errors.ts';

/** A body that is read while it is sent. */
export interface StreamBody {
  /** Bytes; what is read must be exactly as long. */
  readonly length: number;
  /** Called at most once. Its last chunk leaves only after it has ended without an error. */
  open(): AsyncIterable<Buffer>;
  /** Told once the service has all of it. Until then, and after any other end, a socket may still hold its chunks. */
  arrived?(): void;
}

/**
 * Resolves if a part of a request may leave; a rejection keeps it back. What it resolves to is called at the moment the
 * part leaves: false says that too much time has passed since, because the process was stopped. Then the gate is asked
 * again.
 */
export type Gate = (part: 'first' | 'last') => Promise<() => boolean>;

/** One request, sent at most once. */
interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  /** Without the body's length. */
  readonly headers: Readonly<Record<string, string>>;
  /** Never empty. */
  readonly body?: Buffer | StreamBody;
  /** Asked before the first byte leaves, the headers' too, and before the last chunk of the body. */
  readonly gate?: Gate | undefined;
  /** Bytes of the answer's body, as they come over the wire. */
  readonly maxBytes: number;
  /** Milliseconds until the answer's head must be there; 0: only the signal ends the wait. */
  readonly headersMs: number;
  /** Milliseconds that the answer's body may pause; 0: only the signal ends the wait. */
  readonly bodyMs: number;
  readonly signal: AbortSignal;
}

/** The head of an answer. */
export interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/**
 * How a request ended, without a judgement. `sent`: some of it may have left this machine, which of a request with a body
 * is its headers with the first chunk; `complete`: all of it may have.
 */
export type Exchange = { readonly sent: boolean; readonly complete: boolean } & (
  | { readonly end: 'answered'; readonly head: Head; readonly body: Buffer }
  /** The answer began and broke off. */
  | { readonly end: 'cut'; readonly head: Head; readonly error: Error }
  | { readonly end: 'failed'; readonly error: Error }
);

/** The answer is larger than what is read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * Makes one exchange: sends a request, reads its answer, and knows what left. Never rejects. Redirects, cookies and
 * repetitions do not exist on this level.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchange> {
  const { method, origin, path, headers, body, signal, maxBytes } = request;
  return new Promise((resolve) => {
    const departure = { sent: false, complete: false };
    let connection: Dispatcher.DispatchController | null = null;
    let head: Head | null = null;
    let bytes = 0;
    const chunks: Buffer[] = [];

    const settle = () => {
      signal.removeEventListener('abort', abort);
      return { ...departure };
    };
    const fail = (error: Error) =>
      resolve(
        head === null ? { ...settle(), end: 'failed', error } : { ...settle(), end: 'cut', head, error },
      );
    const abort = () => {
      const error = asError(signal.reason);
      // While the request waits for a connection undici can't be told: `onRequestStart` ends it.
      if (connection === null) fail(error);
      else connection.abort(error);
    };
    if (signal.aborted) return fail(asError(signal.reason));
    signal.addEventListener('abort', abort);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        connection = controller;
        // undici has written nothing yet, and what is aborted here leaves no byte.
        if (signal.aborted) controller.abort(asError(signal.reason));
        else if (body === undefined) Object.assign(departure, { sent: true, complete: true });
      },
      onResponseStart(_, status, headers) {
        // 1xx announces the answer and is none.
        if (status >= 200) head = { status, headers: singleValued(headers) };
      },
      onResponseData(controller, chunk) {
        bytes += chunk.length;
        if (bytes <= maxBytes) chunks.push(chunk);
        else controller.abort(new AnswerTooLarge(`The answer is larger than ${maxBytes} bytes.`));
      },
      onResponseEnd() {
        if (head === null) fail(new Error('The answer has no head.'));
        else resolve({ ...settle(), end: 'answered', head, body: Buffer.concat(chunks) });
      },
      onResponseError(_, error) {
        fail(error);
      },
    };
    const options: Dispatcher.DispatchOptions = {
      method,
      origin,
      path,
      headers: body === undefined ? headers : { ...headers, 'content-length': String(body.length) },
      headersTimeout: request.headersMs,
      bodyTimeout: request.bodyMs,
    };
    // undici takes async iterables as bodies, which its type leaves out.
    const departing = body === undefined ? {} : { body: delayLastChunk(body, departure, request.gate) };
    dispatcher.dispatch(Object.assign(options, departing), handler);
  });
}

/**
 * Yields what the body yields, one chunk behind. If the source fails at any point, or is longer or shorter than it
 * should be, or if the gate says no, the last chunk is never sent, and the service never sees a whole body.
 *
 * It is also the proof of what left. No error of a connection proves anything, since the same codes come before the first
 * byte and after the service has acted; but undici writes the headers with the first chunk, and nothing that was not
 * yielded here.
 */
async function* delayLastChunk(
  body: Buffer | StreamBody,
  departure: { sent: boolean; complete: boolean },
  gate: Gate = async () => () => true,
): AsyncGenerator<Buffer, void, void> {
  let held: Buffer | null = null;
  let read = 0;
  try {
    await pass(gate, 'first');
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body.open()) {
      if (chunk.length === 0) continue;
      read += chunk.length;
      if (read > body.length) throw wrongLength();
      if (held !== null) {
        departure.sent = true;
        yield held;
      }
      held = chunk;
    }
    if (held === null || read < body.length) throw wrongLength();
    await pass(gate, 'last');
  } catch (cause) {
    if (cause instanceof ArtworkError) throw cause;
    throw new ArtworkError('upload_refused', 'The file could not be read to its end.', { cause });
  }
  departure.sent = true;
  departure.complete = true;
  yield held;
}

async function pass(gate: Gate, part: 'first' | 'last'): Promise<void> {
  let isStillOpen: () => boolean;
  do isStillOpen = await gate(part);
  while (!isStillOpen());
}

function wrongLength(): ArtworkError {
  return new ArtworkError('upload_refused', 'The file changed meanwhile: its length is another.');
}

/** A header that came more than once is a list, which its type does not say; HTTP joins such a list. */
function singleValued(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(entries);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * Milliseconds to wait by an answer's `Retry-After`, in seconds or as a date; null when it says nothing usable.
 * Never more than a timer can run: whatever is computed from it, a date or a wait, can be made.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number = Date.now()): number | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return timerMs(Number(value) * 1000);
  // Date.parse alone takes far too much for a date.
  if (!/^[A-Z][a-z]{2,8}, /.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : timerMs(date - now);
}
